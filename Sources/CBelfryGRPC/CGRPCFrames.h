// Reads the frames that a connection receives: enough of HTTP/2 to recognize an attack.

#ifndef CGRPC_FRAMES_H
#define CGRPC_FRAMES_H

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>

namespace cgrpc {

/// So many events at once, and so many each second. Any thread may count.
class Rate {
   public:
    constexpr Rate(int64_t burst, int64_t per_second)
        : interval_(kSecond / per_second), most_(burst * interval_) {}

    /// Counts an event at an instant, in nanoseconds. False when there were too many.
    bool Count(int64_t now) {
        int64_t free = free_at_.load(std::memory_order_relaxed), next;
        do {
            // What is refused does not count, so that a flood does not outlive its end.
            next = std::max(free, now) + interval_;
            if (next - now > most_) return false;
        } while (!free_at_.compare_exchange_weak(free, next, std::memory_order_relaxed));
        return true;
    }

    /// Whether at most a part of what may happen at once has happened.
    bool IsBelow(int64_t part, int64_t now) const {
        return free_at_.load(std::memory_order_relaxed) - now <= most_ / part;
    }

    /// Counts three quarters of what may happen at once. Before the first event.
    void BeginSpent(int64_t now) { free_at_ = now + most_ / 4 * 3; }

   private:
    static constexpr int64_t kSecond = 1'000'000'000;
    const int64_t interval_;  // Between two events, in nanoseconds.
    const int64_t most_;
    std::atomic<int64_t> free_at_{0};  // When nothing is left of the events that were counted.
};

/// What all connections have together: the bytes of their unfinished messages, and their resets.
struct Unfinished {
    std::atomic<size_t> bytes{0};
    size_t limit = 0;
    /// A call that is reset at once costs some ten microseconds: a tenth of a processor's time.
    Rate resets{5'000, 2'500};
};

/// Reads the frames of one connection and reports when the connection asks for endless work.
///
/// gRPC 1.51 does not limit the work that frames without content cause. A call that is reset at
/// once frees its place for the next call, but stays in memory until a thread handles it; and while
/// one connection sends such frames, the thread that reads this connection reads no other
/// connection. So each of these frames has a price, which is paid from an allowance that grows with
/// time. gRPC also keeps every message in memory until the message is complete, for every open
/// call. So the unfinished messages of a connection may take as much memory as the other
/// connections leave free. And it keeps 16 MiB of headers for every call until the client has
/// acknowledged the settings. So the headers of a call have a limit. Not thread-safe, except where
/// a function says so.
class FrameMeter {
   public:
    /// The allowance that can be saved up; twice as much is added each second. It pays for 320,000
    /// window updates, of which a client may send two for each call and for each message that it
    /// receives; for 80,000 frames of little data; or for 10,000 other frames.
    static constexpr int64_t kAllowance = 320'000;
    static constexpr int64_t kAllowancePerSecond = 640'000;
    static constexpr int64_t kWindowPrice = 1;
    static constexpr int64_t kDataPrice = 4;
    static constexpr int64_t kPrice = 32;
    /// The price of pings that arrive together. Some clients measure the round trip
    /// with a ping for each message that they receive, but wait for the answer before the next
    /// ping.
    static constexpr int64_t kHighPrice = 256;
    /// The part that a new connection has already spent, so that a client that is disconnected and
    /// reconnects at once gains less.
    static constexpr int64_t kSpentAtFirst = kAllowance * 3 / 4;
    /// The resets of a connection: at once more than the number of calls that a client can cancel.
    static constexpr int64_t kResets = 1'250;
    static constexpr int64_t kResetsPerSecond = 250;
    /// While all connections together reset too much, one may go on that has spent no more than
    /// this part of its own, or has reset few calls.
    static constexpr int64_t kSmallPart = 8;
    static constexpr int kFewResets = 16;
    /// A data frame with fewer bytes counts as empty, unless it ends its stream.
    static constexpr size_t kSmallData = 64;
    /// Until the client has acknowledged the settings, gRPC does not limit the number of calls.
    static constexpr int kCallsBeforeSettings = 256;
    /// The bytes of a call's headers, as they are sent: eight times what a call may have.
    static constexpr size_t kMostHeaders = 64 * 1024;
    /// The bytes of unfinished messages that every connection may have.
    static constexpr size_t kLeastUnfinished = 64 * 1024;
    /// The memory that an unfinished message takes beside its bytes.
    static constexpr size_t kUnfinishedOverhead = 512;

