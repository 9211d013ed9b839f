/// Which keys were inserted: a Bloom filter, of which one look at memory is enough for a key.
///
/// It is used by one thread: before the batches begin by the start, then by that of the batches.
final class KeyFilter {
    /// The bits of all keys; those of one key are in one word.
    private var words: [UInt64]
    private let wordCountBits: UInt64
    /// How many keys were inserted, but for those that seemed to be there already.
    private(set) var count = 0

    /// With so many keys in each word, about one in 26 of all other keys seems to be there, too;
    /// with twice as many, one in seven.
    static let keysPerWord = 8

    var wordCount: Int { words.count }

    /// Makes an empty filter for so many keys, or for up to twice as many.
    ///
    /// `mostWords` is a power of two, the most words that it takes: with more keys in each of them
    /// it errs more often.
    init(for keyCount: Int, mostWords: Int = .max) {
        let wanted = min(mostWords, max(1, keyCount / Self.keysPerWord))
        wordCountBits = UInt64(Int.bitWidth - (wanted - 1).leadingZeroBitCount)
        words = [UInt64](repeating: 0, count: 1 << Int(wordCountBits))
    }

    func insert(_ key: ChangeKey, in table: Int) {
        let (place, bits) = place(of: key, in: table)
        if words[place] & bits == bits { return }
        words[place] |= bits
        count += 1
    }

    /// Whether a key may have been inserted; if not, it was not.
    func mayContain(_ key: ChangeKey, in table: Int) -> Bool {
        let (place, bits) = place(of: key, in: table)
        return words[place] & bits == bits
    }

    /// The word of a key, and its three bits there.
    private func place(of key: ChangeKey, in table: Int) -> (place: Int, bits: UInt64) {
        // The last bytes tell keys apart whose beginnings are the same.
        var hash = key.head.first ^ (key.head.second &* 0x9E37_79B9_7F4A_7C15)
        hash ^= key.last &* 0xC2B2_AE3D_27D4_EB4F ^ UInt64(table)
        hash = (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
        hash = (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
        let bits: UInt64 = 1 << (hash & 63) | 1 << (hash >> 6 & 63) | 1 << (hash >> 12 & 63)
        return (Int(hash >> (64 - wordCountBits)), bits)
    }
}
