#include "CGRPCChannel.h"

#include <grpc/grpc_security.h>

#include <memory>

#include "CGRPCClientCall.h"
#include "CGRPCLibraries.h"

namespace cgrpc {

namespace {

grpc_channel_credentials* Credentials(const cgrpc_client_tls* tls) {
    if (tls == nullptr) return grpc_insecure_credentials_create();
    grpc_ssl_pem_key_cert_pair pair{tls->key, tls->certificates};
    const bool is_shown = tls->key != nullptr && tls->certificates != nullptr;
    return grpc_ssl_credentials_create_ex(tls->roots, is_shown ? &pair : nullptr, nullptr, nullptr);
}

grpc_channel* Connect(const char* target, int32_t maximum_receive_bytes,
                      const cgrpc_client_tls* tls) {
    grpc_arg arguments[5];
    const auto set = [&](int index, const char* name, int value) {
        arguments[index].type = GRPC_ARG_INTEGER;
        arguments[index].key = const_cast<char*>(name);
        arguments[index].value.integer = value;
    };
    set(0, GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, maximum_receive_bytes);
    // Each channel has a connection of its own, as the owner of the channel expects.
    set(1, GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    set(2, GRPC_ARG_ENABLE_HTTP_PROXY, 0);
    // A server on the same machine restarts in less than gRPC's first back-off of 1 s.
    set(3, GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
    set(4, GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 5'000);
    const grpc_channel_args all{5, arguments};
    grpc_channel_credentials* credentials = Credentials(tls);
    grpc_channel* channel = grpc_channel_create(target, credentials, &all);
    grpc_channel_credentials_release(credentials);
    return channel;
}

grpc_completion_queue* MakeQueue() {
    SetUpLibraries();
    grpc_init();  // Undone at the end of ~Channel.
    return grpc_completion_queue_create_for_next(nullptr);
}

}  // namespace

/// How long a wait for a connection may go on unseen after its channel closes.
constexpr int64_t kLookNanoseconds = 250'000'000;

/// A wait until the connection is ready or the time has passed.
struct ConnectionWait {
    const gpr_timespec deadline;
    void* const context;
    void (*const done)(void* context, bool ready);
};

gpr_timespec DeadlineIn(int64_t nanoseconds) {
    if (nanoseconds == INT64_MAX) return gpr_inf_future(GPR_CLOCK_MONOTONIC);
    return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                        gpr_time_from_nanos(nanoseconds, GPR_TIMESPAN));
}

Channel::Channel(const char* target, int32_t maximum_receive_bytes, const cgrpc_client_tls* tls)
    : queue_(MakeQueue()),
      channel_(Connect(target, maximum_receive_bytes, tls)),
      thread_([this] { Poll(); }) {}

Channel::~Channel() {
    {
        std::unique_lock<std::mutex> lock(mutex_);
        closing_ = true;
        for (ClientCall* call = calls_; call != nullptr; call = call->next) call->Cancel();
        is_idle_.wait(lock, [this] { return calls_ == nullptr && waits_ == 0; });
    }
    grpc_channel_destroy(channel_);
    grpc_completion_queue_shutdown(queue_);
    thread_.join();
    grpc_completion_queue_destroy(queue_);
    grpc_shutdown();
}

void Channel::Wait(int64_t nanoseconds, void* context, void (*done)(void*, bool)) {
    auto* wait = new ConnectionWait{DeadlineIn(nanoseconds), context, done};
    {
        std::lock_guard<std::mutex> lock(mutex_);
        ++waits_;
    }
    Follow(wait);
}

void Channel::Follow(ConnectionWait* wait) {
    bool is_over = gpr_time_cmp(gpr_now(GPR_CLOCK_MONOTONIC), wait->deadline) >= 0;
    {
        std::lock_guard<std::mutex> lock(mutex_);
        is_over = is_over || closing_;
    }
    const grpc_connectivity_state state = grpc_channel_check_connectivity_state(channel_, 1);
    if (!is_over && state != GRPC_CHANNEL_READY) {
        void* tag = reinterpret_cast<void*>(reinterpret_cast<uintptr_t>(wait) | kConnection);
        // gRPC cannot end a watch, and the state of a connection that nobody answers stays as it
        // is: each watch is short, so that the channel can close.
        const gpr_timespec end = gpr_time_min(wait->deadline, DeadlineIn(kLookNanoseconds));
        grpc_channel_watch_connectivity_state(channel_, state, end, queue_, tag);
        return;
    }
    wait->done(wait->context, state == GRPC_CHANNEL_READY);
    delete wait;
    std::lock_guard<std::mutex> lock(mutex_);
    if (--waits_ == 0) is_idle_.notify_all();
}

void Channel::Add(ClientCall* call) {
    std::lock_guard<std::mutex> lock(mutex_);
    call->next = calls_;
    if (calls_ != nullptr) calls_->previous = call;
    calls_ = call;
}

void Channel::Remove(ClientCall* call) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (call->next != nullptr) call->next->previous = call->previous;
    (call->previous != nullptr ? call->previous->next : calls_) = call->next;
    if (calls_ == nullptr) is_idle_.notify_all();
}

void Channel::Poll() {
    const gpr_timespec for_ever = gpr_inf_future(GPR_CLOCK_REALTIME);
    for (;;) {
        const grpc_event event = grpc_completion_queue_next(queue_, for_ever, nullptr);
        if (event.type == GRPC_QUEUE_SHUTDOWN) return;
        const auto tag = reinterpret_cast<uintptr_t>(event.tag);
        const uintptr_t kind = tag & kEventMask;
        void* const object = reinterpret_cast<void*>(tag & ~kEventMask);
        if (kind == kConnection) {
            Follow(static_cast<ConnectionWait*>(object));
        } else {
            static_cast<ClientCall*>(object)->Handle(static_cast<ClientCall::Event>(kind),
                                                     event.success != 0);
        }
    }
}

}  // namespace cgrpc
