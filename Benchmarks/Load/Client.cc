#include "Client.h"

#include <cstdio>
#include <cstdlib>
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

std::shared_ptr<grpc::Channel> Target::Connect(const grpc::ChannelArguments& arguments) const {
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
