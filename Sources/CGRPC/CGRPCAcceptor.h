// Accepts connections and hands their descriptors to gRPC.

#ifndef CGRPC_ACCEPTOR_H
#define CGRPC_ACCEPTOR_H

#include <grpcpp/server_builder.h>
#include <poll.h>

#include <memory>
#include <thread>
#include <vector>

#include "CGRPCListener.h"

namespace cgrpc {

/// One thread over all listeners.
///
/// gRPC 1.51's own listener stays deaf after it once ran out of descriptors. This one keeps a
/// descriptor in reserve, refuses with it, waits a little, and goes on. gRPC never tells when it
/// closes a connection, so the count of open ones comes from looking: a descriptor is still the
/// connection it was given if its socket has the same inode.
class Acceptor {
   public:
    using Handoff = grpc::experimental::ExternalConnectionAcceptor;

    explicit Acceptor(size_t connection_limit);
    ~Acceptor() { Stop(); }

    /// Whether it got the descriptors that it needs.
    bool is_usable() const { return reserve_.get() >= 0 && stop_event_.get() >= 0; }

    // Both before the start.
    void HandOverTo(std::unique_ptr<Handoff> handoff) { handoff_ = std::move(handoff); }
    void Add(Listener listener) { listeners_.push_back(std::move(listener)); }

    /// Starts the thread.
    void Start();

    /// Joins the thread and closes the listeners. Idempotent.
    void Stop();

   private:
    struct Connection {
        int descriptor;
        unsigned long inode;
    };

    void Run();
    /// Accepts what waits on one listener. False when descriptors or memory ran out.
    bool AcceptAll(const Listener& listener);
    void Admit(int descriptor, const Listener& listener);
    void RefuseWithReserve(const Listener& listener);
    bool HasRoom();

    const size_t connection_limit_;
    std::vector<Listener> listeners_;
    const Descriptor stop_event_;
    std::thread thread_;
    // Below: used by the thread only, once it runs.
    std::unique_ptr<Handoff> handoff_;
    Descriptor reserve_;
    std::vector<Connection> connections_;
};

}  // namespace cgrpc

#endif
