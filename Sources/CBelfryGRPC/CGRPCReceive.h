// Stands between the sockets of a server and gRPC: what arrives is metered before gRPC sees it.

#ifndef CGRPC_RECEIVE_H
#define CGRPC_RECEIVE_H

#include <sys/types.h>

#include <memory>

#include "CGRPCFrames.h"

namespace cgrpc {

/// Whether this process's `recvmsg` is the one that meters.
bool IsReceiveMetered();

/// Meters what the connection `descriptor` receives from now on. False when the number is too high.
bool Meter(int descriptor, ino_t inode, std::shared_ptr<Unfinished> unfinished);

/// Forgets the connection that `descriptor` was, once it is closed and not yet another.
void Unmeter(int descriptor, ino_t inode);

/// Whether `descriptor` is still the socket that had this inode.
bool IsStill(int descriptor, ino_t inode);

}  // namespace cgrpc

#endif
