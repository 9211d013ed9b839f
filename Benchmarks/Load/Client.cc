#include "Client.h"

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <vector>

void Fail(const std::string& message) {
    std::fprintf(stderr, "load: %s\n", message.c_str());
    std::exit(1);
}

std::string StringOf(const grpc::ByteBuffer& buffer) {
    grpc::Slice slice;
    if (!buffer.Valid() || !buffer.DumpToSingleSlice(&slice).ok()) return {};
    return {reinterpret_cast<const char*>(slice.begin()), slice.size()};
}

std::shared_ptr<grpc::Channel> Target::Connect(grpc::ChannelArguments arguments) const {
    // The generator shares the machine with the server, and needs no retries and no deadlines.
    arguments.SetInt(GRPC_ARG_MINIMAL_STACK, 1);
    auto credentials = grpc::InsecureChannelCredentials();
    if (!roots.empty()) {
        grpc::SslCredentialsOptions options;
        options.pem_root_certs = roots;
        credentials = grpc::SslCredentials(options);
    }
    return grpc::CreateCustomChannel(address, credentials, arguments);
}

void Target::Show(grpc::ClientContext& context) const {
    if (!token.empty()) context.AddMetadata("authorization", "Bearer " + token);
}

struct Client::Slot {
    std::unique_ptr<grpc::ClientContext> context;
    std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
    grpc::ByteBuffer reply;
    grpc::Status status;
    Clock::time_point began;
};

Client::Client(const Target& target)
    : target_(target), stub_(target.Connect(grpc::ChannelArguments())) {}

std::string Client::Call(const std::string& method, const std::string& message) {
    std::string answer;
    const Work work{method, [&]() -> const std::string& { return message; },
                    [&](const std::string& reply) {
                        answer = reply;
                        return true;
                    }};
    Run(work, 1, [](auto, auto) { return false; });
    return answer;
}

void Client::Start(Slot& slot, const Work& work) {
    const grpc::Slice slice(work.next());
    const grpc::ByteBuffer request(&slice, 1);
    slot.context = std::make_unique<grpc::ClientContext>();
    target_.Show(*slot.context);
    slot.began = Clock::now();
    slot.reader = stub_.PrepareUnaryCall(slot.context.get(), work.method, request, &queue_);
    slot.reader->StartCall();
    slot.reader->Finish(&slot.reply, &slot.status, &slot);
}

void Client::Run(
    const Work& work, int in_flight,
    const std::function<bool(Clock::time_point began, Clock::time_point ended)>& finished) {
    std::vector<Slot> slots(static_cast<size_t>(in_flight));
    for (Slot& slot : slots) Start(slot, work);
    bool goes_on = true;
    void* tag;
    bool ok;
    while (in_flight > 0 && queue_.Next(&tag, &ok)) {
        Slot& slot = *static_cast<Slot*>(tag);
        if (!slot.status.ok()) Fail(work.method + ": " + slot.status.error_message());
        if (!work.check(StringOf(slot.reply))) Fail(work.method + ": not all was done");
        goes_on = goes_on && finished(slot.began, Clock::now());
        if (goes_on) {
            Start(slot, work);
        } else {
            --in_flight;
        }
    }
}

void Client::Stream(
    const Work& work, int in_flight, const std::function<size_t(const std::string& reply)>& count,
    const std::function<bool(Clock::time_point began, Clock::time_point ended)>& finished) {
    grpc::ClientContext context;
    target_.Show(context);
    const auto stream = stub_.PrepareCall(&context, work.method, &queue_);
    enum Tag : intptr_t { kStarted = 1, kSent, kRead, kAllSent, kEnded };
    const auto tag_of = [](Tag tag) { return reinterpret_cast<void*>(tag); };
    std::deque<Clock::time_point> open;
    grpc::ByteBuffer reply;
    grpc::Status status;
    bool is_sending = true, goes_on = true, has_ended = false;
    const auto send = [&] {
        if (is_sending || (goes_on && open.size() >= static_cast<size_t>(in_flight))) return;
        is_sending = true;
        if (!goes_on) return stream->WritesDone(tag_of(kAllSent));
        const grpc::Slice slice(work.next());
        open.push_back(Clock::now());
        stream->Write(grpc::ByteBuffer(&slice, 1), tag_of(kSent));
    };
    stream->StartCall(tag_of(kStarted));
    void* tag;
    bool ok;
    while (!has_ended && queue_.Next(&tag, &ok)) {
        switch (reinterpret_cast<intptr_t>(tag)) {
            case kStarted:
                stream->Read(&reply, tag_of(kRead));
                is_sending = false;
                break;
            case kSent: is_sending = !ok; break;
            case kRead: {
                if (!ok) {
                    stream->Finish(&status, tag_of(kEnded));
                    break;
                }
                const std::string bytes = StringOf(reply);
                if (!work.check(bytes)) Fail(work.method + ": not all was done");
                const auto now = Clock::now();
                for (size_t left = count(bytes); left > 0; --left) {
                    goes_on = goes_on && finished(open.front(), now);
                    open.pop_front();
                }
                stream->Read(&reply, tag_of(kRead));
                break;
            }
            case kEnded: has_ended = true; break;
            default: break;
        }
        send();
    }
    if (!status.ok()) Fail(work.method + ": " + status.error_message());
}
