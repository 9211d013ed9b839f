// The server: its queues, and the order in which they start and stop.

#ifndef CGRPC_SERVER_H
#define CGRPC_SERVER_H

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "CGRPCAcceptor.h"
#include "CGRPCCall.h"

namespace cgrpc {

class Server;

/// One completion queue and the thread that polls it.
class Queue {
   public:
    Queue(Server* server, std::unique_ptr<grpc::ServerCompletionQueue> queue)
        : server_(server), queue_(std::move(queue)) {}

    /// Asks for `outstanding` calls and starts polling.
    void Start(int outstanding);
    /// Shuts down and waits until every event has been handled.
    void Drain();

    /// Puts a call on, or takes it off, the list of calls that are not over. Polling thread only.
    void Add(Call* call);
    void Remove(Call* call);
    void RequestAnother();

    Server& server() { return *server_; }
    grpc_completion_queue* core() { return queue_->cq(); }

   private:
    void Poll();

    Server* const server_;
    const std::unique_ptr<grpc::ServerCompletionQueue> queue_;
    std::thread thread_;
    Call* calls_ = nullptr;  // Polling thread only.
};

class Server {
   public:
    Server(const cgrpc_server_options& options, const cgrpc_server_callbacks& callbacks);
    ~Server() { Stop(0); }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    void Listen(Listener listener) { acceptor_.Add(std::move(listener)); }
    /// Whether all that it needs could be had; otherwise it can only be destroyed.
    bool is_usable() const { return server_ != nullptr && acceptor_.is_usable(); }
    void Start();
    void Stop(int64_t nanoseconds);

    const cgrpc_server_callbacks& callbacks() const { return callbacks_; }
    size_t maximum_send_bytes() const { return static_cast<size_t>(options_.maximum_send_bytes); }
    bool is_stopping() const { return stopping_.load(std::memory_order_acquire); }
    grpc_server* core() { return server_->c_server(); }

   private:
    void SetArguments(grpc::ServerBuilder& builder) const;

    const cgrpc_server_options options_;
    const cgrpc_server_callbacks callbacks_;
    std::atomic<bool> stopping_{false};
    Acceptor acceptor_;
    // With a generic service registered gRPC leaves unknown methods, so all methods, to us.
    grpc::AsyncGenericService service_;
    std::vector<std::unique_ptr<Queue>> queues_;
    std::unique_ptr<grpc::Server> server_;  // Destroyed before its queues.
};

}  // namespace cgrpc

#endif
