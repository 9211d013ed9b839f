// Tells gRPC the user at the other end of a unix socket.

#ifndef CGRPC_PEER_NAME_H
#define CGRPC_PEER_NAME_H

#include <sys/types.h>

#include <optional>

namespace cgrpc {

/// While it exists, every socket's peer on this thread is named "uid/USER", so that the calls of a
/// connection that is handed to gRPC meanwhile have the peer "unix:uid/USER".
///
/// gRPC 1.51 calls all peers of a unix socket "unix:", and keeps nothing else of a connection where
/// its calls could find it. It asks for the peer's name once, when a connection is handed over, on
/// the thread that hands it over.
class PeerName {
   public:
    /// Without a user the peers keep their names.
    explicit PeerName(std::optional<uid_t> user);
    ~PeerName();
    PeerName(const PeerName&) = delete;
    PeerName& operator=(const PeerName&) = delete;
};

/// Whether gRPC asks this program for the names of peers. Otherwise users cannot be told apart.
bool IsPeerNamed();

}  // namespace cgrpc

#endif
