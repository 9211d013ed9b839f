/// The first keys of a table, as far as batches know them: none is between them.
struct FirstKeys {
    let table: Int
    private var keys: [[UInt8]]
    /// How many of them are gone.
    private var goneCount = 0

    /// The keys are in order; none are those of a table without rows.
    init(of table: Int, _ keys: [[UInt8]]) {
        self.table = table
        self.keys = keys
    }

    /// The first key; nil where the table has none.
    var first: [UInt8]? { goneCount < keys.count ? keys[goneCount] : nil }

    func isFirst(_ key: [UInt8]) -> Bool {
        goneCount < keys.count && KeyOrder.compare(keys[goneCount], with: key) == 0
    }

    /// Whether a row that comes or goes is one of them, or comes before them or between them.
    func isChanged(by key: [UInt8]) -> Bool {
        keys.last.map { KeyOrder.compare(key, with: $0) <= 0 } ?? true
    }

    /// Notes that a row was written.
    mutating func put(_ key: [UInt8]) {
        guard let first, KeyOrder.compare(first, with: key) <= 0 else {
            (keys, goneCount) = ([key], 0)
            return
        }
        if isChanged(by: key), !isFirst(key) { (keys, goneCount) = ([first], 0) }
    }

    /// Notes that a row is gone; false where the first key is not known any more.
    mutating func remove(_ key: [UInt8]) -> Bool {
        guard let first else { return true }
        if isFirst(key) {
            goneCount += 1
            return goneCount < keys.count
        }
        if isChanged(by: key) { (keys, goneCount) = ([first], 0) }
        return true
    }
}