    explicit FrameMeter(Unfinished& unfinished);
    ~FrameMeter() { Release(held_); }
    FrameMeter(const FrameMeter&) = delete;
    FrameMeter& operator=(const FrameMeter&) = delete;

    /// Reads the next received bytes. False, now and from then on, when they are an attack.
    bool Take(const uint8_t* bytes, size_t count);

   private:
    enum Kind : uint8_t {
        kData = 0,
        kHeaders = 1,
        kReset = 3,
        kSettings = 4,
        kPing = 6,
        kWindow = 8,
        kContinuation = 9
    };
    static constexpr uint8_t kEndStream = 0x1;
    static constexpr uint8_t kAcknowledged = 0x1;
    static constexpr size_t kPrefaceSize = 24;
    static constexpr size_t kHeaderSize = 9;
    static constexpr size_t kPrefixSize = 5;

    /// A message that has arrived in part.
    struct Part {
        size_t prefix = 0;     // The bytes that have arrived of its length prefix.
        uint32_t missing = 0;  // The bytes of the message that have not arrived yet.
        size_t held = kUnfinishedOverhead;
    };

    bool Begin();
    bool BeginData();
    bool BeginHeaders(size_t before);
    void Fill(Part& part, const uint8_t* bytes, size_t count);
    void EndOfData();
    void Forget(uint32_t stream);
    void Hold(size_t bytes);
    void Release(size_t bytes);
    bool Spend(int64_t price);
    bool Reset();
    bool HoldsTooMuch() const;

    Unfinished& unfinished_;
    uint8_t header_[kHeaderSize];
    size_t header_filled_ = 0;
    size_t left_ = kPrefaceSize;  // Of the payload, or of the client's preface.
    uint32_t stream_ = 0;
    size_t headers_ = 0;  // The bytes of the last headers, up to the end of this frame.
    bool is_followed_ = false;  // The payload belongs to a message of several frames.
    bool is_attack_ = false;
    bool has_settings_ = false;
    bool has_pinged_ = false;  // In the bytes that were received last.
    int early_calls_ = 0;
    int reset_count_ = 0;
    Rate resets_{kResets, kResetsPerSecond};
    int64_t spent_ = kSpentAtFirst;
    int64_t settled_at_;  // In nanoseconds, when `spent_` was last lowered.
    size_t held_ = 0;
    std::unordered_map<uint32_t, Part> parts_;
};

/// The meter of one connection, for the threads that receive from it in turn.
class ConnectionMeter {
   public:
    explicit ConnectionMeter(std::shared_ptr<Unfinished> unfinished)
        : unfinished_(std::move(unfinished)), meter_(*unfinished_) {}
    ~ConnectionMeter() { order_.load(std::memory_order_acquire); }

    /// Reads the next received bytes, decrypted ones of TLS. False, now and from then on, when the
    /// connection has to end.
    bool Take(const void* bytes, size_t count);

   private:
    const std::shared_ptr<Unfinished> unfinished_;
    FrameMeter meter_;
    /// gRPC lets one thread at a time receive from a connection, but orders the threads by locks
    /// that the thread sanitizer cannot see. The loads and the store of `order_` show the sanitizer
    /// the order of the accesses to `meter_`; its number is not used.
    std::atomic<int> order_{0};
};

}  // namespace cgrpc

#endif
