internal import Faults

/// Which keys of a table may have a row: most identifiers of adds are new, and a search of the tree
/// for one of them reads a page at a random place.
///
/// Before each batch some keys of the table are read, from the first to the last, and all batches
/// insert what they write: so the filter knows all keys at the end. It keeps those that were
/// deleted, so another one is made in the same way where it has too many.
///
/// It is used by the thread of the batches alone.
final class TableKeys {
    /// The table whose keys it has.
    static let table = TableName.identifiers.index
    /// The most words of a filter: 8 MiB.
    private static let mostWords = 1 << 20
    /// How many keys are read beside the least, for each that batches wrote: so all are read long
    /// before there are twice as many.
    private static let keysReadPerKey = 4
    /// How many times the least are read at most.
    private static let mostTimesLeast = 16

    /// A filter that does not know all keys yet.
    private struct Growing {
        let filter: KeyFilter
        /// The last key that was read.
        var last: [UInt8] = []
        /// The keys that were read, and those that batches wrote meanwhile.
        var count = 0
    }

    /// Knows all keys; nil until all were read.
    private var whole: KeyFilter?
    private var growing: Growing?
    /// The keys of ``whole`` from which on another filter is made.
    private var fullCount = 0
    /// The keys that batches wrote since keys were read.
    private var writtenCount = 0
    /// Whether the table cannot be read as it should.
    private var isGivenUp = false
    private let limits: ChangeLimits

    init(_ limits: ChangeLimits) { self.limits = limits }

    /// Whether a key may have a row; if not, it has none.
    func mayContain(_ key: ChangeKey) -> Bool { whole?.mayContain(key, in: Self.table) ?? true }

    /// Notes that a row is written, by a batch that may fail.
    func insert(_ key: ChangeKey) {
        whole?.insert(key, in: Self.table)
        if !Fault.writtenKeyNotKnown.isPlanted { growing?.filter.insert(key, in: Self.table) }
        growing?.count += 1
        writtenCount += 1
    }

    /// Whether keys were read, and others are to be read still.
    var isGrowing: Bool { growing != nil }

    /// Whether there are keys to be read before the next batch.
    var readsKeys: Bool {
        guard growing == nil, let whole else { return !isGivenUp }
        return whole.count >= fullCount
    }

    /// Reads some keys, while no batch is being made.
    ///
    /// A filter is begun where the newest state has what all batches wrote; from then on the
    /// batches insert what they write.
    ///
    /// - Parameters:
    ///   - rowCount: Gives how many rows the table has at least.
    ///   - keys: Reads keys of the table from one on, so many at most.
    func read(
        rowCount: () throws(StoreFailure) -> Int,
        keys: (_ start: [UInt8], _ limit: Int) throws(StoreFailure) -> [[UInt8]]
    ) {
        let most = min(
            limits.keysPerBatch + Self.keysReadPerKey * writtenCount,
            limits.keysPerBatch * Self.mostTimesLeast
        )
        writtenCount = 0
        if (try? readOn(most, try rowCount(), keys)) != true {
            // Search the tree for all keys: whoever needs a damaged row gets its error.
            (whole, growing, isGivenUp) = (nil, nil, true)
        }
    }

    /// Reads the next keys; false where the table lost some.
    private func readOn(
        _ most: Int,
        _ rowCount: Int,
        _ keys: (_ start: [UInt8], _ limit: Int) throws(StoreFailure) -> [[UInt8]]
    ) throws(StoreFailure) -> Bool {
        // Make it for twice as many as there are: the others are to come.
        let keyCount = 2 * (rowCount + limits.leastFilteredKeys)
        var current =
            growing ?? Growing(filter: KeyFilter(for: keyCount, mostWords: Self.mostWords))
        let found = try keys(current.last.isEmpty ? [] : keyBehind(current.last), most)
        for key in found {
            // A key of the table is shorter than the longest: there is one behind it.
            guard KeyOrder.compare(current.last, with: key) < 0,
                ChangeFrame.keyByteCounts.contains(key.count + 1)
            else { return false }
            current.filter.insert(ChangeKey(key), in: Self.table)
            current.last = key
        }
        current.count += found.count
        growing = current
        guard found.count < most else { return true }
        // Each row of the table was read or written since.
        guard current.count >= rowCount else { return false }
        let filter = current.filter
        whole = filter
        fullCount = max(
            KeyFilter.keysPerWord * filter.wordCount,
            filter.count + KeyFilter.keysPerWord / 2 * filter.wordCount
        )
        growing = nil
        return true
    }
}
