#pragma once

#include <absl/synchronization/mutex.h>
#include <grpc/support/log.h>

#include <cstdlib>

namespace cgrpc {

/// Sets up gRPC and Abseil for the process, once: before the first server or channel.
///
/// gRPC's own messages stay out of the log, unless GRPC_VERBOSITY asks for them. They quote the
/// bytes that clients send, line ends included, each time: a client that can connect could write
/// lines into the log and fill the disk.
///
/// Abseil does not look for deadlocks. A build with its assertions, such as Debian's, keeps a graph
/// of all locks for that, at each lock and unlock: 3 % of what a call costs.
inline void SetUpLibraries() {
    static const bool is_set_up = [] {
        absl::SetMutexDeadlockDetectionMode(absl::OnDeadlockCycle::kIgnore);
        if (std::getenv("GRPC_VERBOSITY") == nullptr) {
            gpr_set_log_function([](gpr_log_func_args*) {});
        }
        return true;
    }();
    (void)is_set_up;
}

}  // namespace cgrpc
