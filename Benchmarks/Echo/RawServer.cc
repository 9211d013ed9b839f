// The peer: the same echo in plain gRPC C++, AsyncGenericService with one queue and one thread, as
// its documentation shows it.

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/grpcpp.h>

#include <cstdio>
#include <string>

namespace {

class Call {
   public:
    Call(grpc::AsyncGenericService* service, grpc::ServerCompletionQueue* queue)
        : service_(service), queue_(queue), stream_(&context_) {
        service_->RequestCall(&context_, &stream_, queue_, queue_, this);
    }

    void Proceed(bool ok) {
        switch (state_) {
            case State::kRequested:
                if (!ok) break;
                new Call(service_, queue_);
                state_ = State::kReading;
                stream_.Read(&message_, this);
                return;
            case State::kReading:
                if (!ok) break;
                state_ = State::kWriting;
                stream_.WriteAndFinish(message_, grpc::WriteOptions(), grpc::Status::OK, this);
                return;
            case State::kWriting:
                break;
        }
        delete this;
    }

   private:
    enum class State { kRequested, kReading, kWriting };

    grpc::AsyncGenericService* const service_;
    grpc::ServerCompletionQueue* const queue_;
    grpc::GenericServerContext context_;
    grpc::GenericServerAsyncReaderWriter stream_;
    grpc::ByteBuffer message_;
    State state_ = State::kRequested;
};

constexpr int kOutstandingRequests = 256;

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: RawServer unix:PATH | PORT\n");
        return 2;
    }
    const std::string target(argv[1]);
    grpc::AsyncGenericService service;
    grpc::ServerBuilder builder;
    builder.AddListeningPort(target.rfind("unix:", 0) == 0 ? target : "127.0.0.1:" + target,
                             grpc::InsecureServerCredentials());
    builder.RegisterAsyncGenericService(&service);
    const auto queue = builder.AddCompletionQueue();
    const auto server = builder.BuildAndStart();
    if (server == nullptr) return 1;
    for (int i = 0; i < kOutstandingRequests; ++i) new Call(&service, queue.get());
    void* tag;
    bool ok;
    while (queue->Next(&tag, &ok)) static_cast<Call*>(tag)->Proceed(ok);
    return 0;
}
