// The client half: a channel with its queue and thread, and the calls on it.

#ifndef CGRPC_CHANNEL_H
#define CGRPC_CHANNEL_H

#include <grpc/grpc.h>

#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

#include "CGRPCBytes.h"

namespace cgrpc {

class ClientCall;
struct ConnectionWait;

class Channel {
   public:
    /// The low bits of an event's tag: a ClientCall::Event, or this mask for a wait for a
    /// connection.
    static constexpr uintptr_t kEventMask = 7;
    static constexpr uintptr_t kConnection = 7;

    /// `tls` is borrowed; null is a channel without TLS.
    Channel(const char* target, int32_t maximum_receive_bytes, const cgrpc_client_tls* tls);
    /// Cancels every call and waits for the last callback.
    ~Channel();
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    void Wait(int64_t nanoseconds, void* context, void (*done)(void* context, bool ready));

    grpc_channel* core() { return channel_; }
    grpc_completion_queue* queue() { return queue_; }

    /// Keeps the list of calls that are not over, so that the destructor can cancel them.
    void Add(ClientCall* call);
    void Remove(ClientCall* call);

   private:
    void Poll();
    /// Continues a wait for a connection after the state has changed or some time has passed.
    void Follow(ConnectionWait* wait);

    grpc_completion_queue* const queue_;
    grpc_channel* channel_;
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable is_idle_;
    ClientCall* calls_ = nullptr;  // Guarded by `mutex_`.
    size_t waits_ = 0;             // Connection waits that are not over. Guarded by `mutex_`.
    bool closing_ = false;         // Guarded by `mutex_`.
};

/// The deadline in `nanoseconds` from now; INT64_MAX means no deadline.
gpr_timespec DeadlineIn(int64_t nanoseconds);

}  // namespace cgrpc

#endif
