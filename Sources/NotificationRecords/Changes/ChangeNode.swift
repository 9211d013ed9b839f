internal import BelfryLMDB
internal import BelfryLocking
internal import Faults

/// A write or a deletion of a row.
@usableFromInline
enum Change: Equatable {
    /// The row was written, with these bytes.
    case put([UInt8])
    case deletion

    /// The bytes of the row; nil where it was deleted.
    @usableFromInline
    var row: [UInt8]? {
        if case .put(let row) = self { return row }
        return nil
    }
}

/// A ``Change`` without the bytes of its row.
@usableFromInline
enum ChangeKind: Equatable {
    /// The row was written.
    case put(byteCount: Int)
    case deletion

    /// The bytes that the row has; nil where it was deleted.
    @usableFromInline
    var byteCount: Int? {
        if case .put(let byteCount) = self { return byteCount }
        return nil
    }
}

/// A node of a ``ChangeMap``: entries in the order of their keys.
///
/// An entry of a leaf is a key with its change. An entry of a branch is a bound of a child: every
/// key of the child is the bound or greater, but for the first child, which has all lesser keys.
/// The entries are in the node itself, and the bytes of all of them are in one array, so that a
/// node is copied with few allocations. A row that has a place in the log is not among the bytes.
///
/// A node that more than one map refers to is not changed: a map copies it first.
final class ChangeNode {
    /// Where an entry's bytes are: the key, then those of a row without a place.
    struct Entry {
        enum Kind: UInt8 {
            case deletion
            /// The row is behind the key.
            case row
            /// The row is where ``ChangeRows`` has it.
            case placedRow
        }

        var head = ChangeKey.Head(first: 0, second: 0)
        var offset: UInt32 = 0
        var keyCount: UInt16 = 0
        var kind = Kind.deletion
        /// Whether the key had no row when this one was written, so that the tree has none unless a
        /// merge has written this one.
        var isNew = false
        /// The bytes of the row.
        var rowCount: UInt32 = 0
        /// The place of a row that has one.
        var place: UInt32 = 0

        init() {}

        /// The entry of a change; `place` is where ``ChangeRows`` has the row, nil behind the key.
        init(_ change: Change, isNew: Bool, at place: UInt32?) {
            self.isNew = isNew
            guard let row = change.row else { return }
            (kind, rowCount) = (place == nil ? .row : .placedRow, UInt32(row.count))
            self.place = place ?? 0
        }

        /// Whether a key that had an entry has none once this one is written: the tree has no row.
        func leavesNothing(of before: Entry) -> Bool {
            kind == .deletion && (before.isNew || isNew)
        }

        /// The bytes beside those of other entries.
        var byteCount: Int { Int(keyCount) + (kind == .row ? Int(rowCount) : 0) }
        /// The bytes of the key and of the row, wherever that is.
        var wholeByteCount: Int { Int(keyCount) + Int(rowCount) }
    }

    /// A node is copied once for each batch that changes it, so more entries cost more; the last
    /// place is that of the entry for which a node is split.
    private typealias Entries = InlineArray<33, Entry>

    private(set) var count = 0
    private var entries: Entries
    /// The children of a branch, one for each entry; empty in a leaf.
    private(set) var children: [ChangeNode] = []
    private var bytes: [UInt8] = []
    /// How many of the bytes belong to no entry any more.
    private var unusedByteCount = 0

    init() { entries = Entries(repeating: Entry()) }

    private init(of node: ChangeNode, _ range: Range<Int>) {
        entries = Entries(repeating: Entry())
        var byteCount = 0
        for index in range { byteCount += node.entries[index].byteCount }
        bytes.reserveCapacity(byteCount + 128)
        for index in range {
            var entry = node.entries[index]
            let start = Int(entry.offset)
            entry.offset = UInt32(bytes.count)
            bytes.append(copying: node.bytes, start..<start + entry.byteCount)
            entries[count] = entry
            count += 1
        }
        if !node.children.isEmpty { children = Array(node.children[range]) }
    }

