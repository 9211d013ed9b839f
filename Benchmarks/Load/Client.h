// Calls on one channel, from one thread, with an exact number of them in flight.

#ifndef LOAD_CLIENT_H
#define LOAD_CLIENT_H

#include <grpcpp/generic/generic_stub.h>
#include <grpcpp/grpcpp.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>

using Clock = std::chrono::steady_clock;

/// Ends the program: what it would measure would not be the load.
[[noreturn]] void Fail(const std::string& message);

/// The bytes of a message.
std::string StringOf(const grpc::ByteBuffer& buffer);

/// A server, and what a caller shows it and trusts.
struct Target {
    /// As gRPC has it, such as unix:/path or 127.0.0.1:50061.
    std::string address;
    /// Sent with each call; empty sends none.
    std::string token;
    /// The certificates to trust, in PEM; empty calls without TLS.
    std::string roots;

    std::shared_ptr<grpc::Channel> Connect(grpc::ChannelArguments arguments) const;
    /// Adds the token to a call that is to be started.
    void Show(grpc::ClientContext& context) const;
};

class Client {
   public:
    /// What to send, and what to make of a reply.
    struct Work {
        std::string method;
        std::function<const std::string&()> next;
        /// False for a reply that does not do what was asked.
        std::function<bool(const std::string& reply)> check;
    };

    explicit Client(const Target& target);

    /// Makes one call and gives its reply.
    std::string Call(const std::string& method, const std::string& message);

    /// Keeps `in_flight` calls in flight as long as `finished`, told when each began and ended,
    /// says so, and then waits for the rest, which it is not told of.
    void Run(const Work& work, int in_flight,
             const std::function<bool(Clock::time_point began, Clock::time_point ended)>& finished);

    /// Does the same over one call that streams both ways: keeps `in_flight` messages without an
    /// answer. `count` tells how many answers a message of the server has.
    void Stream(const Work& work, int in_flight,
                const std::function<size_t(const std::string& reply)>& count,
                const std::function<bool(Clock::time_point began, Clock::time_point ended)>&
                    finished);

   private:
    struct Slot;

    void Start(Slot& slot, const Work& work);

    const Target target_;
    grpc::GenericStub stub_;
    grpc::CompletionQueue queue_;
};

#endif
