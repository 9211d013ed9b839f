// What a connection receives, frame by frame: enough of HTTP/2 to know an attack.

#ifndef CGRPC_FRAMES_H
#define CGRPC_FRAMES_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <unordered_map>

namespace cgrpc {

/// The bytes of all connections that belong to messages whose end has not come.
struct Unfinished {
    std::atomic<size_t> bytes{0};
    size_t limit = 0;
};

/// Follows the frames of one connection and tells when it asks for work without end.
///
/// gRPC 1.51 does not bound what frames without content make it do: a call that is reset at once
/// frees its place for the next one, and is held in memory until a thread comes to it; and while
/// one connection brings such frames the thread that reads it reads no other. Each of these frames
/// is paid for from an allowance that grows with time. gRPC also holds every message until it is
/// whole, of as many calls as there are: what a connection may leave unfinished is as much as the
/// others leave free. Not thread-safe, except where a function says so.
class FrameMeter {
   public:
    /// What may be spent at once, half of what is added each second: 320,000 windows, of which a
    /// client may send two for each call and for each message that it receives; 80,000 frames of
    /// little data; 10,000 others; or 1,250 resets, which is more than there can be calls to
    /// cancel.
    static constexpr int64_t kAllowance = 320'000;
    static constexpr int64_t kAllowancePerSecond = 640'000;
    static constexpr int64_t kWindowPrice = 1;
    static constexpr int64_t kDataPrice = 4;
    static constexpr int64_t kPrice = 32;
    /// Of resets, and of pings that come together. Some clients measure the way with a ping for
    /// each message that they receive, but wait for its answer before the next.
    static constexpr int64_t kHighPrice = 256;
    /// What a new connection has spent: who is sent away and comes again at once gains less.
    static constexpr int64_t kSpentAtFirst = kAllowance * 3 / 4;
    /// A frame of data with fewer bytes, after which more is to come, counts as one without.
    static constexpr size_t kSmallData = 64;
    /// Until the client has confirmed the settings gRPC holds it to no number of calls.
    static constexpr int kCallsBeforeSettings = 256;
    /// What every connection may leave unfinished.
    static constexpr size_t kLeastUnfinished = 64 * 1024;
    /// What an unfinished message takes beside its bytes.
    static constexpr size_t kUnfinishedOverhead = 512;

    explicit FrameMeter(Unfinished& unfinished);
    ~FrameMeter() { Release(held_); }
    FrameMeter(const FrameMeter&) = delete;
    FrameMeter& operator=(const FrameMeter&) = delete;

    /// Follows what was received next. False from then on when it is an attack.
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

    /// A message of which a part has come.
    struct Part {
        size_t prefix = 0;     // How much of its prefix has come, which tells its length.
        uint32_t missing = 0;  // What the prefix says, less what has come after it.
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
    size_t left_ = kPrefaceSize;  // Of the payload, or of what comes before the first frame.
    uint32_t stream_ = 0;
    bool is_followed_ = false;  // The payload belongs to a message whose end is elsewhere.
    bool is_attack_ = false;
    bool has_settings_ = false;
    bool has_pinged_ = false;  // In what was received last.
    int early_calls_ = 0;
    int64_t spent_ = kSpentAtFirst;
    int64_t settled_at_;  // In nanoseconds, when `spent_` was last lowered.
    size_t held_ = 0;
    std::unordered_map<uint32_t, Part> parts_;
};

}  // namespace cgrpc

#endif
