// The C functions of the client half: each unwraps its handle and calls one method.

#include "CBelfryGRPC.h"
#include "CGRPCChannel.h"
#include "CGRPCClientCall.h"

namespace {

cgrpc::Channel* Unwrap(cgrpc_channel channel) {
    return reinterpret_cast<cgrpc::Channel*>(channel.id);
}
cgrpc::ClientCall* Unwrap(cgrpc_client_call call) {
    return reinterpret_cast<cgrpc::ClientCall*>(call.id);
}

}  // namespace

cgrpc_channel cgrpc_channel_create(const char* target, int32_t maximum_receive_bytes,
                                   const cgrpc_client_tls* tls) {
    return {reinterpret_cast<uintptr_t>(new cgrpc::Channel(target, maximum_receive_bytes, tls))};
}

void cgrpc_channel_wait(cgrpc_channel channel, int64_t nanoseconds, void* context,
                        void (*done)(void* context, bool ready)) {
    Unwrap(channel)->Wait(nanoseconds, context, done);
}

void cgrpc_channel_destroy(cgrpc_channel channel) { delete Unwrap(channel); }

cgrpc_client_call cgrpc_channel_call(cgrpc_channel channel, cgrpc_bytes path,
                                     const cgrpc_metadata* metadata, size_t metadata_count,
                                     int64_t nanoseconds, const cgrpc_bytes* message,
                                     const cgrpc_client_callbacks* callbacks, void* context) {
    auto* call =
        new cgrpc::ClientCall(Unwrap(channel), path, nanoseconds, *callbacks, context);
    call->Start(metadata, metadata_count, message);
    return {reinterpret_cast<uintptr_t>(call)};
}

void cgrpc_client_call_send(cgrpc_client_call call, cgrpc_bytes message) {
    Unwrap(call)->Send(message);
}

void cgrpc_client_call_send_end(cgrpc_client_call call) { Unwrap(call)->SendEnd(); }

void cgrpc_client_call_read(cgrpc_client_call call) { Unwrap(call)->Read(); }

void cgrpc_client_call_cancel(cgrpc_client_call call) { Unwrap(call)->Cancel(); }

void cgrpc_client_call_release(cgrpc_client_call call) { Unwrap(call)->Release(); }
