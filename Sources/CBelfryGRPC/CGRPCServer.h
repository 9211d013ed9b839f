// The server: its queues, and the order in which they start and stop.

#ifndef CGRPC_SERVER_H
#define CGRPC_SERVER_H

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
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
    /// Waits until every call is over, shuts down, and joins the thread. It is called after the
    /// server's own shutdown, which ends the calls but does not wait for their last events.
    void Drain();

    /// Adds a call to, or removes it from, the list of calls that are not over. Polling thread
    /// only.
    void Add(Call* call);
    void Remove(Call* call);
    /// Asks gRPC for one more call, and counts the call until Forget().
    void RequestAnother();
    void Forget() { --alive_; }
    /// Looks in a while which unary calls last, to watch these. Polling thread only.
    void LookSoon();

    Server& server() { return *server_; }
    grpc_completion_queue* core() { return queue_->cq(); }

   private:
    void Poll();
    void Look();

    Server* const server_;
    const std::unique_ptr<grpc::ServerCompletionQueue> queue_;
    std::thread thread_;
    // These are used only by the polling thread, once it runs.
    Call* calls_ = nullptr;
    size_t alive_ = 0;    // Calls asked for or not over.
    bool looks_ = false;  // Whether it looks at the open calls at `look_at_`.
    gpr_timespec look_at_{};
    std::mutex mutex_;
    std::condition_variable idle_;
    bool is_idle_ = true;  // No call is alive or will be. Guarded by `mutex_`.
};

class Server {
   public:
    Server(const cgrpc_server_options& options, const cgrpc_server_callbacks& callbacks);
    ~Server() { Stop(0); }
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    void Listen(Listener listener) { acceptor_.Add(std::move(listener)); }
    /// Whether the server got all resources that it needs; otherwise it can only be destroyed.
    bool is_usable() const { return server_ != nullptr && acceptor_.is_usable(); }
    void Start();
    void Stop(int64_t nanoseconds);

    const cgrpc_server_callbacks& callbacks() const { return callbacks_; }
    size_t maximum_send_bytes() const { return static_cast<size_t>(options_.maximum_send_bytes); }
    bool is_stopping() const { return stopping_.load(std::memory_order_acquire); }
    grpc_server* core() { return server_->c_server(); }
    bool IsAnyConnectionEnding() { return acceptor_.IsAnyEnding(); }
    size_t ConnectionCount() { return acceptor_.ConnectionCount(); }

   private:
    void SetArguments(grpc::ServerBuilder& builder) const;

    const cgrpc_server_options options_;
    const cgrpc_server_callbacks callbacks_;
    std::atomic<bool> stopping_{false};
    Acceptor acceptor_;
    // With a generic service, gRPC gives all unknown methods to the shim; so here every method.
    grpc::AsyncGenericService service_;
    std::vector<std::unique_ptr<Queue>> queues_;
    std::unique_ptr<grpc::Server> server_;  // Destroyed before its queues.
};

}  // namespace cgrpc

#endif
