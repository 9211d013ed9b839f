// A closed-loop load: so many unary calls in flight on one channel, each followed by the next.
// Prints calls per second, the 50th and 99th percentile of the time of a call in microseconds, and
// the number of all calls, with those of the warm-up.

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

const std::string kMethod = "/bench.Echo/Call";
constexpr size_t kPayloadBytes = 100;

/// One place in flight, used by one call after the other.
class Slot {
   public:
    Slot(grpc::GenericStub* stub, grpc::CompletionQueue* queue, const grpc::ByteBuffer* request)
        : stub_(stub), queue_(queue), request_(request) {}

    void Start() {
        context_ = std::make_unique<grpc::ClientContext>();
        reply_.Clear();
        started_ = Clock::now();
        call_ = stub_->PrepareUnaryCall(context_.get(), kMethod, *request_, queue_);
        call_->StartCall();
        call_->Finish(&reply_, &status_, this);
    }

    /// Microseconds of the call that has ended; ends the program if it was not answered right.
    double Finish() {
        const std::chrono::duration<double, std::micro> took = Clock::now() - started_;
        if (!status_.ok() || reply_.Length() != kPayloadBytes) {
            std::fprintf(stderr, "a call failed: %d %s\n", status_.error_code(),
                         status_.error_message().c_str());
            std::exit(1);
        }
        return took.count();
    }

   private:
    grpc::GenericStub* const stub_;
    grpc::CompletionQueue* const queue_;
    const grpc::ByteBuffer* const request_;
    std::unique_ptr<grpc::ClientContext> context_;
    std::unique_ptr<grpc::GenericClientAsyncResponseReader> call_;
    grpc::ByteBuffer reply_;
    grpc::Status status_;
    Clock::time_point started_;
};

double Percentile(std::vector<double>& times, double part) {
    const auto index = static_cast<size_t>(part * static_cast<double>(times.size() - 1));
    std::nth_element(times.begin(), times.begin() + static_cast<long>(index), times.end());
    return times[index];
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 4) {
        std::fprintf(stderr, "usage: LoadClient TARGET IN_FLIGHT SECONDS\n");
        return 2;
    }
    const int in_flight = std::atoi(argv[2]);
    const std::chrono::duration<double> measured(std::atof(argv[3]));
    const std::chrono::duration<double> warm_up = measured / 4;

    grpc::ChannelArguments arguments;
    // As Benchmarks/Load, which shares the machine with its server as well.
    arguments.SetInt(GRPC_ARG_MINIMAL_STACK, 1);
    const auto channel =
        grpc::CreateCustomChannel(argv[1], grpc::InsecureChannelCredentials(), arguments);
    if (!channel->WaitForConnected(std::chrono::system_clock::now() + std::chrono::seconds(10))) {
        std::fprintf(stderr, "no server at %s\n", argv[1]);
        return 1;
    }
    grpc::GenericStub stub(channel);
    grpc::CompletionQueue queue;
    grpc::Slice payload(std::string(kPayloadBytes, 'x'));
    const grpc::ByteBuffer request(&payload, 1);
    std::vector<std::unique_ptr<Slot>> slots;
    for (int i = 0; i < in_flight; ++i) {
        slots.push_back(std::make_unique<Slot>(&stub, &queue, &request));
        slots.back()->Start();
    }

    std::vector<double> times;
    size_t calls = 0;
    auto begin = Clock::now();
    bool measuring = false;
    void* tag;
    bool ok;
    while (queue.Next(&tag, &ok)) {
        auto* slot = static_cast<Slot*>(tag);
        const double took = slot->Finish();
        ++calls;
        const auto now = Clock::now();
        if (measuring) {
            times.push_back(took);
            if (now - begin >= measured) break;
        } else if (now - begin >= warm_up) {
            measuring = true;
            begin = now;
        }
        slot->Start();
    }
    const std::chrono::duration<double> seconds = Clock::now() - begin;
    std::printf("%.0f %.1f %.1f %zu\n", static_cast<double>(times.size()) / seconds.count(),
                Percentile(times, 0.50), Percentile(times, 0.99), calls);
    std::fflush(stdout);
    // Calls are still in flight; there is nothing worth taking apart.
    std::_Exit(0);
}
