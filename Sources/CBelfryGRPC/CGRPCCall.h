// One call on the server.

#ifndef CGRPC_CALL_H
#define CGRPC_CALL_H

#include <grpc/grpc.h>
#include <grpc/grpc_security.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <string>

#include "CGRPCBytes.h"

namespace cgrpc {

class Queue;

/// One call, from asking gRPC for a call to the last event.
///
/// Every event of a call comes to the polling thread of the call's queue. Only that thread runs
/// callbacks and decides when the call is over. Any thread may send, finish, abort or read;
/// `mutex_` excludes these operations and the events from each other, so that a batch is never
/// started on a call that is over. The core's batches are used directly, because the C++ wrappers
/// keep unguarded state for each kind of operation.
class Call {
   public:
    /// The batch of an event: the low bits of the event's tag.
    enum Event : uintptr_t { kRequested, kClosed, kRead, kSent, kFinished };
    static constexpr uintptr_t kEventMask = 7;
    /// gRPC enforces this limit only once the client has acknowledged the settings. Until then one
    /// connection could fill the memory, so a call with more metadata is refused here too.
    static constexpr size_t kMaximumMetadataBytes = 8 * 1024;

    Call(Queue* queue, size_t maximum_send_bytes)
        : queue_(queue), maximum_send_bytes_(maximum_send_bytes) {}

    /// Asks gRPC for one incoming call. False, and this call is deleted, when gRPC gives no more
    /// calls.
    bool Request();

    /// Handles an event on the polling thread. The call may be deleted when this returns.
    void Handle(Event event, bool success);

    /// Ends a stream with UNAVAILABLE because the server stops. Unary calls may still finish, and
    /// are over without that once gRPC cancels them.
    void EndForStop();

    /// Watches a unary call that was looked at before, since it lasts. False where nothing tells
    /// yet when its client goes. Polling thread only.
    bool WatchIfItLasts();

    void Retain() { owners_.fetch_add(1, std::memory_order_relaxed); }
    void Release() {
        if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
    }

    void Attach(void* attachment) { attachment_ = attachment; }
    void Read();
    /// False, and nothing is sent, while another send is outstanding.
    bool Send(cgrpc_bytes message);
    void Finish(const cgrpc_bytes* message, const cgrpc_status& status);
    void Keep(void* object, void (*release)(void*));
    void Abort(const cgrpc_status& status);

    cgrpc_bytes Path() const { return BytesOf(details_.method); }
    int64_t Remaining() const;
    /// Of a unary call that began just now it is known a moment after the first question.
    bool IsCancelled() {
        Watch();
        return cancelled_.load(std::memory_order_acquire);
    }
    /// The values belong to gRPC's call and are deleted with it, so they are lent under the lock.
    template <typename Body>
    void WithMetadata(cgrpc_bytes key, Body&& body) {
        std::lock_guard<std::mutex> lock(mutex_);
        if (call_ == nullptr) return;
        for (size_t i = 0; i < metadata_.count; ++i) {
            const grpc_metadata& pair = metadata_.metadata[i];
            if (Equals(BytesOf(pair.key), key)) body(BytesOf(pair.value));
        }
    }
    cgrpc_bytes Peer();
    cgrpc_bytes Certificate();
    uintptr_t Connection();
    bool IsCut();

    cgrpc_call handle() { return {reinterpret_cast<uintptr_t>(this)}; }

    // The queue's list of calls that are not over. Used by the polling thread only.
    Call* next = nullptr;
    Call* previous = nullptr;

   private:
    /// A finish that waits for the outstanding send; it owns copies of the caller's bytes.
    struct PendingFinish {
        Message message;
        int32_t code;
        std::string text;
        std::string details;
    };

    ~Call();
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    void Opened();
    void MessageRead(bool success);
    void Deliver();
    /// Asks gRPC for the event of the close, which tells when the client goes.
    void Watch();
    bool EndIfOver();
    void Refuse(const char* reason);
    bool IsTooLarge(cgrpc_bytes message) const { return message.count > maximum_send_bytes_; }
    void RefuseReply();
    static bool Equals(cgrpc_bytes one, cgrpc_bytes other);
    size_t MetadataBytes() const;

    // The caller holds `mutex_`.
    void StartRead();
    void StartClose();
    void StartFinish(Message message, const cgrpc_status& status);
    void Start(const grpc_op* ops, size_t count, Event event);

    Queue* const queue_;  // Valid until the call is over and the server has stopped.
    const size_t maximum_send_bytes_;
    std::atomic<int> owners_{1};  // One owner is the queue, until the call is over.

    // Written by gRPC before kRequested arrives, constant afterwards; `metadata_` goes once a
    // server stream has its message.
    grpc_call_details details_;
    grpc_metadata_array metadata_;

    // Used by the polling thread only.
    cgrpc_shape shape_ = CGRPC_REFUSED;
    void* attachment_ = nullptr;
    Message request_;        // The one message of a one-message call, until it is delivered.
    bool handed_ = false;    // The application has the stream, so `ended` must run.
    bool lasts_ = false;     // The queue looked at the unary call before.

    std::atomic<bool> cancelled_{false};

    std::mutex mutex_;
    // Below: guarded by `mutex_`.
    grpc_call* call_ = nullptr;  // Null when the call is over.
    char* peer_ = nullptr;
    grpc_auth_context* connection_ = nullptr;  // One for each connection; asked for once.
    Message incoming_;      // Filled by gRPC while `reading_`.
    std::unique_ptr<PendingFinish> pending_finish_;
    int cancelled_result_ = 0;                 // Filled by gRPC before kClosed.
    int outstanding_ = 0;                      // Batches that have not come back.
    bool reading_ = false;
    bool sending_ = false;
    bool finishing_ = false;      // A finish was accepted; later ones do nothing.
    bool headers_sent_ = false;
    bool close_started_ = false;
    bool closed_ = false;
    void* kept_ = nullptr;  // Until the call is over; then `release_` gets it.
    void (*release_)(void*) = nullptr;
};

}  // namespace cgrpc

#endif
