internal import BelfryLMDB
internal import Faults

/// A key as the nodes of a ``ChangeMap`` compare it: its first 16 bytes are two numbers, which
/// mostly decide.
struct ChangeKey {
    /// The bytes of the key from ``start`` on, among others where it is the key of an entry.
    let storage: [UInt8]
    let start: Int
    let count: Int
    let head: Head

    /// The first 16 bytes of a key; zeros stand for those that a shorter key lacks.
    struct Head: Equatable {
        static let byteCount = 16

        var first: UInt64
        var second: UInt64
    }

    init(_ bytes: [UInt8]) {
        storage = bytes
        start = 0
        count = bytes.count
        head = Head(first: Self.word(of: bytes, at: 0), second: Self.word(of: bytes, at: 8))
    }

    /// The key of an entry of a node, which has the bytes of all entries in one array.
    init(_ head: Head, in storage: [UInt8], at start: Int, count: Int) {
        self.storage = storage
        self.start = start
        self.count = count
        self.head = head
    }

    var bytes: [UInt8] {
        count == storage.count ? storage : Array(storage[start..<start + count])
    }

    /// The last eight bytes as a number; all of them, followed by zeros, where there are fewer.
    ///
    /// - Precondition: The bytes are those of the key alone.
    var last: UInt64 { Self.word(of: storage, at: max(0, count - 8)) }

    /// The eight bytes at an offset as a number, with zeros for those behind the end.
    private static func word(of bytes: [UInt8], at offset: Int) -> UInt64 {
        let rest = bytes.count - offset
        guard rest > 0 else { return 0 }
        // Safety: every byte of an array of bytes is initialized.
        let span = unsafe bytes.span.bytes
        if rest >= 8 { return span.bigEndian(at: offset) }
        if bytes.count >= 8 {
            // The last eight bytes end with those at the offset.
            let last: UInt64 = span.bigEndian(at: bytes.count - 8)
            return last << UInt64((8 - rest) * 8)
        }
        var word: UInt64 = 0
        for place in offset..<bytes.count { word = word << 8 | UInt64(span[place]) }
        return word << UInt64((8 - rest) * 8)
    }

    /// Compares the key with another one: less than 0 where it comes before that one, 0 where it is
    /// that one, and greater than 0 where it comes behind.
    func compare(with other: ChangeKey) -> Int {
        other.order(of: head, count) {
            KeyOrder.compare(
                storage,
                at: start,
                count: count,
                with: other.storage,
                at: other.start,
                count: other.count
            )
        }
    }

    /// Compares a key of which only the head and the number of bytes are at hand, with this key.
    ///
    /// - Parameters:
    ///   - other: The head of the other key.
    ///   - count: How many bytes the other key has.
    ///   - rest: Compares all bytes of the other key with this key, as ``KeyOrder`` does; called
    ///     where the heads do not decide.
    /// - Returns: Less than 0 where the other key comes before this one, 0 where it is this one,
    ///   and greater than 0 where it comes behind this one.
    @inline(__always)
    func order(of other: Head, _ count: Int, rest: () -> Int) -> Int {
        if other.first != head.first { return other.first < head.first ? -1 : 1 }
        if other.second != head.second { return other.second < head.second ? -1 : 1 }
        // Where one of them ends with its head, it is the beginning of the other: zeros stand for
        // the bytes that it lacks, and are in the longer key.
        let isDecided = count <= Head.byteCount || self.count <= Head.byteCount
        if Fault.headsAloneCompared.isPlanted, isDecided { return 0 }
        return isDecided ? count - self.count : rest()
    }
}
