internal import Faults

/// Where the rows of a table begin, under some prefixes: before these keys there are deleted rows
/// alone.
///
/// Rows that are taken from the front, such as due requests, stay in the tree until a merge deletes
/// them there.
struct TableFronts {
    /// Where the rows with a prefix begin.
    struct Front {
        var prefix: [UInt8]
        /// The least key that a row with the prefix can have.
        var key: [UInt8]
    }

    /// In the order of their prefixes.
    private(set) var fronts: [Front] = []
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
        return isFront(index, of: prefix, count: prefix.count) ? fronts[index].key : nil
    }

    /// The front behind which a key's row would be; nil where no front hides it.
    func front(hiding key: ChangeKey) -> Front? {
        for length in lengths where length <= key.count {
            let (storage, start) = (key.storage, key.start)
            let index = index(of: storage, at: start, count: length)
            guard isFront(index, of: storage, at: start, count: length) else { continue }
            let front = fronts[index]
            let order = KeyOrder.compare(storage, at: start, count: key.count, with: front.key)
            if order < 0 { return front }
        }
        return nil
    }

    /// Whether a front for the first bytes of keys has a place beside the others.
    func takes(_ prefix: [UInt8]) -> Bool {
        front(of: prefix) != nil
            || fronts.count < Self.frontLimit
                && (lengths.count < Self.lengthLimit || lengths.contains(prefix.count))
    }

    /// Notes that no row with the prefix comes before a key; it may forget the other prefixes.
    mutating func note(_ key: [UInt8], for prefix: [UInt8]) {
        if !takes(prefix) {
            guard fronts.count >= Self.frontLimit else { return }
            self = TableFronts()
        }
        set(key, for: prefix)
    }

    /// Notes that no row with the prefix comes before a key, and forgets nothing: where it is known
    /// that none comes before a greater one, that stays.
    mutating func set(_ key: [UInt8], for prefix: [UInt8]) {
        if !lengths.contains(prefix.count) { lengths.append(prefix.count) }
        let index = index(of: prefix, count: prefix.count)
        if isFront(index, of: prefix, count: prefix.count) {
            let isGreater = KeyOrder.compare(fronts[index].key, with: key) < 0
            if isGreater || Fault.frontGoesBack.isPlanted { fronts[index].key = key }
        } else {
            fronts.insert(Front(prefix: prefix, key: key), at: index)
        }
    }

    /// Notes that a row was written, which may be before the fronts.
    mutating func put(_ key: [UInt8]) {
        for length in lengths where length <= key.count {
            let index = index(of: key, count: length)
            guard isFront(index, of: key, count: length),
                KeyOrder.compare(key, with: fronts[index].key) < 0
            else { continue }
            fronts[index].key = key
        }
    }

    /// The first front whose prefix is not before the first bytes of a key, which begin at an
    /// offset.
    private func index(of key: [UInt8], at offset: Int = 0, count: Int) -> Int {
        var (low, high) = (0, fronts.count)
        while low < high {
            let middle = (low + high) / 2
            let prefix = fronts[middle].prefix
            let order = KeyOrder.compare(key, at: offset, count: count, with: prefix)
            if order > 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether a front is that of the first bytes of a key, which begin at an offset.
    private func isFront(
        _ index: Int,
        of key: [UInt8],
        at offset: Int = 0,
        count: Int
    ) -> Bool {
        guard index < fronts.count else { return false }
        return KeyOrder.compare(key, at: offset, count: count, with: fronts[index].prefix) == 0
    }
}
