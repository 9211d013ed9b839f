#include "CGRPCClientCall.h"

#include <cstring>
#include <vector>

namespace cgrpc {

namespace {

/// The slices of a call's metadata, kept until the batch that sends them has been started.
class OutgoingMetadata {
   public:
    OutgoingMetadata(const cgrpc_metadata* pairs, size_t count) : all_(count) {
        for (size_t i = 0; i < count; ++i) {
            std::memset(&all_[i], 0, sizeof all_[i]);
            all_[i].key = Copy(pairs[i].key);
            all_[i].value = Copy(pairs[i].value);
        }
    }
    ~OutgoingMetadata() {
        for (grpc_metadata& pair : all_) {
            grpc_slice_unref(pair.key);
            grpc_slice_unref(pair.value);
        }
    }

    size_t count() const { return all_.size(); }
    grpc_metadata* data() { return all_.data(); }
    /// Whether gRPC accepts the metadata; otherwise gRPC refuses the whole batch.
    bool is_legal() const {
        for (const grpc_metadata& pair : all_) {
            if (!grpc_header_key_is_legal(pair.key)) return false;
            if (!grpc_is_binary_header(pair.key) &&
                !grpc_header_nonbin_value_is_legal(pair.value)) {
                return false;
            }
        }
        return true;
    }

   private:
    static grpc_slice Copy(cgrpc_bytes bytes) {
        return grpc_slice_from_copied_buffer(static_cast<const char*>(bytes.base), bytes.count);
    }

    std::vector<grpc_metadata> all_;
};

}  // namespace

ClientCall::ClientCall(Channel* channel, cgrpc_bytes path, int64_t nanoseconds,
                       const cgrpc_client_callbacks& callbacks, void* context)
    : channel_(channel), callbacks_(callbacks), context_(context) {
    OwnedSlice method(path);
    call_ = grpc_channel_create_call(channel->core(), nullptr, GRPC_PROPAGATE_DEFAULTS,
                                     channel->queue(), *method.get(), nullptr,
                                     DeadlineIn(nanoseconds), nullptr);
    grpc_metadata_array_init(&headers_);
    grpc_metadata_array_init(&trailers_);
}

ClientCall::~ClientCall() {
    grpc_metadata_array_destroy(&headers_);
    grpc_metadata_array_destroy(&trailers_);
    grpc_slice_unref(text_);
}

void ClientCall::Start(const cgrpc_metadata* metadata, size_t count, const cgrpc_bytes* message) {
    channel_->Add(this);
    OutgoingMetadata outgoing(metadata, count);
    std::lock_guard<std::mutex> lock(mutex_);
    is_unary_ = message != nullptr;
    grpc_op ops[6];
    size_t used = 0;
    grpc_op& send = ops[used++] = Op(GRPC_OP_SEND_INITIAL_METADATA);
    if (outgoing.is_legal()) {
        send.data.send_initial_metadata.count = outgoing.count();
    } else {
        grpc_call_cancel_with_status(call_, GRPC_STATUS_INVALID_ARGUMENT,
                                     "a metadata key or value has an illegal character", nullptr);
    }
    send.data.send_initial_metadata.metadata = outgoing.data();
    grpc_op& receive = ops[used++] = Op(GRPC_OP_RECV_INITIAL_METADATA);
    receive.data.recv_initial_metadata.recv_initial_metadata = &headers_;
    grpc_op status = Op(GRPC_OP_RECV_STATUS_ON_CLIENT);
    status.data.recv_status_on_client.trailing_metadata = &trailers_;
    status.data.recv_status_on_client.status = &code_;
    status.data.recv_status_on_client.status_details = &text_;
    if (!is_unary_) {
        StartBatch(ops, used, kStarted);
        StartBatch(&status, 1, kStatus);
        return;
    }
    outgoing_ = Message(*message);
    ops[used] = Op(GRPC_OP_SEND_MESSAGE);
    ops[used++].data.send_message.send_message = outgoing_.get();
    ops[used++] = Op(GRPC_OP_SEND_CLOSE_FROM_CLIENT);
    ops[used] = Op(GRPC_OP_RECV_MESSAGE);
    ops[used++].data.recv_message.recv_message = incoming_.slot();
    ops[used++] = status;
    StartBatch(ops, used, kStatus);
}

void ClientCall::Send(cgrpc_bytes bytes) {
    Message message(bytes);
    std::lock_guard<std::mutex> lock(mutex_);
    if (call_ == nullptr) return;
    outgoing_ = std::move(message);
    grpc_op op = Op(GRPC_OP_SEND_MESSAGE);
    op.data.send_message.send_message = outgoing_.get();
    StartBatch(&op, 1, kSent);
}

void ClientCall::SendEnd() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (call_ == nullptr) return;
    const grpc_op op = Op(GRPC_OP_SEND_CLOSE_FROM_CLIENT);
    StartBatch(&op, 1, kSentEnd);
}

void ClientCall::Read() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (call_ == nullptr) return;
    grpc_op op = Op(GRPC_OP_RECV_MESSAGE);
    op.data.recv_message.recv_message = incoming_.slot();
    StartBatch(&op, 1, kRead);
}

void ClientCall::Cancel() {
    std::lock_guard<std::mutex> lock(mutex_);
    if (call_ != nullptr) grpc_call_cancel(call_, nullptr);
}

void ClientCall::StartBatch(const grpc_op* ops, size_t count, Event event) {
    ++outstanding_;
    void* tag = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(this) | event);
    const grpc_call_error error = grpc_call_start_batch(call_, ops, count, tag, nullptr);
    // Every batch here is well formed, so any other result means a second send or read at once.
    if (error != GRPC_CALL_OK) abort();
}

// ---- Events, on the channel's thread ----

void ClientCall::Handle(Event event, bool success) {
    Message message;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        if (event == kStatus) {
            has_status_ = true;
            if (is_unary_ && code_ == GRPC_STATUS_OK && !incoming_.has_value()) {
                code_ = GRPC_STATUS_INTERNAL;
            }
        }
        if (event == kRead || (event == kStatus && is_unary_ && code_ == GRPC_STATUS_OK)) {
            message = std::move(incoming_);
        }
    }
    if (event == kSent) callbacks_.sent(context_, success);
    if (success && message.has_value()) GiveMessage(message);
    grpc_call* call;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        if (--outstanding_ != 0 || !has_status_) return;
        call = std::exchange(call_, nullptr);
    }
    GiveStatus();
    grpc_call_unref(call);
    channel_->Remove(this);
    Release();
}

void ClientCall::GiveMessage(const Message& message) {
    message.WithBytes([&](cgrpc_bytes bytes) { callbacks_.received(context_, bytes); });
}

void ClientCall::GiveStatus() {
    cgrpc_status status{code_, BytesOf(text_), {nullptr, 0}};
    for (size_t i = 0; i < trailers_.count; ++i) {
        const cgrpc_bytes key = BytesOf(trailers_.metadata[i].key);
        if (key.count == std::strlen(kDetailsKey) &&
            std::memcmp(key.base, kDetailsKey, key.count) == 0) {
            status.details = BytesOf(trailers_.metadata[i].value);
        }
    }
    callbacks_.ended(context_, &status);
}

}  // namespace cgrpc
