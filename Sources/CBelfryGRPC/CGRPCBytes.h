// Conversions between the header's borrowed bytes and the types of gRPC's core: slices, byte
// buffers, operations.

#ifndef CGRPC_BYTES_H
#define CGRPC_BYTES_H

#include <grpc/byte_buffer_reader.h>
#include <grpc/grpc.h>
#include <grpc/slice.h>

#include <cstring>
#include <string>
#include <utility>

#include "CBelfryGRPC.h"

namespace cgrpc {

inline cgrpc_bytes BytesOf(const grpc_slice& slice) {
    return {GRPC_SLICE_START_PTR(slice), GRPC_SLICE_LENGTH(slice)};
}

inline cgrpc_bytes BytesOf(const std::string& text) { return {text.data(), text.size()}; }

inline std::string StringOf(cgrpc_bytes bytes) {
    return bytes.count == 0 ? std::string()
                            : std::string(static_cast<const char*>(bytes.base), bytes.count);
}

/// A status made by the shim itself.
inline cgrpc_status StatusOf(int32_t code, const std::string& message) {
    return {code, BytesOf(message), {nullptr, 0}};
}

/// The metadata that carries the details of a status.
constexpr char kDetailsKey[] = "grpc-status-details-bin";

/// An operation of a batch, with empty fields.
inline grpc_op Op(grpc_op_type type) {
    grpc_op op;
    std::memset(&op, 0, sizeof op);
    op.op = type;
    return op;
}

/// A slice that owns a copy of `bytes`.
class OwnedSlice {
   public:
    explicit OwnedSlice(cgrpc_bytes bytes)
        : slice_(bytes.count == 0
                     ? grpc_empty_slice()
                     : grpc_slice_from_copied_buffer(static_cast<const char*>(bytes.base),
                                                     bytes.count)) {}
    ~OwnedSlice() { grpc_slice_unref(slice_); }
    OwnedSlice(const OwnedSlice&) = delete;
    OwnedSlice& operator=(const OwnedSlice&) = delete;

    grpc_slice* get() { return &slice_; }

   private:
    grpc_slice slice_;
};

/// One message, in or out. Empty until a read fills it.
class Message {
   public:
    Message() = default;
    explicit Message(cgrpc_bytes bytes) {
        OwnedSlice slice(bytes);
        buffer_ = grpc_raw_byte_buffer_create(slice.get(), 1);
    }
    Message(Message&& other) noexcept : buffer_(std::exchange(other.buffer_, nullptr)) {}
    Message& operator=(Message&& other) noexcept {
        std::swap(buffer_, other.buffer_);
        return *this;
    }
    ~Message() {
        if (buffer_ != nullptr) grpc_byte_buffer_destroy(buffer_);
    }

    bool has_value() const { return buffer_ != nullptr; }
    grpc_byte_buffer* get() const { return buffer_; }
    /// The place where a read puts its message. Precondition: the message is empty.
    grpc_byte_buffer** slot() { return &buffer_; }

    /// Calls `body` with the contiguous bytes. Most messages are one slice and are not copied.
    template <typename Body>
    void WithBytes(Body&& body) const {
        const auto& raw = buffer_->data.raw;
        if (raw.compression == GRPC_COMPRESS_NONE && raw.slice_buffer.count == 1) {
            body(BytesOf(raw.slice_buffer.slices[0]));
            return;
        }
        grpc_byte_buffer_reader reader;
        if (!grpc_byte_buffer_reader_init(&reader, buffer_)) {
            body(cgrpc_bytes{nullptr, 0});
            return;
        }
        grpc_slice all = grpc_byte_buffer_reader_readall(&reader);
        body(BytesOf(all));
        grpc_slice_unref(all);
        grpc_byte_buffer_reader_destroy(&reader);
    }

   private:
    grpc_byte_buffer* buffer_ = nullptr;
};

}  // namespace cgrpc

#endif
