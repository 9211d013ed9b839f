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
        let place = place(of: key)
        if place < keys.count {
            guard KeyOrder.compare(keys[place], with: key) != 0 else { return }
            // Forget those behind it: with each row that comes between them they would be more.
            keys.removeSubrange(place...)
        } else if !keys.isEmpty {
            // Others may be before a row that is behind them; only in an empty table none is.
            return
        }
        keys.append(key)
    }

    /// Notes that a row is gone; false where the first key is not known any more.
    mutating func remove(_ key: [UInt8]) -> Bool {
        if keys.isEmpty { return true }
        if isFirst(key) {
            goneCount += 1
        } else {
            let place = place(of: key)
            if place < keys.count, KeyOrder.compare(keys[place], with: key) == 0 {
                keys.remove(at: place)
            }
        }
        return goneCount < keys.count
    }

    /// The place of the first key that is left and is `key` or greater.
    private func place(of key: [UInt8]) -> Int {
        var (low, high) = (goneCount, keys.count)
        while low < high {
            let middle = (low + high) / 2
            if KeyOrder.compare(keys[middle], with: key) < 0 {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
