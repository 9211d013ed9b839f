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

/// What the channel's thread hands an event to. An event's tag is its `Completion`.
class Completion {
   public:
    virtual void Complete(bool success) = 0;

   protected:
    ~Completion() = default;
};

class ClientCall;

class Channel {
   public:
    Channel(const char* target, int32_t maximum_receive_bytes);
    /// Cancels every call and waits for the last callback.
    ~Channel();
    Channel(const Channel&) = delete;
    Channel& operator=(const Channel&) = delete;

    void Wait(int64_t nanoseconds, void* context, void (*done)(void* context, bool ready));

    grpc_channel* core() { return channel_; }
    grpc_completion_queue* queue() { return queue_; }

    /// Keeps the list of calls that are not over, for cancelling them.
    void Add(ClientCall* call);
    void Remove(ClientCall* call);

   private:
    void Poll();

    grpc_completion_queue* const queue_;
    grpc_channel* channel_;
    std::thread thread_;
    std::mutex mutex_;
    std::condition_variable is_idle_;
    ClientCall* calls_ = nullptr;  // Guarded by `mutex_`.
    size_t waits_ = 0;             // Connection waits that are not over. Guarded by `mutex_`.
    bool closing_ = false;         // Guarded by `mutex_`.

    friend class ConnectionWait;
};

/// A deadline so many nanoseconds from now; INT64_MAX is for ever.
gpr_timespec DeadlineIn(int64_t nanoseconds);

}  // namespace cgrpc

#endif
