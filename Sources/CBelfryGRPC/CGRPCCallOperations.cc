// The operations that any thread may call, and the batches that they start.

#include <cstdlib>

#include "CGRPCCall.h"
#include "CGRPCFaults.h"

namespace cgrpc {

void Call::Read() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (call_ != nullptr && !reading_ && !finishing_ && !closed_) StartRead();
}

bool Call::Send(cgrpc_bytes bytes) {
    if (IsTooLarge(bytes)) {
        RefuseReply();
        return true;
    }
    Message message(bytes);
    std::lock_guard<std::mutex> lock(LockUnless("send-without-lock", mutex_));
    if (call_ == nullptr || finishing_ || closed_) return true;
    if (sending_) return false;
    grpc_op ops[2];
    size_t count = 0;
    if (!headers_sent_) ops[count++] = Op(GRPC_OP_SEND_INITIAL_METADATA);
    ops[count] = Op(GRPC_OP_SEND_MESSAGE);
    // The batch takes the slices of the message, and the rest of it goes at once.
    ops[count++].data.send_message.send_message = message.get();
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
        pending_finish_.reset(new PendingFinish{std::move(message), status.code,
                                                StringOf(status.message),
                                                StringOf(status.details)});
    } else {
        StartFinish(std::move(message), status);
    }
}

void Call::Keep(void* object, void (*release)(void*)) {
    {
        std::lock_guard<std::mutex> lock(mutex_);
        if (call_ != nullptr) {
            kept_ = object;
            release_ = release;
            return;
        }
    }
    release(object);
}

/// Refuses a message that is too large. gRPC itself would fail the batch and send the client no
/// status.
void Call::RefuseReply() {
    const std::string text("the reply is larger than the server may send");
    Finish(nullptr, StatusOf(GRPC_STATUS_RESOURCE_EXHAUSTED, text));
}

void Call::Abort(const cgrpc_status& status) {
    const std::string text = StringOf(status.message);
    std::lock_guard<std::mutex> lock(mutex_);
    if (call_ == nullptr || closed_) return;
    finishing_ = true;
    pending_finish_.reset();
    StartClose();
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
    if (message.has_value()) {
        ops[count] = Op(GRPC_OP_SEND_MESSAGE);
        ops[count++].data.send_message.send_message = message.get();
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
    // Every batch here is well formed, so any other result is an error of the shim.
    if (error != GRPC_CALL_OK) abort();
}

}  // namespace cgrpc
