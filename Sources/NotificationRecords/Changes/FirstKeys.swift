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

    /// Notes that a row was written, which may come before them or between them.
    mutating func put(_ key: [UInt8]) {
        guard let first, let last = keys.last, KeyOrder.compare(first, with: key) <= 0 else {
            (keys, goneCount) = ([key], 0)
            return
        }
        if KeyOrder.compare(key, with: last) < 0 { (keys, goneCount) = ([first], 0) }
    }

    /// Notes that a row is gone; false where the first key is not known any more.
    mutating func remove(_ key: [UInt8]) -> Bool {
        guard let first, let last = keys.last else { return true }
        if first == key {
            goneCount += 1
            return goneCount < keys.count
        }
        if KeyOrder.compare(key, with: last) <= 0 { (keys, goneCount) = ([first], 0) }
        return true
    }
}