    private init(copying node: ChangeNode) {
        count = node.count
        entries = node.entries
        children = node.children
        bytes = node.bytes
        unusedByteCount = node.unusedByteCount
    }

    var isLeaf: Bool { children.isEmpty }
    var isFull: Bool { count == entries.count }

    /// A copy, which may be changed.
    func copy() -> ChangeNode {
        if unusedByteCount * 2 > bytes.count { return ChangeNode(of: self, 0..<count) }
        return ChangeNode(copying: self)
    }

    // MARK: Reading

    /// The change of a key here or below; nil where there is none.
    func change(of key: ChangeKey, _ rows: ChangeRows?) -> Change? {
        guard isLeaf else { return children[child(for: key)].change(of: key, rows) }
        let index = lowerBound(key)
        return isKey(key, at: index) ? change(at: index, rows) : nil
    }

    /// The kind of a key's change here or below; nil where there is none.
    func kind(of key: ChangeKey) -> ChangeKind? {
        guard isLeaf else { return children[child(for: key)].kind(of: key) }
        let index = lowerBound(key)
        return isKey(key, at: index) ? kind(at: index) : nil
    }

    /// The index of the first entry of a leaf, from `first` on, whose key is `key` or greater.
    func lowerBound(_ key: ChangeKey, from first: Int = 0) -> Int {
        var (low, high) = (first, count)
        while low < high {
            let middle = (low + high) / 2
            if compare(middle, with: key) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The index of the child of a branch that has the key, if any child has it.
    func child(for key: ChangeKey) -> Int {
        // The first bound is not looked at: the first child has all lesser keys.
        var (low, high) = (1, count)
        while low < high {
            let middle = (low + high) / 2
            if compare(middle, with: key) <= 0 { low = middle + 1 } else { high = middle }
        }
        return low - 1
    }

    @inline(__always)
    private func compare(_ index: Int, with key: ChangeKey) -> Int {
        let keyCount = Int(entries[index].keyCount)
        return key.order(of: entries[index].head, keyCount) {
            let offset = Int(entries[index].offset)
            return KeyOrder.compare(
                bytes,
                at: offset,
                count: keyCount,
                with: key.storage,
                at: key.start,
                count: key.count
            )
        }
    }

    /// Whether the key of a leaf's entry is `key`.
    func isKey(_ key: ChangeKey, at index: Int) -> Bool {
        index < count && compare(index, with: key) == 0
    }

    /// The key of an entry, among the bytes; the row is behind it if it has no place.
    func key(at index: Int) -> ChangeKey {
        let entry = entries[index]
        return ChangeKey(
            entry.head,
            in: bytes,
            at: Int(entry.offset),
            count: Int(entry.keyCount)
        )
    }

    /// The kind of an entry's change, without a copy of the row.
    func kind(at index: Int) -> ChangeKind {
        let entry = entries[index]
        switch entry.kind {
        case .deletion: return .deletion
        case .row, .placedRow: return .put(byteCount: Int(entry.rowCount))
        }
    }

    func change(at index: Int, _ rows: ChangeRows?) -> Change {
        let entry = entries[index]
        switch entry.kind {
        case .deletion: return .deletion
        case .placedRow:
            return .put(Self.rows(rows).bytes(Int(entry.rowCount), at: entry.place))
        case .row:
            let start = Int(entry.offset) + Int(entry.keyCount)
            return .put(Array(bytes[start..<start + Int(entry.rowCount)]))
        }
    }

    private static func rows(_ rows: ChangeRows?) -> ChangeRows {
        guard let rows else { preconditionFailure("a row has a place in no log") }
        return rows
    }

    /// Lends the key of an entry, and its row; nil where it was deleted.
    func withEntry(
        at index: Int,
        _ rows: ChangeRows?,
        _ body: (_ key: Span<UInt8>, _ row: Span<UInt8>?) throws(LMDBError) -> Void
    ) throws(LMDBError) {
        let (entry, bytes) = (entries[index], bytes)
        let (start, end) = (Int(entry.offset), Int(entry.offset) + Int(entry.keyCount))
        let span = bytes.span
        let key = span.extracting(start..<end)
        switch entry.kind {
        case .deletion: try body(key, nil)
        case .row: try body(key, span.extracting(end..<end + Int(entry.rowCount)))
        case .placedRow:
            try Self.rows(rows).lend(Int(entry.rowCount), at: entry.place) {
                row throws(LMDBError) in
                try body(key, row)
            }
        }
    }

    // MARK: Changing: the node must be the map's own

    /// Writes a change into a leaf or below a branch.
    ///
    /// A row that is new to the tree and deleted leaves no change behind.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - entry: The change, without what the key tells.
    ///   - row: The bytes of a row without a place; nil where they are behind those of the key.
    /// - Returns: The entry that the key had before; nil for a new key.
    func set(_ key: ChangeKey, _ entry: Entry, _ row: [UInt8]?) -> Entry? {
        guard !isLeaf else { return setHere(key, entry, row, at: lowerBound(key)) }
        let index = child(for: key)
        makeOwn(index)
        let before = children[index].set(key, entry, row)
        settle(index, appended: key)
        return before
    }

    private func setHere(
        _ key: ChangeKey,
        _ entry: Entry,
        _ row: [UInt8]?,
        at index: Int
    ) -> Entry? {
        guard isKey(key, at: index) else {
            insert(key, entry, row, at: index)
            return nil
        }
        let before = entries[index]
        if entry.leavesNothing(of: before) {
            drop(index)
        } else {
            replace(index, key, entry, row)
        }
        return before
    }

    /// Takes changes up to a key, or until the node is full.
    ///
    /// - Parameters:
    ///   - leaf: The changes, which are newer.
    ///   - next: The first of them that is not taken yet.
    ///   - end: The first key that belongs to the next node; nil where none is behind.
    ///   - growth: Counts what is added.
    func take(
        _ leaf: ChangeNode,
        from next: inout Int,
        before end: ChangeKey?,
        _ growth: inout Growth
    ) {
        var place = 0
        while !isFull, next < leaf.count {
            if let end, leaf.compare(next, with: end) >= 0 { return }
            let key = leaf.key(at: next)
            if isLeaf {
                let entry = leaf.entries[next]
                place = lowerBound(key, from: place)
                growth.add(setHere(key, entry, nil, at: place), key, entry)
                next += 1
            } else {
                let index = child(for: key)
                makeOwn(index)
                let end = index + 1 < count ? self.key(at: index + 1) : end
                children[index].take(leaf, from: &next, before: end, &growth)
                settle(index, appended: leaf.key(at: next - 1))
            }
        }
    }

    /// Calls `body` for each leaf, in the order of the keys.
    func forEachLeaf(_ body: (ChangeNode) -> Void) {
        if isLeaf { return body(self) }
        for child in children { child.forEachLeaf(body) }
    }

    /// How much more there is than before.
    struct Growth {
        var count = 0
        var byteCount = 0

        /// Counts a change in place of the one before; nil where the key had none.
        mutating func add(_ before: Entry?, _ key: ChangeKey, _ entry: Entry) {
            let isGone = before.map(entry.leavesNothing) ?? false
            count += (isGone ? 0 : 1) - (before == nil ? 0 : 1)
            let byteCount = isGone ? 0 : key.count + Int(entry.rowCount)
            self.byteCount += byteCount - (before?.wholeByteCount ?? 0)
        }
    }

    /// Splits a child that is full, and forgets one that is empty.
    private func settle(_ index: Int, appended key: @autoclosure () -> ChangeKey) {
        if children[index].isFull {
            split(index, appended: key())
        } else if children[index].count == 0 {
            drop(index)
            children.remove(at: index)
        }
    }

    /// Notes another place of a row, if the key has a row with a place.
    func move(_ key: ChangeKey, to place: UInt32) {
        guard isLeaf else {
            let index = child(for: key)
            makeOwn(index)
            return children[index].move(key, to: place)
        }
        let index = lowerBound(key)
        if isKey(key, at: index), entries[index].kind == .placedRow { entries[index].place = place }
    }

    private func makeOwn(_ index: Int) {
        if !SharedUse.isOver(of: &children[index]) {
            children[index] = children[index].copy()
        }
    }

    private func drop(_ index: Int) {
        unusedByteCount += entries[index].byteCount
        count -= 1
        for place in index..<count { entries[place] = entries[place + 1] }
    }

    private func insert(_ key: ChangeKey, _ entry: Entry, _ row: [UInt8]?, at index: Int) {
        compactIfHalfIsUnused()
        var entry = entry
        entry.head = key.head
        entry.keyCount = UInt16(key.count)
        entry.offset = append(key, entry, row)
        var last = count
        while last > index {
            entries[last] = entries[last - 1]
            last -= 1
        }
        entries[index] = entry
        count += 1
    }

    private func replace(_ index: Int, _ key: ChangeKey, _ change: Entry, _ row: [UInt8]?) {
        compactIfHalfIsUnused()
        let before = entries[index]
        var entry = before
        (entry.kind, entry.rowCount, entry.place) = (change.kind, change.rowCount, change.place)
        // A row that is written over a deletion is not new to the tree.
        if Fault.rowOverADeletionIsNew.isPlanted { entry.isNew = change.isNew }
        if entry.kind == .row {
            unusedByteCount += before.byteCount
            entry.offset = append(key, entry, row)
        } else {
            // The key stays where it is.
            unusedByteCount += before.byteCount - entry.byteCount
        }
        entries[index] = entry
    }

    /// Adds the bytes of an entry, and tells where they begin.
    private func append(_ key: ChangeKey, _ entry: Entry, _ row: [UInt8]?) -> UInt32 {
        let offset = UInt32(bytes.count)
        reserve(entry.byteCount)
        let count = row == nil ? entry.byteCount : key.count
        bytes.append(copying: key.storage, key.start..<key.start + count)
        if let row { bytes.append(copying: row, 0..<row.count) }
        return offset
    }

    /// Makes room for so many bytes, and for a quarter of what is there: an array by itself makes
    /// room for twice as much, and most nodes are not written again.
    private func reserve(_ count: Int) {
        let needed = bytes.count + count
        if needed > bytes.capacity { bytes.reserveCapacity(max(512, needed + bytes.count / 4)) }
    }

    /// Drops the bytes that belong to no entry, if they are many.
    private func compactIfHalfIsUnused() {
        guard unusedByteCount > 512, unusedByteCount * 2 >= bytes.count else { return }
        let node = ChangeNode(of: self, 0..<count)
        entries = node.entries
        bytes = node.bytes
        unusedByteCount = 0
    }

    /// Splits a full child, which is the branch's own, in two.
    private func split(_ index: Int, appended key: ChangeKey) {
        let right = children[index].splitOff(appended: key)
        children.insert(right, at: index + 1)
        insert(right.key(at: 0), Entry(), nil, at: index + 1)
    }

    /// Gives the greater part of a full node away, as a node of its own.
    ///
    /// `key` is the key that made it full: where keys come in order, the lesser part stays full.
    func splitOff(appended key: ChangeKey) -> ChangeNode {
        let last = count - 1
        let middle = compare(last, with: key) <= 0 ? last : count / 2
        let right = ChangeNode(of: self, middle..<count)
        for index in middle..<count { unusedByteCount += entries[index].byteCount }
        count = middle
        if !isLeaf { children.removeSubrange(middle...) }
        compactIfHalfIsUnused()
        return right
    }

    /// Makes the root over two nodes.
    init(_ left: ChangeNode, _ right: ChangeNode) {
        entries = Entries(repeating: Entry())
        insert(left.key(at: 0), Entry(), nil, at: 0)
        insert(right.key(at: 0), Entry(), nil, at: 1)
        children = [left, right]
    }
}
