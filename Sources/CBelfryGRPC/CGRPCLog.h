#pragma once

#include <grpc/support/log.h>

#include <cstdlib>

namespace cgrpc {

/// Keeps gRPC's own messages out of the log, unless GRPC_VERBOSITY asks for them.
///
/// These messages quote the bytes that clients send, line ends included, each time. A client that
/// can connect could write lines into the log and fill the disk.
inline void SilenceLog() {
    static const bool is_silent = [] {
        if (std::getenv("GRPC_VERBOSITY") != nullptr) return false;
        gpr_set_log_function([](gpr_log_func_args*) {});
        return true;
    }();
    (void)is_silent;
}

}  // namespace cgrpc
