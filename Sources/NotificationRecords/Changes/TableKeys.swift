internal import Faults

/// Which keys of a table may have a row: most identifiers of adds are new, and a search of the tree
/// for one of them reads a page at a random place.
///
/// Each batch begins with reading some keys of the table, from the first to the last, and all
/// batches insert what they write: so the filter knows all keys at the end. It keeps those that
/// were deleted, so another one is made in the same way where it has too many.
final class TableKeys {
    /// The table whose keys it has.
    static let table = TableName.identifiers.index
    /// The most words of a filter: 8 MiB.
    private static let mostWords = 1 << 20
    /// The keys that a batch reads beside the least, for each one that the last batch wrote: so all
    /// are read long before there are twice as many.
    private static let keysReadPerKey = 4

    /// A filter that does not know all keys yet.
    private struct Growing {
        let filter: KeyFilter
        /// Where the keys begin that were not read.
        var position: [UInt8] = []
    }

    /// Knows all keys; nil until all were read.
    private var whole: KeyFilter?
    private var growing: Growing?
    /// The keys of ``whole`` from which on another filter is made.
    private var limit = 0
    /// The keys that the last batch wrote.
    private var writtenCount = 0
    private let limits: ChangeLimits

    init(_ limits: ChangeLimits) { self.limits = limits }

    /// Whether a key may have a row; if not, it has none.
    func mayContain(_ key: ChangeKey) -> Bool { whole?.mayContain(key, in: Self.table) ?? true }

    /// Notes that a row is written, by a batch that may fail.
    func insert(_ key: ChangeKey) {
        whole?.insert(key, in: Self.table)
        if !Fault.writtenKeyNotKnown.isPlanted { growing?.filter.insert(key, in: Self.table) }
        writtenCount += 1
    }

    /// Reads some keys, before the batch that begins changes anything: it may fail.
    ///
    /// - Parameters:
    ///   - rowCount: About how many rows the table has.
    ///   - keys: Reads keys from one on, so many at most.
    func read(
        rowCount: () throws(StoreFailure) -> Int,
        keys: (_ start: [UInt8], _ limit: Int) throws(StoreFailure) -> [[UInt8]]
    ) {
        let most = limits.keysPerBatch + Self.keysReadPerKey * writtenCount
        writtenCount = 0
        if growing == nil {
            guard whole.map({ $0.count >= limit }) ?? true, let rows = try? rowCount() else {
                return
            }
            // Make it for twice as many as there are: the others are to come.
            let keyCount = max(limits.leastFilteredKeys, 2 * rows)
            growing = Growing(filter: KeyFilter(for: keyCount, mostWords: Self.mostWords))
        }
        guard var current = growing else { return }
        // Leave damage to who needs the rows, and try again in the next batch.
        guard let found = try? keys(current.position, most) else { return }
        for key in found { current.filter.insert(ChangeKey(key), in: Self.table) }
        if let last = found.last { current.position = keyBehind(last) }
        growing = current
        guard found.count < most else { return }
        whole = current.filter
        limit = max(KeyFilter.keysPerWord * current.filter.wordCount, 2 * current.filter.count)
        growing = nil
    }
}
