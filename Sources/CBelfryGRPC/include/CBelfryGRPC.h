/// The boundary between Swift and gRPC C++: a server half and a client half; bytes in and out.
///
/// Handles are numbers, so that they may cross threads as values; what they name is thread-safe,
/// except where a function says otherwise. A handle is valid until it is released or destroyed.
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

/// How a call ended: gRPC's number, UTF-8 text, and the bytes of grpc-status-details-bin.
typedef struct cgrpc_status {
    int32_t code;
    cgrpc_bytes message;
    cgrpc_bytes details;
} cgrpc_status;

/// One pair of metadata. Keys are lower case; a value is binary when its key ends in "-bin".
typedef struct cgrpc_metadata {
    cgrpc_bytes key;
    cgrpc_bytes value;
} cgrpc_metadata;

typedef struct cgrpc_server { uintptr_t id; } cgrpc_server;
typedef struct cgrpc_call { uintptr_t id; } cgrpc_call;
typedef struct cgrpc_channel { uintptr_t id; } cgrpc_channel;
typedef struct cgrpc_client_call { uintptr_t id; } cgrpc_client_call;

// ---- Server ----
/// What an arriving call is, as decided by `opened`.
typedef enum cgrpc_shape {
    CGRPC_REFUSED = 0,         ///< `opened` has finished the call.
    CGRPC_UNARY = 1,           ///< One message in, then cgrpc_call_finish().
    CGRPC_SERVER_STREAM = 2,   ///< One message in, any number out.
    CGRPC_MESSAGE_STREAM = 3,  ///< Messages in as asked for by cgrpc_call_read(), any number out.
} cgrpc_shape;

typedef struct cgrpc_server_callbacks {
    /// Given to `opened` and never dereferenced by the shim. It must outlive cgrpc_server_stop().
    void *context;
    /// A call has arrived and nothing of it has been read. `path` is such as "/pkg.Service/Method".
    cgrpc_shape (*opened)(void *context, cgrpc_call call, cgrpc_bytes path);
    /// The message of a one-message call, after the client's end proved that there is exactly one;
    /// otherwise the shim answers INVALID_ARGUMENT itself and this never runs.
    void (*requested)(void *attachment, cgrpc_call call, cgrpc_bytes message);
    /// The next message of a message stream.
    void (*received)(void *attachment, cgrpc_call call, cgrpc_bytes message);
    /// The client half-closed a message stream; cgrpc_call_read() gives no more.
    void (*received_end)(void *attachment, cgrpc_call call);
    /// Flow control admitted the last cgrpc_call_send(); the next may be made.
    void (*sent)(void *attachment, cgrpc_call call);
    /// The last callback of a stream, once for each server stream that was given its message and
    /// for each message stream. `cancelled` says that the client did not get a status from us.
    void (*ended)(void *attachment, cgrpc_call call, bool cancelled);
} cgrpc_server_callbacks;

/// Sizes in bytes, times in milliseconds. A time of 0 leaves that feature off.
typedef struct cgrpc_server_options {
    int32_t polling_threads;
    int32_t outstanding_requests;  ///< Calls accepted ahead, for each polling thread.
    int32_t maximum_receive_bytes;
    int32_t maximum_send_bytes;
    int32_t maximum_streams;  ///< For each connection.
    int32_t maximum_connections;  ///< To each listener; of one address as many as it leaves free.
    int64_t memory_bytes;  ///< gRPC's buffers for all connections together.
    int32_t keepalive_time;
    int32_t keepalive_timeout;
    int32_t minimum_ping_interval;
    int32_t connection_age;
    int32_t connection_age_grace;
    int32_t connection_idle;
} cgrpc_server_options;

/// Makes a server that neither listens nor runs. Ownership: end it with cgrpc_server_destroy().
/// Errors: id 0 when gRPC or the system refuses.
cgrpc_server cgrpc_server_create(const cgrpc_server_options *options,
                                 const cgrpc_server_callbacks *callbacks);

/// Binds and listens on a unix socket, before the start; connections wait until then.
/// A lock file `<path>.lock` is held, so that a socket in use is refused and a stale one replaced.
/// Only processes of this user are accepted. Errors: false, and `error` holds one line of text.
bool cgrpc_server_listen_unix(cgrpc_server server, const char *path, char *error,
                              size_t error_capacity);

