/// The boundary between Swift and gRPC C++: a server half and a client half; bytes in and out.
///
/// Handles are numbers, so threads may pass them as values. The object of a handle is thread-safe,
/// unless a function says otherwise. A handle is valid until it is released or destroyed.
///
/// Rules for every callback. Ownership: bytes and statuses are borrowed and valid until it returns.
/// Threading: it runs on a thread of the shim; callbacks of one call never overlap, and it must not
/// block, because that thread moves the bytes of every other call. Errors: it cannot fail.

#ifndef CGRPC_H
#define CGRPC_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Borrowed memory. `base` may be null when `count` is 0.
typedef struct cgrpc_bytes {
    const void *base;
    size_t count;
} cgrpc_bytes;

/// The result of a call: gRPC's code, UTF-8 text, and the bytes of grpc-status-details-bin.
typedef struct cgrpc_status {
    int32_t code;
    cgrpc_bytes message;
    cgrpc_bytes details;
} cgrpc_status;

/// One pair of metadata. Keys are lower case; a value is binary when its key ends in "-bin".
typedef struct cgrpc_metadata { cgrpc_bytes key, value; } cgrpc_metadata;

typedef struct cgrpc_server { uintptr_t id; } cgrpc_server;
typedef struct cgrpc_call { uintptr_t id; } cgrpc_call;
typedef struct cgrpc_channel { uintptr_t id; } cgrpc_channel;
typedef struct cgrpc_client_call { uintptr_t id; } cgrpc_client_call;

// ---- Server ----
/// The shape of a new call, which `opened` returns.
typedef enum cgrpc_shape {
    CGRPC_REFUSED = 0,         ///< `opened` has finished the call.
    CGRPC_UNARY = 1,           ///< One message in, then cgrpc_call_finish().
    CGRPC_SERVER_STREAM = 2,   ///< One message in, any number out.
    CGRPC_MESSAGE_STREAM = 3,  ///< Each message in is asked for by cgrpc_call_read().
} cgrpc_shape;

typedef struct cgrpc_server_callbacks {
    /// Passed to `opened`; never dereferenced by the shim. Valid until cgrpc_server_stop() returns.
    void *context;
    /// A call has arrived and no message was read. `path` is for example "/pkg.Service/Method".
    cgrpc_shape (*opened)(void *context, cgrpc_call call, cgrpc_bytes path);
    /// The message of a one-message call, once the client's half-close proved that it sent exactly
    /// one message; otherwise the shim answers INVALID_ARGUMENT. Says if it reads metadata later.
    bool (*requested)(void *attachment, cgrpc_call call, cgrpc_bytes message);
    /// The next message of a message stream.
    void (*received)(void *attachment, cgrpc_call call, cgrpc_bytes message);
    /// The client half-closed a message stream; cgrpc_call_read() gives no more.
    void (*received_end)(void *attachment, cgrpc_call call);
    /// Flow control admitted the last cgrpc_call_send(); the next send may be made.
    void (*sent)(void *attachment, cgrpc_call call);
    /// The last callback of a stream, once for each message stream, and for each server stream
    /// whose message was delivered. `cancelled`: the client did not get a status from this server.
    void (*ended)(void *attachment, cgrpc_call call, bool cancelled);
} cgrpc_server_callbacks;

/// Sizes in bytes, times in milliseconds. A time of 0 leaves that feature off.
typedef struct cgrpc_server_options {
    int32_t polling_threads;
    int32_t outstanding_requests;  ///< Calls accepted ahead, for each polling thread.
    int32_t maximum_receive_bytes;
    int32_t maximum_send_bytes;
    int32_t maximum_streams;  ///< For each connection.
    int32_t maximum_connections;  ///< For each listener; an address: as many as it leaves free.
    int64_t memory_bytes;  ///< gRPC's buffers for all connections together.
    int32_t keepalive_time;
    int32_t keepalive_timeout;
    int32_t minimum_ping_interval;
    const char *key_pair;      ///< A PEM file of a key and its certificates; null without TLS.
    const char *client_roots;  ///< A PEM file of who signs clients' certificates; null asks none.
} cgrpc_server_options;

/// Makes a server that neither listens nor runs, to be ended with cgrpc_server_destroy(). The files
/// of its options are read again each second. Errors: id 0 when gRPC or the system refuses.
cgrpc_server cgrpc_server_create(const cgrpc_server_options *options,
                                 const cgrpc_server_callbacks *callbacks);

/// Listens on a unix socket, before the start; connections wait until then. It binds `path` under a
/// lock of `<path>.lock`, so a socket in use is refused and a stale one replaced; or takes over a
/// `descriptor` that listens, where not -1, and leaves its file. Its mode is 0600, to be changed
/// before the start. Errors: false, and `error` holds one line of text.
bool cgrpc_server_listen_unix(cgrpc_server server, const char *path, int descriptor, char *error,
                              size_t error_capacity);

/// The same on a TCP port, with TLS where `is_encrypted`. A `port` of 0 is set to a free port.
bool cgrpc_server_listen_tcp(cgrpc_server server, const char *host, uint16_t *port,
                             bool is_encrypted, char *error, size_t error_capacity);

/// Starts accepting and polling. Callbacks may run before it returns. At most once.
void cgrpc_server_start(cgrpc_server server);

/// The number of clients' open connections.
int32_t cgrpc_server_connections(cgrpc_server server);

