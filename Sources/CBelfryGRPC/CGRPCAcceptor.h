// Accepts connections and hands their descriptors to gRPC.

#ifndef CGRPC_ACCEPTOR_H
#define CGRPC_ACCEPTOR_H

#include <grpcpp/server_builder.h>
#include <poll.h>

#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "CGRPCListener.h"
#include "CGRPCPeerName.h"
#include "CGRPCReceive.h"

namespace cgrpc {

/// Accepts the connections of all listeners on one thread.
///
/// gRPC 1.51's own listener accepts nothing more after it once ran out of descriptors. The acceptor
/// keeps a descriptor in reserve, refuses a connection with it, waits a little, and continues. gRPC
/// does not notify when it closes a connection, so the acceptor counts open connections by
/// checking: a descriptor is still the same connection if its socket has the same inode.
///
/// Each listener has a limit of its own, so that a client that fills one listener does not block
/// the others. One address, or one user of a unix socket, may have as many connections to a
/// listener as it leaves free for others; the server's own user may have all.
class Acceptor {
   public:
    using Handoff = grpc::experimental::ExternalConnectionAcceptor;

    /// `connection_limit` is for each listener; `unfinished_limit` is in bytes, for all
    /// connections.
    Acceptor(size_t connection_limit, size_t unfinished_limit);
    ~Acceptor() { Stop(); }

    /// Whether the acceptor got the descriptors that it needs.
    bool is_usable() const {
        return reserve_.get() >= 0 && stop_event_.get() >= 0 && IsReceiveMetered() &&
               IsPeerNamed();
    }

    // All are called before Start().
    void HandOverTo(std::unique_ptr<Handoff> handoff) { handoff_ = std::move(handoff); }
    /// For the listeners with TLS.
    void HandOverEncryptedTo(std::unique_ptr<Handoff> handoff) {
        encrypted_handoff_ = std::move(handoff);
    }
    void Add(Listener listener) { listeners_.push_back(std::move(listener)); }

    /// Starts the thread.
    void Start();

    /// Joins the thread and closes the listeners. Idempotent.
    void Stop();

    /// Whether a connection that is not closed yet has lost its peer or was shut down. May be
    /// called from any thread; checks every connection.
    bool IsAnyEnding();

    /// The number of connections that are not closed. May be called from any thread; checks every
    /// connection.
    size_t ConnectionCount();

   private:
    struct Connection {
        int descriptor;
        ino_t inode;
        int listener;    // Its descriptor.
        uint64_t peer;   // The number of the peer's address, from PeerOf(), or its user.
        bool is_encrypted;

        /// Whether the descriptor is still this connection.
        bool IsOpen() const { return IsStill(descriptor, inode); }
    };

    void Run();
    /// Accepts the waiting connections of one listener. False when descriptors or memory ran out.
    bool AcceptAll(const Listener& listener);
    void Admit(int descriptor, const Listener& listener);
    void RefuseWithReserve(const Listener& listener);
    // Below: called with the lock held.
    /// Whether the limits allow this connection, given the other known connections.
    bool IsWithinShares(const Connection& connection, bool is_shared) const;
    /// The largest number of connections of a listener, given the limit of descriptors.
    size_t ListenerLimit() const;
    void ForgetClosed();
    /// Records and meters a connection, if the limits allow it.
    bool Register(const Connection& connection, bool is_shared);

    const size_t connection_limit_;
    const std::shared_ptr<Unfinished> unfinished_;
    std::vector<Listener> listeners_;
    const Descriptor stop_event_;
    std::thread thread_;
    // Below: used only by the acceptor's thread, once it runs.
    std::unique_ptr<Handoff> handoff_;
    std::unique_ptr<Handoff> encrypted_handoff_;
    Descriptor reserve_;
    std::mutex mutex_;
    std::vector<Connection> connections_;  // Guarded by `mutex_`.
};

}  // namespace cgrpc

#endif
