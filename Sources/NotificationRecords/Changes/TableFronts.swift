/// Where the rows of a table begin, under some prefixes: before these keys there are deleted rows
/// alone, which a loop need not pass.
///
/// Rows that are taken from the front, such as due requests, stay in the tree until a merge deletes
/// them there.
struct TableFronts {
    private struct Front {
        var prefix: [UInt8]
        /// The least key that a row with the prefix can have.
        var key: [UInt8]
    }

    /// In the order of their prefixes.
    private var fronts: [Front] = []
    /// How long the prefixes are.
    private var lengths: [Int] = []

    /// From so many deleted rows on a front is worth its place.
    static let deletedRowCount = 16
    private static let frontLimit = 1_024
    private static let lengthLimit = 8

    var isEmpty: Bool { fronts.isEmpty }

    /// Where a loop over the rows with a prefix begins; nil at the prefix.
    func front(of prefix: [UInt8]) -> [UInt8]? {
        guard !isEmpty else { return nil }
        let index = index(of: prefix, count: prefix.count)
        return isFront(of: prefix, count: prefix.count, at: index) ? fronts[index].key : nil
    }

    /// Notes that no row with the prefix comes before a key.
    mutating func note(_ key: [UInt8], for prefix: [UInt8]) {
        if fronts.count >= Self.frontLimit { self = TableFronts() }
        if !lengths.contains(prefix.count) {
            guard lengths.count < Self.lengthLimit else { return }
            lengths.append(prefix.count)
        }
        let index = index(of: prefix, count: prefix.count)
        if isFront(of: prefix, count: prefix.count, at: index) {
            fronts[index].key = key
        } else {
            fronts.insert(Front(prefix: prefix, key: key), at: index)
        }
    }

    /// Notes that a row was written, which may be before the fronts.
    mutating func put(_ key: [UInt8]) {
        for length in lengths where length <= key.count {
            let index = index(of: key, count: length)
            guard isFront(of: key, count: length, at: index),
                KeyOrder.compare(key, with: fronts[index].key) < 0
            else { continue }
            fronts[index].key = key
        }
    }

    /// The first front whose prefix is not before the first bytes of a key.
    private func index(of key: [UInt8], count: Int) -> Int {
        var (low, high) = (0, fronts.count)
        while low < high {
            let middle = (low + high) / 2
            let order = KeyOrder.compare(key, at: 0, count: count, with: fronts[middle].prefix)
            if order > 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private func isFront(of key: [UInt8], count: Int, at index: Int) -> Bool {
        index < fronts.count
            && KeyOrder.compare(key, at: 0, count: count, with: fronts[index].prefix) == 0
    }
}
