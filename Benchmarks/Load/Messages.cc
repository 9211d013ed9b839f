#include "Messages.h"

#include <chrono>
#include <cstdio>

#include "Wire.h"

namespace {

constexpr size_t kIdentifierSize = 20;
constexpr size_t kKeySize = 36;
constexpr size_t kSecondsSize = 4;

/// The bytes after the tag and the length of a field that holds `size` bytes at its end.
size_t ValueOffset(const std::string& field, size_t size) { return field.size() - size; }

std::string CenterField(int center) {
    return Field(1, Field(1, "org.example.load-" + std::to_string(center)));
}

std::string Content() {
    return Field(1, "Stand-up in ten minutes") + Field(2, "Room 14.12, or the usual call") +
           Field(3, "Ana presents the figures of last week; bring along the open questions.") +
           Field(8, "MEETING") + Field(9, "calendar.work") +
           Field(10,
                 R"({"event":"7d9f0c52-1f6e-4f0b-9a55-3c1b7a0e9d21","calendar":"work",)"
                 R"("url":"https://example.org/m/7d9f0c52","attendees":15,"reminder":"first"})");
}

/// Another seed for each generator of this process, and of the one before it.
///
/// Not from std::random_device, which on virtual machines was seen to give the same number twice:
/// two centers would then make the same idempotency keys.
uint64_t NextSeed() {
    static std::mt19937_64 seeds(static_cast<uint64_t>(
        std::chrono::system_clock::now().time_since_epoch().count()));
    return seeds();
}

/// The identifier comes first and the seconds come last.
std::string Request() {
    const std::string interval = Varint(1 << 3) + std::string(kSecondsSize, '\0');
    return Field(1, std::string(kIdentifierSize, '-')) + Field(2, Content()) +
           Field(3, Field(3, Field(1, interval)));
}

}  // namespace

std::string AuthorizationMessage(int center) {
    // Badge, sound and alert, packed.
    return CenterField(center) + Field(3, std::string("\x01\x02\x04"));
}

std::string AdvanceMessage(uint64_t seconds) { return Field(3, Field(1, seconds)); }

std::string SubscribeMessage(int center) { return CenterField(center); }

AddMessage::AddMessage(int center, size_t count, Due due)
    : bytes_(CenterField(center) + Field(2, std::string(kKeySize, '-'))),
      key_(bytes_.size() - kKeySize),
      due_(due),
      random_(NextSeed()) {
    const std::string request = Request();
    const std::string field = Field(3, request);
    const size_t identifier =
        ValueOffset(field, request.size()) +
        ValueOffset(Field(1, std::string(kIdentifierSize, '-')), kIdentifierSize);
    for (size_t i = 0; i < count; ++i) {
        const size_t start = bytes_.size();
        bytes_ += field;
        requests_.push_back({start + identifier, bytes_.size() - kSecondsSize});
    }
}

const std::string& AddMessage::Next(uint64_t milliseconds) {
    WriteKey(milliseconds);
    for (const Offsets& request : requests_) {
        for (size_t i = 0; i < kIdentifierSize; i += kIdentifierSize / 2) {
            uint64_t bits = random_();
            for (size_t j = 0; j < kIdentifierSize / 2; ++j, bits >>= 4) {
                bytes_[request.identifier + i + j] = static_cast<char>('A' + (bits & 15));
            }
        }
        uint64_t seconds = due_.after + random_() % due_.spread;
        // Always as many bytes, also for a small number: a message keeps its size.
        for (size_t i = 0; i < kSecondsSize; ++i, seconds >>= 7) {
            const uint64_t more = i + 1 < kSecondsSize ? 0x80 : 0;
            bytes_[request.seconds + i] = static_cast<char>((seconds & 0x7F) | more);
        }
    }
    return bytes_;
}

void AddMessage::WriteKey(uint64_t milliseconds) {
    // A version 7 UUID.
    char key[kKeySize + 1];
    const uint64_t high = random_(), low = random_();
    std::snprintf(key, sizeof key, "%08llx-%04llx-7%03llx-8%03llx-%012llx",
                  static_cast<unsigned long long>(milliseconds >> 16 & 0xFFFFFFFF),
                  static_cast<unsigned long long>(milliseconds & 0xFFFF),
                  static_cast<unsigned long long>(high & 0xFFF),
                  static_cast<unsigned long long>(high >> 12 & 0xFFF),
                  static_cast<unsigned long long>(low >> 16));
    bytes_.replace(key_, kKeySize, key, kKeySize);
}

size_t CountAdded(std::string_view response) {
    constexpr uint32_t kResults = 1, kAdded = 1;
    size_t count = 0;
    Reader results(response);
    while (results.Next() == kResults) {
        Reader result(results.bytes());
        if (result.Next() == kAdded) ++count;
    }
    return count;
}

size_t CountResults(std::string_view response) {
    constexpr uint32_t kResults = 1;
    size_t count = 0;
    Reader results(response);
    while (results.Next() == kResults) ++count;
    return count;
}

uint64_t CountFired(std::string_view response) {
    constexpr uint32_t kFired = 2;
    Reader fields(response);
    return fields.Find(kFired) ? fields.number() : 0;
}

uint64_t ClockMilliseconds(std::string_view response) {
    constexpr uint32_t kClock = 1, kNow = 2, kSeconds = 1;
    Reader fields(response);
    if (!fields.Find(kClock)) return 0;
    Reader clock(fields.bytes());
    if (!clock.Find(kNow)) return 0;
    Reader now(clock.bytes());
    return now.Find(kSeconds) ? now.number() * 1000 : 0;
}

Told ReadEvents(std::string_view response) {
    constexpr uint32_t kFrames = 1, kEvent = 3, kCaughtUp = 4, kDelivered = 3;
    Told told;
    for (Reader frames(response); uint32_t number = frames.Next();) {
        if (number != kFrames) continue;
        Reader frame(frames.bytes());
        const uint32_t kind = frame.Next();
        told.started = told.started || kind == kCaughtUp;
        if (kind != kEvent) continue;
        Reader event(frame.bytes());
        if (event.Find(kDelivered)) ++told.delivered;
    }
    return told;
}
