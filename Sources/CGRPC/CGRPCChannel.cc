#include "CGRPCChannel.h"

#include <grpc/grpc_security.h>

#include <memory>

#include "CGRPCClientCall.h"

namespace cgrpc {

namespace {

grpc_channel* Connect(const char* target, int32_t maximum_receive_bytes) {
    grpc_arg arguments[3];
    const auto set = [&](int index, const char* name, int value) {
        arguments[index].type = GRPC_ARG_INTEGER;
        arguments[index].key = const_cast<char*>(name);
        arguments[index].value.integer = value;
    };
    set(0, GRPC_ARG_MAX_RECEIVE_MESSAGE_LENGTH, maximum_receive_bytes);
    // A channel is a connection of its own, as its owner expects of it.
    set(1, GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    set(2, GRPC_ARG_ENABLE_HTTP_PROXY, 0);
    const grpc_channel_args all{3, arguments};
    grpc_channel_credentials* credentials = grpc_insecure_credentials_create();
    grpc_channel* channel = grpc_channel_create(target, credentials, &all);
    grpc_channel_credentials_release(credentials);
    return channel;
}

grpc_completion_queue* MakeQueue() {
    grpc_init();  // Undone at the end of ~Channel.
    return grpc_completion_queue_create_for_next(nullptr);
}

}  // namespace

/// Follows the state of a connection until it is ready or the time is over.
class ConnectionWait final : public Completion {
   public:
    ConnectionWait(Channel* channel, gpr_timespec deadline, void* context,
                   void (*done)(void*, bool))
        : channel_(channel), deadline_(deadline), context_(context), done_(done) {}

    void Watch() {
        const grpc_connectivity_state state =
            grpc_channel_check_connectivity_state(channel_->core(), 1);
        if (state == GRPC_CHANNEL_READY) return End(true);
        grpc_channel_watch_connectivity_state(channel_->core(), state, deadline_,
                                              channel_->queue(), static_cast<Completion*>(this));
    }

    void Complete(bool changed) override {
        {
            std::lock_guard<std::mutex> lock(channel_->mutex_);
            if (channel_->closing_) changed = false;
        }
        changed ? Watch() : End(false);
    }

   private:
    void End(bool ready) {
        const std::unique_ptr<ConnectionWait> self(this);
        done_(context_, ready);
        std::lock_guard<std::mutex> lock(channel_->mutex_);
        if (--channel_->waits_ == 0) channel_->is_idle_.notify_all();
    }

    Channel* const channel_;
    const gpr_timespec deadline_;
    void* const context_;
    void (*const done_)(void*, bool);
};

gpr_timespec DeadlineIn(int64_t nanoseconds) {
    if (nanoseconds == INT64_MAX) return gpr_inf_future(GPR_CLOCK_MONOTONIC);
    return gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                        gpr_time_from_nanos(nanoseconds, GPR_TIMESPAN));
}

Channel::Channel(const char* target, int32_t maximum_receive_bytes)
    : queue_(MakeQueue()),
      channel_(Connect(target, maximum_receive_bytes)),
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
    {
        std::lock_guard<std::mutex> lock(mutex_);
        ++waits_;
    }
    (new ConnectionWait(this, DeadlineIn(nanoseconds), context, done))->Watch();
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
        static_cast<Completion*>(event.tag)->Complete(event.success != 0);
    }
}

}  // namespace cgrpc
