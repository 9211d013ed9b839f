// Reads the frames that a connection receives: enough of HTTP/2 to recognize an attack.

#ifndef CGRPC_FRAMES_H
#define CGRPC_FRAMES_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace cgrpc {

/// Counts the bytes of unfinished messages, over all connections.
struct Unfinished {
    std::atomic<size_t> bytes{0};
    size_t limit = 0;
};

/// Reads the frames of one connection and reports when the connection asks for endless work.
///
/// gRPC 1.51 does not limit the work that frames without content cause. A call that is reset at
/// once frees its place for the next call, but stays in memory until a thread handles it; and while
/// one connection sends such frames, the thread that reads this connection reads no other
/// connection. So each of these frames has a price, which is paid from an allowance that grows with
/// time. gRPC also keeps every message in memory until the message is complete, for every open
/// call. So the unfinished messages of a connection may take as much memory as the other
/// connections leave free. Not thread-safe, except where a function says so.
class FrameMeter {
   public:
    /// The allowance that can be saved up; twice as much is added each second. It pays for 320,000
    /// window updates, of which a client may send two for each call and for each message that it
    /// receives; for 80,000 frames of little data; for 10,000 other frames; or for 1,250 resets,
    /// which is more than the number of calls that a client can cancel.
    static constexpr int64_t kAllowance = 320'000;
    static constexpr int64_t kAllowancePerSecond = 640'000;
    static constexpr int64_t kWindowPrice = 1;
    static constexpr int64_t kDataPrice = 4;
    static constexpr int64_t kPrice = 32;
    /// The price of resets, and of pings that arrive together. Some clients measure the round trip
    /// with a ping for each message that they receive, but wait for the answer before the next
    /// ping.
    static constexpr int64_t kHighPrice = 256;
    /// The part that a new connection has already spent, so that a client that is disconnected and
    /// reconnects at once gains less.
    static constexpr int64_t kSpentAtFirst = kAllowance * 3 / 4;
    /// A data frame with fewer bytes counts as empty, unless it ends its stream.
    static constexpr size_t kSmallData = 64;
    /// Until the client has acknowledged the settings, gRPC does not limit the number of calls.
    static constexpr int kCallsBeforeSettings = 256;
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
        kWindow = 8
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
    void Fill(Part& part, const uint8_t* bytes, size_t count);
    void EndOfData();
    void Forget(uint32_t stream);
    void Hold(size_t bytes);
    void Release(size_t bytes);
    bool Spend(int64_t price);
    bool HoldsTooMuch() const;

    Unfinished& unfinished_;
    uint8_t header_[kHeaderSize];
    size_t header_filled_ = 0;
    size_t left_ = kPrefaceSize;  // Of the payload, or of the client's preface.
    uint32_t stream_ = 0;
    bool is_followed_ = false;  // The payload belongs to a message of several frames.
    bool is_attack_ = false;
    bool has_settings_ = false;
    bool has_pinged_ = false;  // In the bytes that were received last.
    int early_calls_ = 0;
    int64_t spent_ = kSpentAtFirst;
    int64_t settled_at_;  // In nanoseconds, when `spent_` was last lowered.
    size_t held_ = 0;
    std::unordered_map<uint32_t, Part> parts_;
};

}  // namespace cgrpc

#endif
