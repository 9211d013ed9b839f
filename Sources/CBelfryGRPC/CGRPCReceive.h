// Meters the bytes that a server's sockets receive, before gRPC gets them.

#ifndef CGRPC_RECEIVE_H
#define CGRPC_RECEIVE_H

#include <sys/types.h>

#include <memory>

#include "CGRPCFrames.h"

namespace cgrpc {

/// Whether this process uses the `recvmsg` that meters.
bool IsReceiveMetered();

/// Meters the bytes that `descriptor` receives from now on. False when its number is too high.
bool Meter(int descriptor, ino_t inode, std::shared_ptr<Unfinished> unfinished);

/// Forgets the connection of `descriptor`, once closed and before the number is used again.
void Unmeter(int descriptor, ino_t inode);

/// Whether `descriptor` is still the socket that had this inode.
bool IsStill(int descriptor, ino_t inode);

}  // namespace cgrpc

#endif
