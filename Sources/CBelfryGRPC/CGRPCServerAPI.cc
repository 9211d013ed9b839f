// The C functions of the server half: each unwraps its handle and calls one method.

#include <cstdio>
#include <memory>

#include "CBelfryGRPC.h"
#include "CGRPCCall.h"
#include "CGRPCListener.h"
#include "CGRPCServer.h"

namespace {

cgrpc::Server* Unwrap(cgrpc_server server) { return reinterpret_cast<cgrpc::Server*>(server.id); }
cgrpc::Call* Unwrap(cgrpc_call call) { return reinterpret_cast<cgrpc::Call*>(call.id); }

/// Turns exceptions, which only the making of a listener throws, into the result of the C function.
template <typename Make>
bool Listen(cgrpc_server server, char* error, size_t capacity, Make&& make) {
    try {
        Unwrap(server)->Listen(make());
        return true;
    } catch (const cgrpc::ListenError& failure) {
        std::snprintf(error, capacity, "%s", failure.what());
        return false;
    }
}

}  // namespace

cgrpc_server cgrpc_server_create(const cgrpc_server_options* options,
                                 const cgrpc_server_callbacks* callbacks) {
    auto server = std::make_unique<cgrpc::Server>(*options, *callbacks);
    if (!server->is_usable()) return {0};
    return {reinterpret_cast<uintptr_t>(server.release())};
}

bool cgrpc_server_listen_unix(cgrpc_server server, const char* path, int descriptor, char* error,
                              size_t error_capacity) {
    return Listen(server, error, error_capacity, [&] {
        return descriptor < 0 ? cgrpc::Listener::Unix(path)
                              : cgrpc::Listener::Inherited(descriptor);
    });
}

bool cgrpc_server_listen_tcp(cgrpc_server server, const char* host, uint16_t* port,
                             bool is_encrypted, char* error, size_t error_capacity) {
    return Listen(server, error, error_capacity, [&] {
        cgrpc::Listener listener = cgrpc::Listener::Tcp(host, *port, is_encrypted);
        *port = listener.port();
        return listener;
    });
}

void cgrpc_server_start(cgrpc_server server) { Unwrap(server)->Start(); }

int32_t cgrpc_server_connections(cgrpc_server server) {
    return static_cast<int32_t>(Unwrap(server)->ConnectionCount());
}

void cgrpc_server_stop(cgrpc_server server, int64_t nanoseconds) {
    Unwrap(server)->Stop(nanoseconds);
}

void cgrpc_server_destroy(cgrpc_server server) { delete Unwrap(server); }

void cgrpc_call_retain(cgrpc_call call) { Unwrap(call)->Retain(); }

void cgrpc_call_release(cgrpc_call call) { Unwrap(call)->Release(); }

void cgrpc_call_attach(cgrpc_call call, void* attachment) { Unwrap(call)->Attach(attachment); }

cgrpc_bytes cgrpc_call_path(cgrpc_call call) { return Unwrap(call)->Path(); }

int64_t cgrpc_call_remaining(cgrpc_call call) { return Unwrap(call)->Remaining(); }

bool cgrpc_call_is_cancelled(cgrpc_call call) { return Unwrap(call)->IsCancelled(); }

void cgrpc_call_metadata(cgrpc_call call, cgrpc_bytes key, void* context,
                         void (*body)(void* context, cgrpc_bytes value)) {
    Unwrap(call)->WithMetadata(key, [&](cgrpc_bytes value) { body(context, value); });
}

cgrpc_bytes cgrpc_call_peer(cgrpc_call call) { return Unwrap(call)->Peer(); }

cgrpc_bytes cgrpc_call_certificate(cgrpc_call call) { return Unwrap(call)->Certificate(); }

uintptr_t cgrpc_call_connection(cgrpc_call call) { return Unwrap(call)->Connection(); }

bool cgrpc_call_is_cut(cgrpc_call call) { return Unwrap(call)->IsCut(); }

void cgrpc_call_read(cgrpc_call call) { Unwrap(call)->Read(); }

bool cgrpc_call_send(cgrpc_call call, cgrpc_bytes message) { return Unwrap(call)->Send(message); }

void cgrpc_call_finish(cgrpc_call call, const cgrpc_bytes* message, const cgrpc_status* status) {
    Unwrap(call)->Finish(message, *status);
}

void cgrpc_call_keep(cgrpc_call call, void* object, void (*release)(void* object)) {
    Unwrap(call)->Keep(object, release);
}

void cgrpc_call_abort(cgrpc_call call, const cgrpc_status* status) {
    Unwrap(call)->Abort(*status);
}
