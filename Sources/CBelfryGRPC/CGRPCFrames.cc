#include "CGRPCFrames.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <utility>

#include "CGRPCFaults.h"

namespace cgrpc {

namespace {

int64_t Now() {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

uint32_t Number(const uint8_t* bytes) {
    return uint32_t{bytes[0]} << 24 | uint32_t{bytes[1]} << 16 | uint32_t{bytes[2]} << 8 |
           bytes[3];
}

}  // namespace

FrameMeter::FrameMeter(Unfinished& unfinished) : unfinished_(unfinished), settled_at_(Now()) {
    resets_.BeginSpent(settled_at_);
}

bool FrameMeter::Take(const uint8_t* bytes, size_t count) {
    has_pinged_ = false;
    while (count > 0 && !is_attack_) {
        if (left_ > 0) {
            const size_t size = std::min(left_, count);
            if (is_followed_) Fill(parts_[stream_], bytes, size);
            bytes += size;
            count -= size;
            left_ -= size;
        } else {
            const size_t size = std::min(kHeaderSize - header_filled_, count);
            std::memcpy(header_ + header_filled_, bytes, size);
            bytes += size;
            count -= size;
            header_filled_ += size;
            if (header_filled_ < kHeaderSize) return true;
            header_filled_ = 0;
            is_attack_ = !Begin();
        }
        if (left_ == 0 && is_followed_) EndOfData();
    }
    is_attack_ = is_attack_ || HoldsTooMuch();
    return !is_attack_;
}

/// Begins a frame. False when the allowance does not pay for the frame.
bool FrameMeter::Begin() {
    left_ = size_t{header_[0]} << 16 | size_t{header_[1]} << 8 | header_[2];
    stream_ = Number(header_ + 5) & 0x7fffffff;
    const uint8_t flags = header_[4];
    switch (header_[3]) {
        case kData:
            return BeginData();
        case kHeaders:
            if (flags & kEndStream) Forget(stream_);
            return BeginHeaders(0) && (has_settings_ || ++early_calls_ <= kCallsBeforeSettings);
        case kContinuation:
            return BeginHeaders(headers_) && Spend(kPrice);
        case kReset:
            Forget(stream_);
            return Reset();
        case kPing:
            return Spend(std::exchange(has_pinged_, true) ? kHighPrice : kPrice);
        case kWindow:
            return Spend(kWindowPrice);
        case kSettings:
            if (flags & kAcknowledged) has_settings_ = true;
            [[fallthrough]];
        default:
            return Spend(kPrice);
    }
}

/// Counts the frame's bytes of a call's headers, of which `before` came in earlier frames.
bool FrameMeter::BeginHeaders(size_t before) {
    headers_ = before + left_;
    return headers_ <= kMostHeaders || IsPlanted("headers-without-limit");
}

bool FrameMeter::BeginData() {
    const bool is_last = (header_[4] & kEndStream) != 0;
    // Most messages are complete in one frame, and need no Part.
    is_followed_ = !is_last || parts_.count(stream_) != 0;
    if (!is_followed_) return true;
    if (parts_.try_emplace(stream_).second) Hold(kUnfinishedOverhead);
    return is_last || left_ >= kSmallData || Spend(kDataPrice);
}

void FrameMeter::Fill(Part& part, const uint8_t* bytes, size_t count) {
    while (count > 0) {
        size_t size = 1;
        if (part.prefix < kPrefixSize) {
            // The first byte says whether the message is compressed.
            if (part.prefix > 0) part.missing = part.missing << 8 | *bytes;
            ++part.prefix;
        } else {
            size = std::min<size_t>(part.missing, count);
            part.missing -= static_cast<uint32_t>(size);
        }
        part.held += size;
        Hold(size);
        bytes += size;
        count -= size;
        if (part.prefix == kPrefixSize && part.missing == 0) {
            Release(part.held - kUnfinishedOverhead);
            part = Part();
        }
    }
}

void FrameMeter::EndOfData() {
    is_followed_ = false;
    const bool is_last = (header_[4] & kEndStream) != 0;
    if (is_last || parts_[stream_].prefix == 0) Forget(stream_);
}

void FrameMeter::Forget(uint32_t stream) {
    const auto found = parts_.find(stream);
    if (found == parts_.end()) return;
    Release(found->second.held);
    parts_.erase(found);
}

void FrameMeter::Hold(size_t bytes) {
    held_ += bytes;
    unfinished_.bytes.fetch_add(bytes, std::memory_order_relaxed);
}

void FrameMeter::Release(size_t bytes) {
    held_ -= bytes;
    unfinished_.bytes.fetch_sub(bytes, std::memory_order_relaxed);
}

bool FrameMeter::Spend(int64_t price) {
    spent_ += price;
    if (spent_ <= kAllowance) return true;
    // The clock is read only when the allowance seems to be used up.
    constexpr int64_t kNanosecondsInSecond = 1'000'000'000;
    const int64_t now = Now();
    const int64_t seconds = (now - settled_at_) / kNanosecondsInSecond;
    const int64_t rest = (now - settled_at_) % kNanosecondsInSecond;
    const int64_t added = seconds * kAllowancePerSecond +
                          rest * kAllowancePerSecond / kNanosecondsInSecond;
    spent_ = std::max<int64_t>(spent_ - added, 0);
    settled_at_ = now;
    return spent_ <= kAllowance;
}

/// Counts a reset. False when there were too many, of this connection or of all together: many
/// connections would else do what one may not.
bool FrameMeter::Reset() {
    const int64_t now = Now();
    const bool is_small = ++reset_count_ <= kFewResets || resets_.IsBelow(kSmallPart, now);
    return resets_.Count(now) && (unfinished_.resets.Count(now) || is_small);
}

bool FrameMeter::HoldsTooMuch() const {
    if (held_ <= kLeastUnfinished || IsPlanted("unfinished-without-limit")) return false;
    const size_t all = unfinished_.bytes.load(std::memory_order_relaxed);
    return all > unfinished_.limit || held_ > unfinished_.limit - all;
}

bool ConnectionMeter::Take(const void* bytes, size_t count) {
    order_.load(std::memory_order_acquire);
    const bool goes_on =
        meter_.Take(static_cast<const uint8_t*>(bytes), count) || IsPlanted("flood-not-ended");
    order_.store(0, std::memory_order_release);
    return goes_on;
}

}  // namespace cgrpc
