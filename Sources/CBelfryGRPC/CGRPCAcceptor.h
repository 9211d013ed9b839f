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
#include "CGRPCReceive.h"

namespace cgrpc {

/// One thread over all listeners.
///
/// gRPC 1.51's own listener stays deaf after it once ran out of descriptors. This one keeps a
/// descriptor in reserve, refuses with it, waits a little, and goes on. gRPC never tells when it
/// closes a connection, so the count of open ones comes from looking: a descriptor is still the
/// connection it was given if its socket has the same inode.
///
/// Each listener has a limit of its own, so that who fills one keeps nobody from the others. One
/// address may have as many connections to a listener as it leaves free for all others.
class Acceptor {
   public:
    using Handoff = grpc::experimental::ExternalConnectionAcceptor;

    /// A listener may have so many connections; their unfinished messages may take so many bytes.
    Acceptor(size_t connection_limit, size_t unfinished_limit);
    ~Acceptor() { Stop(); }

    /// Whether it got the descriptors that it needs.
    bool is_usable() const {
        return reserve_.get() >= 0 && stop_event_.get() >= 0 && IsReceiveMetered();
    }

    // Both before the start.
    void HandOverTo(std::unique_ptr<Handoff> handoff) { handoff_ = std::move(handoff); }
    void Add(Listener listener) { listeners_.push_back(std::move(listener)); }

    /// Starts the thread.
    void Start();

    /// Joins the thread and closes the listeners. Idempotent.
    void Stop();

    /// Whether one of the connections has lost its peer, or was shut down, and is not closed yet.
    /// From any thread; looks at all of them.
    bool IsAnyEnding();

   private:
    struct Connection {
        int descriptor;
        ino_t inode;
        int listener;    // Its descriptor.
        uint64_t peer;   // What the peer's address comes to.

        /// Whether the descriptor still is the connection that it was given for.
        bool IsOpen() const { return IsStill(descriptor, inode); }
    };

    void Run();
    /// Accepts what waits on one listener. False when descriptors or memory ran out.
    bool AcceptAll(const Listener& listener);
    void Admit(int descriptor, const Listener& listener);
    void RefuseWithReserve(const Listener& listener);
    // With the lock held.
    /// Whether the listener may have this connection, by what is known of the others.
    bool IsWithinShares(const Connection& connection, bool is_shared) const;
    /// How many connections a listener may have, of as many descriptors as there are.
    size_t ListenerLimit() const;
    void ForgetClosed();
    /// Takes down and meters a connection, if there is room for it.
    bool Register(const Connection& connection, bool is_shared);

    const size_t connection_limit_;
    const std::shared_ptr<Unfinished> unfinished_;
    std::vector<Listener> listeners_;
    const Descriptor stop_event_;
    std::thread thread_;
    // Below: used by the thread only, once it runs.
    std::unique_ptr<Handoff> handoff_;
    Descriptor reserve_;
    std::mutex mutex_;
    std::vector<Connection> connections_;  // Guarded by `mutex_`.
};

}  // namespace cgrpc

#endif
