#include "Client.h"

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

[[noreturn]] void Fail(const std::string& message) {
    std::fprintf(stderr, "load: %s\n", message.c_str());
    std::exit(1);
}

std::string StringOf(const grpc::ByteBuffer& buffer) {
    grpc::Slice slice;
    if (!buffer.Valid() || !buffer.DumpToSingleSlice(&slice).ok()) return {};
    return {reinterpret_cast<const char*>(slice.begin()), slice.size()};
}

}  // namespace

struct Client::Call {
    std::unique_ptr<grpc::ClientContext> context;
    std::unique_ptr<grpc::GenericClientAsyncResponseReader> reader;
    grpc::ByteBuffer reply;
    grpc::Status status;
    Clock::time_point began;
};

Client::Client(const std::string& target)
    : stub_(grpc::CreateChannel(target, grpc::InsecureChannelCredentials())) {}

void Client::Start(Call& call, const Work& work) {
    const grpc::Slice slice(work.next());
    const grpc::ByteBuffer request(&slice, 1);
    call.context = std::make_unique<grpc::ClientContext>();
    call.began = Clock::now();
    call.reader = stub_.PrepareUnaryCall(call.context.get(), work.method, request, &queue_);
    call.reader->StartCall();
    call.reader->Finish(&call.reply, &call.status, &call);
}

void Client::Run(
    const Work& work, int in_flight,
    const std::function<bool(Clock::time_point began, Clock::time_point ended)>& finished) {
    std::vector<Call> calls(static_cast<size_t>(in_flight));
    for (Call& call : calls) Start(call, work);
    bool goes_on = true;
    void* tag;
    bool ok;
    while (in_flight > 0 && queue_.Next(&tag, &ok)) {
        Call& call = *static_cast<Call*>(tag);
        if (!call.status.ok()) Fail(work.method + ": " + call.status.error_message());
        if (!work.check(StringOf(call.reply))) Fail(work.method + ": not all was done");
        goes_on = goes_on && finished(call.began, Clock::now());
        if (goes_on) {
            Start(call, work);
        } else {
            --in_flight;
        }
    }
}
