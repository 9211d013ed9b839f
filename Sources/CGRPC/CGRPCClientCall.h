// One call on the client.

#ifndef CGRPC_CLIENT_CALL_H
#define CGRPC_CLIENT_CALL_H

#include <atomic>
#include <mutex>

#include "CGRPCChannel.h"

namespace cgrpc {

/// Owned by its caller until released and by the channel until it is over. Callbacks run on the
/// channel's thread; `mutex_` makes operations and events exclusive.
class ClientCall {
   public:
    ClientCall(Channel* channel, cgrpc_bytes path, int64_t nanoseconds,
               const cgrpc_client_callbacks& callbacks, void* context);

    void Start(const cgrpc_metadata* metadata, size_t count, const cgrpc_bytes* message);
    void Send(cgrpc_bytes message);
    void SendEnd();
    void Read();
    void Cancel();
    void Release() {
        if (owners_.fetch_sub(1, std::memory_order_acq_rel) == 1) delete this;
    }

    // The channel's list. Guarded by the channel's mutex.
    ClientCall* next = nullptr;
    ClientCall* previous = nullptr;

   private:
    /// One kind of batch; at most one of each is outstanding.
    class Step final : public Completion {
       public:
        using Handler = void (ClientCall::*)(bool success);
        Step(ClientCall* call, Handler handler) : call_(call), handler_(handler) {}
        void Complete(bool success) override { call_->Handle(handler_, success); }

       private:
        ClientCall* const call_;
        const Handler handler_;
    };

    ~ClientCall();

    void Handle(Step::Handler handler, bool success);
    void StartBatch(const grpc_op* ops, size_t count, Step* step);
    void End();

    void OnStarted(bool) {}
    void OnSentEnd(bool) {}
    void OnSent(bool success);
    void OnRead(bool success);
    void OnStatus(bool success);

    Channel* const channel_;
    const cgrpc_client_callbacks callbacks_;
    void* const context_;
    std::atomic<int> owners_{2};
    bool is_unary_ = false;  // Set before the first event.

    Step started_{this, &ClientCall::OnStarted};
    Step sent_{this, &ClientCall::OnSent};
    Step sent_end_{this, &ClientCall::OnSentEnd};
    Step read_{this, &ClientCall::OnRead};
    Step status_arrived_{this, &ClientCall::OnStatus};

    std::mutex mutex_;
    // Below: guarded by `mutex_`.
    grpc_call* call_;      // Null when the call is over.
    int outstanding_ = 0;  // Batches that have not come back.
    bool has_status_ = false;
    Message outgoing_;
    Message incoming_;
    grpc_metadata_array headers_;
    grpc_metadata_array trailers_;
    grpc_status_code code_ = GRPC_STATUS_UNKNOWN;
    grpc_slice text_ = grpc_empty_slice();
};

}  // namespace cgrpc

#endif
