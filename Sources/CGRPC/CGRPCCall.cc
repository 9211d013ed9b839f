#include "CGRPCCall.h"

#include <grpc/support/alloc.h>
#include <grpc/support/time.h>

#include <cstring>

#include "CGRPCServer.h"

namespace cgrpc {

/// A finish that waits for the outstanding send; it owns what the caller lent.
struct Call::PendingFinish {
    Message message;
    int32_t code;
    std::string text;
    std::string details;
};

namespace {

grpc_op Op(grpc_op_type type) {
    grpc_op op;
    std::memset(&op, 0, sizeof op);
    op.op = type;
    return op;
}

constexpr char kDetailsKey[] = "grpc-status-details-bin";

}  // namespace

Call::~Call() {
    delete pending_finish_;
    if (peer_ != nullptr) gpr_free(peer_);
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
            if (!success) return Release();
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
                outgoing_ = Message();
                if (PendingFinish* finish = std::exchange(pending_finish_, nullptr)) {
                    StartFinish(std::move(finish->message),
                                {finish->code, BytesOf(finish->text), BytesOf(finish->details)});
                    delete finish;
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
            // A finish that brought the close along ends the call by itself.
            break;
        }
    }
    EndIfOver();
}

void Call::Opened() {
    const cgrpc_server_callbacks& callbacks = queue_->server().callbacks();
    queue_->RequestAnother();
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
    {
        std::lock_guard<std::mutex> lock(mutex_);
        --outstanding_;
        reading_ = false;
        message = std::move(incoming_);
    }
    const cgrpc_server_callbacks& callbacks = queue_->server().callbacks();
    const bool arrived = success && message.has_value();
    if (shape_ == CGRPC_MESSAGE_STREAM) {
        if (arrived) {
            message.WithBytes([&](cgrpc_bytes bytes) {
                callbacks.received(attachment_, handle(), bytes);
            });
        } else if (success && !IsCancelled()) {
            callbacks.received_end(attachment_, handle());
        }
    } else if (arrived && !request_.has_value()) {
        request_ = std::move(message);
        std::lock_guard<std::mutex> lock(mutex_);
        StartRead();
    } else if (arrived) {
        Refuse("the request holds more than one message");
    } else if (success && request_.has_value() && !IsCancelled()) {
        Deliver();
    } else {
        // gRPC has already ended the call if a message was too large or the client left; this
        // answers the rest: a stream that ended without one complete message.
        Refuse("the request does not hold one complete message");
    }
}

void Call::Deliver() {
    const Message request = std::move(request_);
    handed_ = shape_ == CGRPC_SERVER_STREAM;
    request.WithBytes([&](cgrpc_bytes bytes) {
        queue_->server().callbacks().requested(attachment_, handle(), bytes);
    });
    if (shape_ == CGRPC_UNARY) {
        // A call that was not finished at once has to hear of a cancellation. One that was has
        // brought its close along in the same batch, which saves an event for each call.
        std::lock_guard<std::mutex> lock(mutex_);
        StartClose();
    }
}

void Call::Refuse(const char* reason) {
    const std::string text(reason);
    Finish(nullptr, StatusOf(GRPC_STATUS_INVALID_ARGUMENT, text));
}

void Call::EndForStop() {
    if (shape_ != CGRPC_SERVER_STREAM && shape_ != CGRPC_MESSAGE_STREAM) return;
    const std::string text("the server is stopping");
    Finish(nullptr, StatusOf(GRPC_STATUS_UNAVAILABLE, text));
}

bool Call::EndIfOver() {
    grpc_call* call;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        if (!closed_ || outstanding_ != 0) return false;
        call = std::exchange(call_, nullptr);
    }
    if (handed_) queue_->server().callbacks().ended(attachment_, handle(), IsCancelled());
    grpc_call_unref(call);
    queue_->Remove(this);
    Release();
    return true;
}

// ---- Operations, on any thread ----

void Call::Read() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (call_ != nullptr && !reading_ && !closed_) StartRead();
}

bool Call::Send(cgrpc_bytes bytes) {
    if (IsTooLarge(bytes)) {
        RefuseReply();
        return true;
    }
    Message message(bytes);
    std::lock_guard<std::mutex> lock(mutex_);
    if (call_ == nullptr || finishing_ || closed_) return true;
    if (sending_) return false;
    outgoing_ = std::move(message);
    grpc_op ops[2];
    size_t count = 0;
    if (!headers_sent_) ops[count++] = Op(GRPC_OP_SEND_INITIAL_METADATA);
    ops[count] = Op(GRPC_OP_SEND_MESSAGE);
    ops[count++].data.send_message.send_message = outgoing_.get();
    headers_sent_ = true;
    sending_ = true;
    Start(ops, count, kSent);
    return true;
}

