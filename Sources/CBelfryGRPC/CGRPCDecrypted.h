// Meters the bytes that a server's encrypted connections receive, once they are decrypted.

#ifndef CGRPC_DECRYPTED_H
#define CGRPC_DECRYPTED_H

#include <memory>

#include "CGRPCFrames.h"

namespace cgrpc {

/// While it exists, the TLS connection that is made on this thread is metered from its first
/// decrypted byte to its end.
///
/// gRPC 1.51 makes the TLS connection when a descriptor is handed over, on the thread that hands it
/// over, and decrypts on any thread, where nothing tells the descriptor.
class DecryptedMetering {
   public:
    explicit DecryptedMetering(std::shared_ptr<Unfinished> unfinished);
    ~DecryptedMetering();
    DecryptedMetering(const DecryptedMetering&) = delete;
    DecryptedMetering& operator=(const DecryptedMetering&) = delete;

    /// Whether a TLS connection was made on this thread, and is metered.
    bool has_begun() const;
};

}  // namespace cgrpc

#endif
