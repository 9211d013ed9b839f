// One call on the client.

#ifndef CGRPC_CLIENT_CALL_H
#define CGRPC_CLIENT_CALL_H

#include <atomic>
#include <mutex>

#include "CGRPCChannel.h"

namespace cgrpc {

/// The caller owns a call until it releases the call; the channel owns the call until the call is
/// over. Callbacks run on the channel's thread; `mutex_` excludes operations and events from each
/// other.
class ClientCall {
   public:
    /// The batch of an event: the low bits of the event's tag. One of each kind may be outstanding.
    enum Event : uintptr_t { kStarted, kSent, kSentEnd, kRead, kStatus };

    ClientCall(Channel* channel, cgrpc_bytes path, int64_t nanoseconds,
               const cgrpc_client_callbacks& callbacks, void* context);

    void Start(const cgrpc_metadata* metadata, size_t count, const cgrpc_bytes* message);
    void Send(cgrpc_bytes message);
    void SendEnd();
    void Read();
    void Cancel();
    void Release() {
        if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
    }

    /// Handles an event on the channel's thread. The call may be deleted when this returns.
    void Handle(Event event, bool success);

    // The channel's list. Guarded by the channel's mutex.
    ClientCall* next = nullptr;
    ClientCall* previous = nullptr;

   private:
    ~ClientCall();

    void StartBatch(const grpc_op* ops, size_t count, Event event);
    void GiveMessage(const Message& message);
    void GiveStatus();

    Channel* const channel_;
    const cgrpc_client_callbacks callbacks_;
    void* const context_;
    std::atomic<int> owners_{2};

    std::mutex mutex_;
    // Below: guarded by `mutex_`.
    grpc_call* call_;      // Null when the call is over.
    int outstanding_ = 0;  // Batches that have not come back.
    bool is_unary_ = false;
    bool has_status_ = false;
    Message outgoing_;
    Message incoming_;
    grpc_metadata_array headers_;
    grpc_metadata_array trailers_;
    grpc_status_code code_ = GRPC_STATUS_UNKNOWN;
    grpc_slice text_ = grpc_empty_slice();
};

}  // namespace cgrpc

#endif
