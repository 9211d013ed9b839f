#include "CGRPCCall.h"

#include <grpc/support/alloc.h>
#include <grpc/support/time.h>

#include <cstring>

#include "CGRPCFaults.h"
#include "CGRPCServer.h"

namespace cgrpc {

Call::~Call() {
    if (peer_ != nullptr) gpr_free(peer_);
    if (connection_ != nullptr) grpc_auth_context_release(connection_);
    grpc_call_details_destroy(&details_);
    grpc_metadata_array_destroy(&metadata_);
}

bool Call::Request() {
    grpc_call_details_init(&details_);
    grpc_metadata_array_init(&metadata_);
    grpc_completion_queue* queue = queue_->core();
    void* tag = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(this) | kRequested);
    if (grpc_server_request_call(queue_->server().core(), &call_, &details_, &metadata_, queue,
                                 queue, tag) == GRPC_CALL_OK) {
        return true;
    }
    Release();
    return false;
}

// ---- Events, on the polling thread ----

void Call::Handle(Event event, bool success) {
    switch (event) {
        case kRequested:
            if (!success) {
                queue_->Forget();
                return Release();
            }
            queue_->Add(this);
            Opened();
            EndIfOver();
            return;
        case kRead:
            MessageRead(success);
            break;
        case kSent: {
            bool tell;
            {
                std::lock_guard<std::mutex> lock(mutex_);
                --outstanding_;
                sending_ = false;
                if (const auto finish = std::move(pending_finish_)) {
                    StartFinish(std::move(finish->message),
                                {finish->code, BytesOf(finish->text), BytesOf(finish->details)});
                }
                tell = success && !finishing_;
            }
            if (tell) queue_->server().callbacks().sent(attachment_, handle());
            break;
        }
        case kClosed: {
            std::lock_guard<std::mutex> lock(mutex_);
            --outstanding_;
            closed_ = true;
            cancelled_.store(cancelled_result_ != 0, std::memory_order_release);
            break;
        }
        case kFinished: {
            std::lock_guard<std::mutex> lock(mutex_);
            --outstanding_;
            // A finish whose batch contains the close ends the call without this event.
            break;
        }
    }
    EndIfOver();
}

void Call::Opened() {
    const cgrpc_server_callbacks& callbacks = queue_->server().callbacks();
    queue_->RequestAnother();
    if (MetadataBytes() > kMaximumMetadataBytes) {
        const std::string text("the metadata is larger than 8 KiB");
        return Finish(nullptr, StatusOf(GRPC_STATUS_RESOURCE_EXHAUSTED, text));
    }
    shape_ = callbacks.opened(callbacks.context, handle(), BytesOf(details_.method));
    std::lock_guard<std::mutex> lock(mutex_);
    switch (shape_) {
        case CGRPC_REFUSED:
            break;
        case CGRPC_SERVER_STREAM:
            StartClose();
            [[fallthrough]];
        case CGRPC_UNARY:
            StartRead();
            break;
        case CGRPC_MESSAGE_STREAM:
            handed_ = true;
            StartClose();
            break;
    }
}

void Call::MessageRead(bool success) {
    Message message;
    bool ended_well;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        --outstanding_;
        reading_ = false;
        if (finishing_) return;  // Messages after a finish are ignored.
        message = std::move(incoming_);
        // No message: the client has half-closed, or the call was cut.
        ended_well = success && grpc_call_failed_before_recv_message(call_) == 0;
    }
    const cgrpc_server_callbacks& callbacks = queue_->server().callbacks();
    const bool arrived = success && message.has_value();
    if (shape_ == CGRPC_MESSAGE_STREAM) {
        if (arrived) {
            message.WithBytes([&](cgrpc_bytes bytes) {
                callbacks.received(attachment_, handle(), bytes);
            });
        } else if (ended_well) {
            callbacks.received_end(attachment_, handle());
        }
    } else if (arrived && (!request_.has_value() || IsPlanted("two-messages"))) {
        request_ = std::move(message);
        std::lock_guard<std::mutex> lock(mutex_);
        StartRead();
    } else if (arrived) {
        Refuse("the request holds more than one message");
    } else if (IsPlanted("truncated-message")) {
        if (!request_.has_value()) request_ = Message(cgrpc_bytes{nullptr, 0});
        Deliver();
    } else if (ended_well && request_.has_value()) {
        Deliver();
    } else {
        // If the message was too large or the call was cut, gRPC has already ended the call. This
        // refusal is for the other case: the request ended without one complete message.
        Refuse("the request does not hold one complete message");
    }
}

