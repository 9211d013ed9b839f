internal import BelfryLMDB

/// The identifiers that a batch has read of one center, by the keys of their rows.
///
/// Bounded: a batch touches a limited number of rows.
struct IdentifierTable {
    /// All of them, in the order in which they were read.
    private(set) var all: [IdentifierWork] = []
    /// A table of hashes with open addressing: one more than the place in ``all``, or 0.
    ///
    /// Half of the slots are free at least.
    private var slots: [UInt32] = []

    /// Callers choose the keys, and do not know the seed: they cannot make all keys meet.
    private static let seed = UInt64.random(in: 0...UInt64.max)

    /// The identifier of a key; nil where it was not read.
    ///
    /// - Complexity: O(bytes of the key).
    func identifier(at key: [UInt8]) -> IdentifierWork? {
        guard !slots.isEmpty else { return nil }
        let place = slots[slot(of: key)]
        return place == 0 ? nil : all[Int(place) - 1]
    }

    /// Adds an identifier whose key is not there.
    mutating func append(_ identifier: IdentifierWork) {
        all.append(identifier)
        if all.count * 2 > slots.count {
            slots = [UInt32](repeating: 0, count: max(16, slots.count * 2))
            for (place, identifier) in all.enumerated() {
                slots[slot(of: identifier.key)] = UInt32(place + 1)
            }
        } else {
            slots[slot(of: identifier.key)] = UInt32(all.count)
        }
    }

    /// The slot of a key: a free one where the key is not there.
    private func slot(of key: [UInt8]) -> Int {
        let mask = slots.count - 1
        let hash = Checksum.of(key, in: 0..<key.count, seed: Self.seed)
        var slot = Int(truncatingIfNeeded: hash) & mask
        while slots[slot] != 0, all[Int(slots[slot]) - 1].key != key { slot = (slot + 1) & mask }
        return slot
    }
}
