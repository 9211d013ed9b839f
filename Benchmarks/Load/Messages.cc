#include "Messages.h"

#include <cstdint>
#include <optional>

namespace {

constexpr size_t kIdentifierSize = 20;
// A length of four bytes on the wire has room for both.
constexpr uint64_t kYear = 365 * 24 * 3600;
constexpr size_t kSecondsSize = 4;

std::string Varint(uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
    bytes.push_back(static_cast<char>(value));
    return bytes;
}

std::string Field(uint32_t number, uint64_t value) { return Varint(number << 3) + Varint(value); }

std::string Field(uint32_t number, const std::string& bytes) {
    return Varint(number << 3 | 2) + Varint(bytes.size()) + bytes;
}

/// The bytes after the tag and the length of a field that holds `size` bytes at its end.
size_t ValueOffset(const std::string& field, size_t size) { return field.size() - size; }

std::string CenterField() { return Field(1, Field(1, "org.example.load")); }

std::string Content() {
    return Field(1, "Stand-up in ten minutes") + Field(2, "Room 4.12, or the usual call") +
           Field(3, "Ana presents the figures of last week; bring the two open questions.") +
           Field(8, "MEETING") + Field(9, "calendar.work") +
           Field(10,
                 R"({"event":"7d9f0c52-1f6e-4f0b-9a55-3c1b7a0e9d21","calendar":"work",)"
                 R"("url":"https://example.org/m/7d9f0c52","attendees":5,"reminder":"first"})");
}

/// The identifier comes first and the seconds come last.
std::string Request() {
    const std::string interval = Field(1, kYear);
    return Field(1, std::string(kIdentifierSize, '-')) + Field(2, Content()) +
           Field(3, Field(3, Field(1, interval)));
}

/// Reads the fields of a message one after the other.
class Reader {
   public:
    explicit Reader(std::string_view bytes) : bytes_(bytes) {}

    /// The number of the next field that holds bytes, which `value` then is; 0 at the end.
    uint32_t Next(std::string_view& value) {
        while (!bytes_.empty()) {
            const uint64_t tag = Varint();
            const uint64_t number = Varint();
            if ((tag & 7) == 0) continue;
            value = bytes_.substr(0, number);
            bytes_.remove_prefix(value.size());
            return static_cast<uint32_t>(tag >> 3);
        }
        return 0;
    }

   private:
    uint64_t Varint() {
        uint64_t value = 0;
        for (int shift = 0; !bytes_.empty() && shift < 64; shift += 7) {
            const auto byte = static_cast<uint8_t>(bytes_.front());
            bytes_.remove_prefix(1);
            value |= static_cast<uint64_t>(byte & 0x7F) << shift;
            if (byte < 0x80) break;
        }
        return value;
    }

    std::string_view bytes_;
};

}  // namespace

std::string AuthorizationMessage() {
    // Badge, sound and alert, packed.
    return CenterField() + Field(3, std::string("\x01\x02\x04"));
}

AddMessage::AddMessage(size_t count) : bytes_(CenterField()), random_(std::random_device{}()) {
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

const std::string& AddMessage::Next() {
    for (const Offsets& request : requests_) {
        for (size_t i = 0; i < kIdentifierSize; i += kIdentifierSize / 2) {
            uint64_t bits = random_();
            for (size_t j = 0; j < kIdentifierSize / 2; ++j, bits >>= 4) {
                bytes_[request.identifier + i + j] = static_cast<char>('A' + (bits & 15));
            }
        }
        const std::string seconds = Varint(kYear + random_() % kYear);
        bytes_.replace(request.seconds, kSecondsSize, seconds);
    }
    return bytes_;
}

size_t CountAdded(std::string_view response) {
    constexpr uint32_t kResults = 1, kAdded = 1;
    size_t count = 0;
    std::string_view result, outcome;
    for (Reader results(response); results.Next(result) == kResults;) {
        if (Reader(result).Next(outcome) == kAdded) ++count;
    }
    return count;
}