void Call::Finish(const cgrpc_bytes* bytes, const cgrpc_status& status) {
    if (bytes != nullptr && IsTooLarge(*bytes)) return RefuseReply();
    Message message;
    if (bytes != nullptr) message = Message(*bytes);
    std::lock_guard<std::mutex> lock(mutex_);
    if (call_ == nullptr || finishing_ || closed_) return;
    finishing_ = true;
    if (sending_) {
        pending_finish_ = new PendingFinish{std::move(message), status.code,
                                            StringOf(status.message), StringOf(status.details)};
    } else {
        StartFinish(std::move(message), status);
    }
}

bool Call::IsTooLarge(cgrpc_bytes message) const {
    return message.count > queue_->server().maximum_send_bytes();
}

/// Given such a message gRPC fails the batch and leaves the client without a status.
void Call::RefuseReply() {
    const std::string text("the reply is larger than the server may send");
    Finish(nullptr, StatusOf(GRPC_STATUS_RESOURCE_EXHAUSTED, text));
}

void Call::Abort(const cgrpc_status& status) {
    const std::string text = StringOf(status.message);
    std::lock_guard<std::mutex> lock(mutex_);
    if (call_ == nullptr || closed_) return;
    finishing_ = true;
    delete std::exchange(pending_finish_, nullptr);
    grpc_call_cancel_with_status(call_, static_cast<grpc_status_code>(status.code), text.c_str(),
                                 nullptr);
}

void Call::StartRead() {
    grpc_op op = Op(GRPC_OP_RECV_MESSAGE);
    op.data.recv_message.recv_message = incoming_.slot();
    reading_ = true;
    Start(&op, 1, kRead);
}

void Call::StartClose() {
    if (close_started_) return;
    close_started_ = true;
    grpc_op op = Op(GRPC_OP_RECV_CLOSE_ON_SERVER);
    op.data.recv_close_on_server.cancelled = &cancelled_result_;
    Start(&op, 1, kClosed);
}

void Call::StartFinish(Message message, const cgrpc_status& status) {
    grpc_op ops[4];
    size_t count = 0;
    if (!headers_sent_) ops[count++] = Op(GRPC_OP_SEND_INITIAL_METADATA);
    headers_sent_ = true;
    outgoing_ = std::move(message);
    if (outgoing_.has_value()) {
        ops[count] = Op(GRPC_OP_SEND_MESSAGE);
        ops[count++].data.send_message.send_message = outgoing_.get();
    }
    OwnedSlice text(status.message);
    OwnedSlice details(status.details);
    grpc_metadata trailer;
    std::memset(&trailer, 0, sizeof trailer);
    trailer.key = grpc_slice_from_static_string(kDetailsKey);
    trailer.value = *details.get();
    grpc_op& end = ops[count++] = Op(GRPC_OP_SEND_STATUS_FROM_SERVER);
    end.data.send_status_from_server.status = static_cast<grpc_status_code>(status.code);
    end.data.send_status_from_server.status_details =
        status.message.count == 0 ? nullptr : text.get();
    end.data.send_status_from_server.trailing_metadata_count = status.details.count == 0 ? 0 : 1;
    end.data.send_status_from_server.trailing_metadata = &trailer;
    if (close_started_) return Start(ops, count, kFinished);
    close_started_ = true;
    ops[count] = Op(GRPC_OP_RECV_CLOSE_ON_SERVER);
    ops[count++].data.recv_close_on_server.cancelled = &cancelled_result_;
    Start(ops, count, kClosed);
}

void Call::Start(const grpc_op* ops, size_t count, Event event) {
    ++outstanding_;
    void* tag = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(this) | event);
    const grpc_call_error error = grpc_call_start_batch(call_, ops, count, tag, nullptr);
    // Every batch here is well formed, so that anything else is our own mistake.
    if (error != GRPC_CALL_OK) abort();
}

// ---- Facts ----

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

const grpc_metadata* Call::Find(cgrpc_bytes key) const {
    for (size_t i = 0; i < metadata_.count; ++i) {
        const cgrpc_bytes candidate = BytesOf(metadata_.metadata[i].key);
        if (candidate.count == key.count &&
            std::memcmp(candidate.base, key.base, key.count) == 0) {
            return &metadata_.metadata[i];
        }
    }
    return nullptr;
}

cgrpc_bytes Call::Peer() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (peer_ == nullptr && call_ != nullptr) peer_ = grpc_call_get_peer(call_);
    return {peer_, peer_ == nullptr ? 0 : std::strlen(peer_)};
}

}  // namespace cgrpc