/// Stops: no new connection or call, streams end with UNAVAILABLE, unary calls may finish until
/// `nanoseconds` have passed and are then cancelled. Sockets that are still ours are removed.
/// Threading: blocks; not from a callback; at most once. No callback runs after it returns.
void cgrpc_server_stop(cgrpc_server server, int64_t nanoseconds);

/// Frees a server that was stopped or never started.
void cgrpc_server_destroy(cgrpc_server server);

// ---- A call on the server. A callback borrows its call; cgrpc_call_retain() keeps it longer. ----
void cgrpc_call_retain(cgrpc_call call);
void cgrpc_call_release(cgrpc_call call);

/// Sets the `attachment` of this call's callbacks. Threading: only from a callback of this call.
void cgrpc_call_attach(cgrpc_call call, void *attachment);
/// The path of the method, as `opened` got it. Borrowed until the release.
cgrpc_bytes cgrpc_call_path(cgrpc_call call);
/// The nanoseconds until the deadline: negative after it, INT64_MAX without a deadline.
int64_t cgrpc_call_remaining(cgrpc_call call);
/// Whether the client is known to have gone: of a unary call after a first question, or a while.
bool cgrpc_call_is_cancelled(cgrpc_call call);
/// Runs `body`, which must only copy, with each value for `key` in their order, on this thread.
/// There is none after the end of the call, or once `requested` of a server stream said false.
void cgrpc_call_metadata(cgrpc_call call, cgrpc_bytes key, void *context,
                         void (*body)(void *context, cgrpc_bytes value));

/// The peer ("unix:uid/1000" by its user, "ipv4:127.0.0.1:1234"). Borrowed until the release.
cgrpc_bytes cgrpc_call_peer(cgrpc_call call);
/// The first alternative name in the client's certificate, else its common name; empty without one
/// that `client_roots` signed. Borrowed until the release.
cgrpc_bytes cgrpc_call_certificate(cgrpc_call call);
/// The connection's number, valid until the call is released; 0 if first asked after the end.
uintptr_t cgrpc_call_connection(cgrpc_call call);
/// Whether a cancelled call's connection was lost. Also true if another connection ended shortly
/// before. Checks every connection. Threading: only from `ended`.
bool cgrpc_call_is_cut(cgrpc_call call);

/// Asks for the next message of a message stream, answered by `received` or `received_end`.
/// Nothing happens while a read is outstanding, after a finish or after the end.
void cgrpc_call_read(cgrpc_call call);
/// Sends a copy of `message`, answered by `sent`. Nothing happens after a finish or after the end.
/// Errors: false, and nothing is sent, while another send is outstanding.
bool cgrpc_call_send(cgrpc_call call, cgrpc_bytes message);
/// Ends the call with an optional last `message` (null for none; only with OK) and `status`, after
/// an outstanding send. The first finish counts; later finishes do nothing.
void cgrpc_call_finish(cgrpc_call call, const cgrpc_bytes *message, const cgrpc_status *status);
/// Keeps `object` until the call is over; at most once for each call. Threading: `release` gets it
/// on a thread of the shim, or here if the call is over.
void cgrpc_call_keep(cgrpc_call call, void *object, void (*release)(void *object));
/// Ends the call at once and drops an outstanding send; `status.details` are not sent.
void cgrpc_call_abort(cgrpc_call call, const cgrpc_status *status);

// ---- Client ----
typedef struct cgrpc_client_callbacks {
    /// The answer to a read: one message. After the last message only `ended` runs.
    void (*received)(void *context, cgrpc_bytes message);
    /// The answer to a send. After a failure `ended` follows.
    void (*sent)(void *context, bool success);
    /// The last callback, exactly once, after every message that was asked for.
    void (*ended)(void *context, const cgrpc_status *status);
} cgrpc_client_callbacks;

/// A client's TLS as PEM: whom it trusts (null: the system's), its key and certificates (or null).
typedef struct cgrpc_client_tls { const char *roots, *key, *certificates; } cgrpc_client_tls;

/// Makes a channel to "unix:/path" or "host:port", with TLS unless null; it connects when used.
cgrpc_channel cgrpc_channel_create(const char *target, int32_t maximum_receive_bytes,
                                   const cgrpc_client_tls *tls);

/// Waits for a connection, at most `nanoseconds` from now; `done` runs once.
void cgrpc_channel_wait(cgrpc_channel channel, int64_t nanoseconds, void *context,
                        void (*done)(void *context, bool ready));

/// Cancels every call, waits for the last callback, frees the channel. Not from a callback.
void cgrpc_channel_destroy(cgrpc_channel channel);
/// Starts a call. `nanoseconds` is its time limit, INT64_MAX for no limit. A unary call passes its
/// `message` here and needs no send; a stream passes null. Callbacks may run before it returns.
/// Ownership: the handle is the caller's until cgrpc_client_call_release().
cgrpc_client_call cgrpc_channel_call(cgrpc_channel channel, cgrpc_bytes path,
                                     const cgrpc_metadata *metadata, size_t metadata_count,
                                     int64_t nanoseconds, const cgrpc_bytes *message,
                                     const cgrpc_client_callbacks *callbacks, void *context);

/// At most one send and one read may be outstanding. Nothing happens after the end.
void cgrpc_client_call_send(cgrpc_client_call call, cgrpc_bytes message);
void cgrpc_client_call_send_end(cgrpc_client_call call);
void cgrpc_client_call_read(cgrpc_client_call call);
void cgrpc_client_call_cancel(cgrpc_client_call call);
void cgrpc_client_call_release(cgrpc_client_call call);

#ifdef __cplusplus
}
#endif
#endif