void Call::Deliver() {
    const Message request = std::move(request_);
    handed_ = shape_ == CGRPC_SERVER_STREAM;
    bool keeps_metadata = false;
    request.WithBytes([&](cgrpc_bytes bytes) {
        keeps_metadata = queue_->server().callbacks().requested(attachment_, handle(), bytes);
    });
    if (shape_ == CGRPC_SERVER_STREAM && !keeps_metadata) {
        // Thousands of streams may be open for days.
        std::lock_guard<std::mutex> lock(mutex_);
        grpc_metadata_array_destroy(&metadata_);
        grpc_metadata_array_init(&metadata_);
    }
    if (shape_ != CGRPC_UNARY) return;
    // Most calls finish soon, with a batch that has the close in it, which saves an event.
    if (queue_->server().is_stopping()) return Watch();
    queue_->LookSoon();
}

void Call::Watch() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (call_ != nullptr) StartClose();
}

bool Call::WatchIfItLasts() {
    if (shape_ != CGRPC_UNARY) return true;
    if (std::exchange(lasts_, true)) Watch();
    std::lock_guard<std::mutex> lock(mutex_);
    return close_started_;
}

void Call::Refuse(const char* reason) {
    const std::string text(reason);
    Finish(nullptr, StatusOf(GRPC_STATUS_INVALID_ARGUMENT, text));
}

void Call::EndForStop() {
    if (shape_ != CGRPC_SERVER_STREAM && shape_ != CGRPC_MESSAGE_STREAM) return Watch();
    const std::string text("the server is stopping");
    Finish(nullptr, StatusOf(GRPC_STATUS_UNAVAILABLE, text));
}

bool Call::EndIfOver() {
    grpc_call* call;
    void* kept;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        if (!closed_ || outstanding_ != 0) return false;
        call = std::exchange(call_, nullptr);
        kept = std::exchange(kept_, nullptr);
    }
    if (kept != nullptr) release_(kept);
    if (handed_) queue_->server().callbacks().ended(attachment_, handle(), cancelled_);
    grpc_call_unref(call);
    queue_->Remove(this);
    queue_->Forget();
    Release();
    return true;
}

// ---- Facts ----

size_t Call::MetadataBytes() const {
    constexpr size_t kOverhead = 32;  // The overhead of an entry, as HTTP/2 counts it.
    size_t bytes = 0;
    for (size_t i = 0; i < metadata_.count; ++i) {
        const grpc_metadata& entry = metadata_.metadata[i];
        bytes += kOverhead + GRPC_SLICE_LENGTH(entry.key) + GRPC_SLICE_LENGTH(entry.value);
    }
    return bytes;
}

int64_t Call::Remaining() const {
    const gpr_timespec now = gpr_now(details_.deadline.clock_type);
    if (gpr_time_cmp(details_.deadline, gpr_inf_future(details_.deadline.clock_type)) == 0) {
        return INT64_MAX;
    }
    const gpr_timespec left = gpr_time_sub(details_.deadline, now);
    constexpr int64_t kNanosecondsInSecond = 1000000000;
    if (left.tv_sec >= INT64_MAX / kNanosecondsInSecond) return INT64_MAX;
    if (left.tv_sec <= INT64_MIN / kNanosecondsInSecond) return INT64_MIN;
    return left.tv_sec * kNanosecondsInSecond + left.tv_nsec;
}

bool Call::Equals(cgrpc_bytes one, cgrpc_bytes other) {
    return one.count == other.count && std::memcmp(one.base, other.base, one.count) == 0;
}

cgrpc_bytes Call::Peer() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (peer_ == nullptr && call_ != nullptr) peer_ = grpc_call_get_peer(call_);
    return {peer_, peer_ == nullptr ? 0 : std::strlen(peer_)};
}

uintptr_t Call::Connection() {
    std::lock_guard<std::mutex> lock(mutex_);
    // gRPC makes one security context for each connection and gives it to the connection's calls.
    // The name of the peer does not identify a connection: all connections over a unix socket have
    // the same name.
    if (connection_ == nullptr && call_ != nullptr) connection_ = grpc_call_auth_context(call_);
    return reinterpret_cast<uintptr_t>(connection_);
}

cgrpc_bytes Call::Certificate() {
    if (Connection() == 0) return {nullptr, 0};
    std::lock_guard<std::mutex> lock(mutex_);
    for (const char* name : {GRPC_X509_SAN_PROPERTY_NAME, GRPC_X509_CN_PROPERTY_NAME}) {
        auto properties = grpc_auth_context_find_properties_by_name(connection_, name);
        const grpc_auth_property* first = grpc_auth_property_iterator_next(&properties);
        if (first != nullptr) return {first->value, first->value_length};
    }
    return {nullptr, 0};
}

bool Call::IsCut() {
    // gRPC reports a cancelled call and a lost connection alike, and does not tell the connection
    // of a call. But gRPC keeps the descriptor of a lost connection until its calls are over, so
    // that a lost connection can be found among the connections.
    return cancelled_ && queue_->server().IsAnyConnectionEnding();
}

}  // namespace cgrpc
