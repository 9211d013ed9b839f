// As much of the wire format of protocol buffers as the load needs.

#ifndef LOAD_WIRE_H
#define LOAD_WIRE_H

#include <cstdint>
#include <string>
#include <string_view>

inline std::string Varint(uint64_t value) {
    std::string bytes;
    for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
    bytes.push_back(static_cast<char>(value));
    return bytes;
}

inline std::string Field(uint32_t number, uint64_t value) {
    return Varint(number << 3) + Varint(value);
}

inline std::string Field(uint32_t number, const std::string& bytes) {
    return Varint(number << 3 | 2) + Varint(bytes.size()) + bytes;
}

/// Reads the fields of a message one after the other: numbers, and what has a length.
class Reader {
   public:
    explicit Reader(std::string_view bytes) : rest_(bytes) {}

    /// The number of the next field; 0 at the end.
    uint32_t Next() {
        if (rest_.empty()) return 0;
        const uint64_t tag = ReadVarint();
        number_ = ReadVarint();
        if ((tag & 7) == 2) {
            bytes_ = rest_.substr(0, number_);
            rest_.remove_prefix(bytes_.size());
        }
        return static_cast<uint32_t>(tag >> 3);
    }

    /// Goes to the next field of that number; false where there is none.
    bool Find(uint32_t number) {
        for (uint32_t next; (next = Next()) != 0;) {
            if (next == number) return true;
        }
        return false;
    }

    /// What the field holds, by its kind.
    uint64_t number() const { return number_; }
    std::string_view bytes() const { return bytes_; }

   private:
    uint64_t ReadVarint() {
        uint64_t value = 0;
        for (int shift = 0; !rest_.empty() && shift < 64; shift += 7) {
            const auto byte = static_cast<uint8_t>(rest_.front());
            rest_.remove_prefix(1);
            value |= static_cast<uint64_t>(byte & 0x7F) << shift;
            if (byte < 0x80) break;
        }
        return value;
    }

    std::string_view rest_, bytes_;
    uint64_t number_ = 0;
};

#endif
