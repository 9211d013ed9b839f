internal import BelfryLMDB

/// The order of keys in a table: byte by byte, a prefix before the longer key.
@usableFromInline
enum KeyOrder {
    /// Compares `count` bytes of `bytes`, from `offset` on, with a key.
    ///
    /// - Returns: Less than 0 where the bytes come before the key, 0 where they are the key, and
    ///   greater than 0 where they come behind it.
    static func compare(_ bytes: [UInt8], at offset: Int, count: Int, with key: [UInt8]) -> Int {
        compare(bytes, at: offset, count: count, with: key, at: 0, count: key.count)
    }

    /// As ``compare(_:at:count:with:)``, with a key that is among other bytes.
    static func compare(
        _ bytes: [UInt8],
        at offset: Int,
        count: Int,
        with key: [UInt8],
        at start: Int,
        count keyCount: Int
    ) -> Int {
        // Safety: every byte of an array of bytes is initialized.
        let (one, other) = unsafe (bytes.span.bytes, key.span.bytes)
        let shorter = min(count, keyCount)
        var place = 0
        while place + 8 <= shorter {
            let word: UInt64 = one.bigEndian(at: offset + place)
            let otherWord: UInt64 = other.bigEndian(at: start + place)
            if word != otherWord { return word < otherWord ? -1 : 1 }
            place += 8
        }
        while place < shorter {
            let byte = one[offset + place]
            let otherByte = other[start + place]
            if byte != otherByte { return byte < otherByte ? -1 : 1 }
            place += 1
        }
        return count - keyCount
    }

    /// Whether a key begins with a prefix.
    @usableFromInline
    static func isPrefix(_ prefix: [UInt8], of key: [UInt8]) -> Bool {
        prefix.isEmpty
            || key.count >= prefix.count
                && compare(key, at: 0, count: prefix.count, with: prefix) == 0
    }

    /// Compares all bytes of `key` with another key, as ``compare(_:at:count:with:)`` does.
    static func compare(_ key: [UInt8], with other: [UInt8]) -> Int {
        compare(key, at: 0, count: key.count, with: other)
    }
}
