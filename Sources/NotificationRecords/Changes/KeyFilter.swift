/// Which keys may have a change: a Bloom filter over the keys of all tables.
///
/// Most keys that a batch looks for have no change, since their rows are in the trees. The filter
/// says so with one look at memory, where the maps take one for each node on the way to a leaf.
/// Only the thread of the batch that is being made uses it; before that, the start inserts the keys
/// of the log.
final class KeyFilter {
    /// The bits of all keys; those of one key are in one word.
    private var words = [UInt64](repeating: 0, count: 1 << wordCountBits)
    /// With 131,072 keys inserted, about one in 26 of all other keys seems to have a change.
    private static let wordCountBits: UInt64 = 14

    func insert(_ key: ChangeKey, in table: Int) {
        let (place, bits) = Self.place(of: key, in: table)
        words[place] |= bits
    }

    /// Whether a key may have a change; if not, it has none.
    func mayContain(_ key: ChangeKey, in table: Int) -> Bool {
        let (place, bits) = Self.place(of: key, in: table)
        return words[place] & bits == bits
    }

    /// The word of a key, and its three bits there.
    private static func place(of key: ChangeKey, in table: Int) -> (place: Int, bits: UInt64) {
        // The last bytes tell keys apart whose beginnings are the same.
        var hash = key.head.first ^ (key.head.second &* 0x9E37_79B9_7F4A_7C15)
        hash ^= key.last &* 0xC2B2_AE3D_27D4_EB4F ^ UInt64(table)
        hash = (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
        hash = (hash ^ (hash >> 32)) &* 0xD6E8_FEB8_6659_FD93
        let bits: UInt64 = 1 << (hash & 63) | 1 << (hash >> 6 & 63) | 1 << (hash >> 12 & 63)
        return (Int(hash >> (64 - wordCountBits)), bits)
    }
}
