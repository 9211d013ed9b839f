#include "Subscribers.h"

#include "Messages.h"

struct Subscribers::Stream {
    enum class State { kStarting, kWriting, kReading };

    grpc::ClientContext context;
    std::unique_ptr<grpc::GenericClientAsyncReaderWriter> call;
    grpc::ByteBuffer message;
    State state = State::kStarting;
    bool has_started = false;
    uint64_t delivered = 0;
};

namespace {

constexpr auto kPatience = std::chrono::minutes(10);

std::shared_ptr<grpc::Channel> OwnChannel(const Target& target) {
    grpc::ChannelArguments arguments;
    // Not the connection of the calls: a subscriber is another program.
    arguments.SetInt(GRPC_ARG_USE_LOCAL_SUBCHANNEL_POOL, 1);
    return target.Connect(arguments);
}

}  // namespace

Subscribers::Subscribers(const Target& target, int center, int count)
    : stub_(OwnChannel(target)) {
    const std::string method = "/belfry.v1.DelegateService/Subscribe";
    const grpc::Slice slice(SubscribeMessage(center));
    for (int i = 0; i < count; ++i) {
        auto& stream = *streams_.emplace_back(std::make_unique<Stream>());
        stream.message = grpc::ByteBuffer(&slice, 1);
        target.Show(stream.context);
        stream.call = stub_.PrepareCall(&stream.context, method, &queue_);
        stream.call->StartCall(&stream);
    }
    thread_ = std::thread([this] { Follow(); });
    std::unique_lock lock(mutex_);
    const bool have = changed_.wait_for(lock, kPatience,
                                        [this] { return started_ == streams_.size(); });
    if (!have) Fail("a subscription did not begin");
}

Subscribers::~Subscribers() {
    // Each stream then ends, and the thread with the last of them.
    for (const auto& stream : streams_) stream->context.TryCancel();
    thread_.join();
    queue_.Shutdown();
}

bool Subscribers::HaveAll(uint64_t deliveries) const {
    for (const auto& stream : streams_) {
        if (stream->delivered < deliveries) return false;
    }
    return true;
}

Clock::time_point Subscribers::Wait(uint64_t deliveries) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_for(lock, kPatience, [&] { return HaveAll(deliveries); })) {
        Fail("a subscriber was not told of every delivery");
    }
    return newest_;
}

void Subscribers::Read(Stream& stream) {
    const Told told = ReadEvents(StringOf(stream.message));
    const std::lock_guard lock(mutex_);
    if (told.started && !stream.has_started) {
        stream.has_started = true;
        ++started_;
    }
    stream.delivered += told.delivered;
    newest_ = Clock::now();
    changed_.notify_all();
}

void Subscribers::Proceed(Stream& stream) {
    switch (stream.state) {
        case Stream::State::kStarting:
            stream.state = Stream::State::kWriting;
            stream.call->WriteLast(stream.message, grpc::WriteOptions(), &stream);
            break;
        case Stream::State::kReading:
            Read(stream);
            [[fallthrough]];
        case Stream::State::kWriting:
            stream.state = Stream::State::kReading;
            stream.call->Read(&stream.message, &stream);
            break;
    }
}

void Subscribers::Follow() {
    size_t open = streams_.size();
    void* tag;
    bool ok;
    while (open > 0 && queue_.Next(&tag, &ok)) {
        // A step that failed is the stream's last one.
        if (ok) {
            Proceed(*static_cast<Stream*>(tag));
        } else {
            --open;
        }
    }
}
