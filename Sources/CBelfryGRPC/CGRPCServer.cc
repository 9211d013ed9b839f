#include "CGRPCServer.h"

#include <grpcpp/ext/health_check_service_server_builder_option.h>
#include <grpcpp/resource_quota.h>
#include <grpcpp/security/server_credentials.h>
#include <grpcpp/security/tls_certificate_provider.h>
#include <grpcpp/security/tls_credentials_options.h>
#include <pthread.h>

#include <chrono>
#include <cstdint>

#include "CGRPCFaults.h"
#include "CGRPCLibraries.h"

namespace cgrpc {

namespace {

using FromDescriptor = grpc::ServerBuilder::experimental_type::ExternalConnectionType;

/// How often gRPC looks whether the files of keys and certificates changed.
constexpr unsigned kLookSeconds = 1;

/// How many milliseconds are between two looks at the open unary calls. A call that is open at two
/// of them is watched.
constexpr int64_t kLookMilliseconds = 250;

/// TLS with the files of the options.
std::shared_ptr<grpc::ServerCredentials> Encrypted(const cgrpc_server_options& options) {
    namespace tls = grpc::experimental;
    const bool asks = options.client_roots != nullptr;
    const auto files = std::make_shared<tls::FileWatcherCertificateProvider>(
        options.key_pair, options.key_pair, asks ? options.client_roots : "", kLookSeconds);
    tls::TlsServerCredentialsOptions settings(files);
    settings.watch_identity_key_cert_pairs();
    if (asks) settings.watch_root_certs();
    // A client without a certificate may have a token instead.
    settings.set_cert_request_type(asks ? GRPC_SSL_REQUEST_CLIENT_CERTIFICATE_AND_VERIFY
                                        : GRPC_SSL_DONT_REQUEST_CLIENT_CERTIFICATE);
    return tls::TlsServerCredentials(settings);
}

}  // namespace

// ---- Queue ----

void Queue::Start(int outstanding) {
    is_idle_ = false;
    for (int i = 0; i < outstanding; ++i) RequestAnother();
    thread_ = std::thread([this] {
        pthread_setname_np(pthread_self(), "calls");
        Poll();
    });
}

void Queue::Drain() {
    {
        std::unique_lock<std::mutex> lock(mutex_);
        idle_.wait(lock, [this] { return is_idle_; });
    }
    queue_->Shutdown();
    if (thread_.joinable()) {
        thread_.join();
    } else {
        Poll();
    }
}

void Queue::RequestAnother() {
    if (server_->is_stopping()) return;
    ++alive_;
    auto* call = new Call(this, server_->maximum_send_bytes());
    if (!call->Request()) Forget();
}

void Queue::Add(Call* call) {
    call->next = calls_;
    if (calls_ != nullptr) calls_->previous = call;
    calls_ = call;
}

void Queue::Remove(Call* call) {
    if (call->next != nullptr) call->next->previous = call->previous;
    (call->previous != nullptr ? call->previous->next : calls_) = call->next;
}

void Queue::LookSoon() {
    if (IsPlanted("open-calls-not-watched") || std::exchange(looks_, true)) return;
    look_at_ = gpr_time_add(gpr_now(GPR_CLOCK_MONOTONIC),
                            gpr_time_from_millis(kLookMilliseconds, GPR_TIMESPAN));
}

void Queue::Look() {
    looks_ = false;
    bool are_all_watched = true;
    for (Call* call = calls_; call != nullptr; call = call->next) {
        are_all_watched &= call->WatchIfItLasts();
    }
    if (!are_all_watched) LookSoon();
}

void Queue::Poll() {
    const gpr_timespec for_ever = gpr_inf_future(GPR_CLOCK_MONOTONIC);
    bool ended_streams = false;
    for (;;) {
        const grpc_event event =
            grpc_completion_queue_next(core(), looks_ ? look_at_ : for_ever, nullptr);
        if (event.type == GRPC_QUEUE_SHUTDOWN) return;
        if (looks_ && gpr_time_cmp(gpr_now(GPR_CLOCK_MONOTONIC), look_at_) >= 0) Look();
        if (event.type == GRPC_QUEUE_TIMEOUT) continue;
        const auto tag = reinterpret_cast<uintptr_t>(event.tag);
        auto* call = reinterpret_cast<Call*>(tag & ~Call::kEventMask);
        call->Handle(static_cast<Call::Event>(tag & Call::kEventMask), event.success != 0);
        if (!server_->is_stopping()) continue;
        // The server's shutdown returns every requested call, which wakes this thread for the stop.
        if (!ended_streams) {
            ended_streams = true;
            for (Call* open = calls_; open != nullptr; open = open->next) open->EndForStop();
        }
        if (alive_ == 0) {
            std::lock_guard<std::mutex> lock(mutex_);
            is_idle_ = true;
            idle_.notify_one();
        }
    }
}

// ---- Server ----

Server::Server(const cgrpc_server_options& options, const cgrpc_server_callbacks& callbacks)
    : options_(options),
      callbacks_(callbacks),
      // Half of the memory of gRPC; the other half is for sent messages and gRPC's own state.
      acceptor_(static_cast<size_t>(options.maximum_connections),
                options.memory_bytes == 0 ? SIZE_MAX
                                          : static_cast<size_t>(options.memory_bytes) / 2) {
    SetUpLibraries();
    grpc::ServerBuilder builder;
    SetArguments(builder);
    // The built-in health service would add two threads and answer without the router.
    builder.SetOption(std::make_unique<grpc::HealthCheckServiceServerBuilderOption>(nullptr));
    builder.RegisterAsyncGenericService(&service_);
    acceptor_.HandOverTo(builder.experimental().AddExternalConnectionAcceptor(
        FromDescriptor::FROM_FD, grpc::InsecureServerCredentials()));
    if (options.key_pair != nullptr) {
        acceptor_.HandOverEncryptedTo(builder.experimental().AddExternalConnectionAcceptor(
            FromDescriptor::FROM_FD, Encrypted(options)));
    }
    for (int i = 0; i < options_.polling_threads; ++i) {
        queues_.push_back(std::make_unique<Queue>(this, builder.AddCompletionQueue()));
    }
    server_ = builder.BuildAndStart();
}

void Server::SetArguments(grpc::ServerBuilder& builder) const {
    const auto set = [&](const char* name, int value) { builder.AddChannelArgument(name, value); };
    builder.SetMaxReceiveMessageSize(options_.maximum_receive_bytes);
    set(GRPC_ARG_MAX_CONCURRENT_STREAMS, options_.maximum_streams);
    set(GRPC_ARG_MAX_METADATA_SIZE, Call::kMaximumMetadataBytes);
    set(GRPC_ARG_ALLOW_REUSEPORT, 0);
    set(GRPC_ARG_ENABLE_CHANNELZ, 0);
    set(GRPC_ARG_SERVER_HANDSHAKE_TIMEOUT_MS, 10'000);
    // gRPC would inflate a compressed message, to any size, before it checks the size. Without the
    // filter for decompression no message is inflated, and a compressed call is UNIMPLEMENTED.
    if (!IsPlanted("compressed-accepted")) {
        set(GRPC_ARG_ENABLE_PER_MESSAGE_DECOMPRESSION, 0);
        set(GRPC_COMPRESSION_CHANNEL_ENABLED_ALGORITHMS_BITSET, 1 << GRPC_COMPRESS_NONE);
    }
    // Without these a stream may buffer 4 MiB, and memory grows with the number of streams.
    set(GRPC_ARG_HTTP2_BDP_PROBE, 0);
    set(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 64 * 1024);
    set(GRPC_ARG_HTTP2_MAX_PINGS_WITHOUT_DATA, 0);
    set(GRPC_ARG_HTTP2_MAX_PING_STRIKES, 2);
    const auto set_time = [&](const char* name, int value) {
        if (value != 0) set(name, value);
    };
    if (options_.keepalive_time != 0) {
        set(GRPC_ARG_KEEPALIVE_TIME_MS, options_.keepalive_time);
        set(GRPC_ARG_KEEPALIVE_PERMIT_WITHOUT_CALLS, 1);
    }
    set_time(GRPC_ARG_KEEPALIVE_TIMEOUT_MS, options_.keepalive_timeout);
    set_time(GRPC_ARG_HTTP2_MIN_RECV_PING_INTERVAL_WITHOUT_DATA_MS,
             options_.minimum_ping_interval);
    if (options_.memory_bytes != 0) {
        grpc::ResourceQuota quota("cgrpc");
        quota.Resize(static_cast<size_t>(options_.memory_bytes));
        builder.SetResourceQuota(quota);
    }
}

void Server::Start() {
    for (auto& queue : queues_) queue->Start(options_.outstanding_requests);
    acceptor_.Start();
}

void Server::Stop(int64_t nanoseconds) {
    // A connection that is handed over after the shutdown would hang, so accepting stops first.
    acceptor_.Stop();
    if (server_ == nullptr) return;
    stopping_.store(true, std::memory_order_release);
    server_->Shutdown(std::chrono::system_clock::now() + std::chrono::nanoseconds(nanoseconds));
    for (auto& queue : queues_) queue->Drain();
    server_.reset();
    queues_.clear();
}

}  // namespace cgrpc