/// Binds and listens on a TCP port, before the start. `port` 0 takes a free one and is set to it.
/// Errors: as above.
bool cgrpc_server_listen_tcp(cgrpc_server server, const char *host, uint16_t *port, char *error,
                             size_t error_capacity);

/// Starts accepting and polling. Callbacks may run before it returns. At most once.
void cgrpc_server_start(cgrpc_server server);

/// Stops: no new connection or call, streams end with UNAVAILABLE, other calls may finish until
/// `nanoseconds` have passed and are then cancelled. Sockets are removed if still ours.
/// Threading: blocks; not from a callback; at most once. No callback runs after it returns.
void cgrpc_server_stop(cgrpc_server server, int64_t nanoseconds);

/// Frees a server that was stopped or never started.
void cgrpc_server_destroy(cgrpc_server server);

// ---- A call on the server. A callback borrows its call; cgrpc_call_retain() keeps it longer. ----
void cgrpc_call_retain(cgrpc_call call);
void cgrpc_call_release(cgrpc_call call);

/// Sets what the callbacks of this call are given. Threading: only from a callback of this call.
void cgrpc_call_attach(cgrpc_call call, void *attachment);

/// The path that `opened` was given. Borrowed until the release.
cgrpc_bytes cgrpc_call_path(cgrpc_call call);

/// Gives nanoseconds until the deadline, negative when it has passed, INT64_MAX without one.
int64_t cgrpc_call_remaining(cgrpc_call call);

/// Whether the client cancelled, left or ran into its deadline, as far as is known.
bool cgrpc_call_is_cancelled(cgrpc_call call);

/// Runs `body` once with the first value for `key`, on this thread; not if there is none or the
/// call is over. `body` must only copy, since the call is locked.
void cgrpc_call_metadata(cgrpc_call call, cgrpc_bytes key, void *context,
                         void (*body)(void *context, cgrpc_bytes value));

/// The peer as gRPC names it ("unix:", "ipv4:127.0.0.1:1234"). Borrowed until the release.
cgrpc_bytes cgrpc_call_peer(cgrpc_call call);

/// Numbers the connection, for as long as the call is not released; 0 when first asked too late.
uintptr_t cgrpc_call_connection(cgrpc_call call);
/// Whether a cancelled call's connection was lost, rather than the call alone. True also if another
/// connection ended at the same instant. Looks at all of them. Threading: only from `ended`.
bool cgrpc_call_is_cut(cgrpc_call call);

/// Asks for the next message of a message stream, answered by `received` or `received_end`.
/// Nothing happens while a read is outstanding, after a finish or after the end.
void cgrpc_call_read(cgrpc_call call);

/// Sends a copy of `message`, answered by `sent`. Nothing happens after a finish or after the end.
/// Errors: false, and nothing is sent, while another send is outstanding.
bool cgrpc_call_send(cgrpc_call call, cgrpc_bytes message);

/// Ends the call with an optional last `message` (null for none; never beside a failure) and
/// `status`, after an outstanding send. The first finish counts; later ones do nothing.
void cgrpc_call_finish(cgrpc_call call, const cgrpc_bytes *message, const cgrpc_status *status);

/// Ends the call at once and drops an outstanding send; `status.details` do not travel.
void cgrpc_call_abort(cgrpc_call call, const cgrpc_status *status);

// ---- Client ----
typedef struct cgrpc_client_callbacks {
    /// The answer to a read. It runs only for messages; their end is `ended`.
    void (*received)(void *context, cgrpc_bytes message);
    /// The answer to a send. After a failure `ended` follows.
    void (*sent)(void *context, bool success);
    /// The last callback, exactly once, after all messages that were asked for.
    void (*ended)(void *context, const cgrpc_status *status);
} cgrpc_client_callbacks;

/// Makes a channel to "unix:/path" or "host:port"; it connects when first used.
cgrpc_channel cgrpc_channel_create(const char *target, int32_t maximum_receive_bytes);

/// Waits for a connection; `done` runs once. Nanoseconds as of now.
void cgrpc_channel_wait(cgrpc_channel channel, int64_t nanoseconds, void *context,
                        void (*done)(void *context, bool ready));

/// Cancels every call, waits for the last callback, frees the channel. Not from a callback.
void cgrpc_channel_destroy(cgrpc_channel channel);

/// Starts a call. `nanoseconds` is the time it may take, INT64_MAX for ever. A unary call passes
/// its one `message` here and needs no send; otherwise null. Callbacks may run before it returns.
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
