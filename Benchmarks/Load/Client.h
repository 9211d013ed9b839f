// Unary calls on one channel, from one thread, with an exact number of them in flight.

#ifndef LOAD_CLIENT_H
#define LOAD_CLIENT_H

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <functional>
#include <string>

using Clock = std::chrono::steady_clock;

class Client {
   public:
    /// What to send, and what to make of a reply.
    struct Work {
        std::string method;
        std::function<const std::string&()> next;
        /// False for a reply that does not do what was asked.
        std::function<bool(const std::string& reply)> check;
    };

    /// `target` as gRPC has it, such as unix:/path or 127.0.0.1:50061.
    explicit Client(const std::string& target);

    /// Keeps `in_flight` calls in flight as long as `finished`, told when each began and ended,
    /// says so, and then waits for the rest, which it is not told of.
    ///
    /// A call that fails ends the program: what it would measure would not be the load.
    void Run(const Work& work, int in_flight,
             const std::function<bool(Clock::time_point began, Clock::time_point ended)>& finished);

   private:
    struct Call;

    void Start(Call& call, const Work& work);

    grpc::GenericStub stub_;
    grpc::CompletionQueue queue_;
};

#endif
