internal import BelfryLMDB
internal import BelfryLocking
internal import Faults

/// The changes of rows of one table, by key: a B-tree of which a copy costs nothing.
///
/// A copy stays as it is while the map is changed: the map copies a node before it changes it, once
/// after each copy of the map.
///
/// Rows that are deleted from the front of their table have no entries: one key stands for all of
/// them.
struct ChangeMap {
    /// Nil without entries.
    private(set) var root: ChangeNode?
    private(set) var count = 0
    /// The bytes of the keys and the rows.
    private(set) var byteCount = 0
    /// Where the rows are that have a place; nil where all are with their keys.
    var rows: ChangeRows?

    /// The key before which all rows that have no entry are deleted; nil where none is.
    private(set) var front: [UInt8]?
    /// How many rows were deleted that have no entry.
    private var frontedCount = 0

    /// How many rows are changed.
    var changeCount: Int { count + frontedCount }
    var isEmpty: Bool { count == 0 && front == nil }

    /// The change of a key; nil where there is none.
    ///
    /// - Complexity: O(log *n*).
    func change(at key: ChangeKey) -> Change? {
        root?.change(of: key, rows) ?? (isFronted(key) ? .deletion : nil)
    }

    /// The kind of a key's change; nil where there is none.
    ///
    /// - Complexity: O(log *n*); allocates nothing.
    func kind(of key: ChangeKey) -> ChangeKind? {
        root?.kind(of: key) ?? (isFronted(key) ? .deletion : nil)
    }

    /// Whether a key comes before the front: its row is deleted unless it has an entry.
    func isFronted(_ key: ChangeKey) -> Bool {
        guard let front else { return false }
        return KeyOrder.compare(key.storage, at: key.start, count: key.count, with: front) < 0
    }

    /// Deletes the rows that come before a key and have no entry; the front never goes back.
    ///
    /// `rowCount` is how many they are.
    mutating func setFront(_ key: [UInt8], _ rowCount: Int) {
        frontedCount += rowCount
        if let front, KeyOrder.compare(front, with: key) > 0, !Fault.frontGoesBack.isPlanted {
            return
        }
        front = key
    }

    /// Forgets the entries that come before a key.
    mutating func drop(before key: [UInt8]) {
        // Read them first, so that nobody else has the nodes while these are changed.
        for key in keys(before: key) { set(key, .deletion, isNew: true) }
    }

    private func keys(before end: [UInt8]) -> [ChangeKey] {
        var keys: [ChangeKey] = []
        var cursor = ChangeCursor(self, atOrAfter: ChangeKey([]))
        while let key = cursor.key, KeyOrder.compare(key, with: end) < 0 {
            keys.append(ChangeKey(key))
            cursor.move(forward: true)
        }
        return keys
    }

    /// Writes the change of a key, in place of the change that it had.
    ///
    /// A row that is new to the tree and deleted leaves no change behind.
    ///
    /// `isNew` says that the tree has no row of the key, so that a deletion leaves no change.
    /// `place` is where ``rows`` has the row; nil keeps the row with the key.
    ///
    /// - Returns: Whether the row was deleted before.
    /// - Complexity: O(log *n*), and a copy of each node on the way that a copy of the map has.
    @discardableResult
    mutating func set(
        _ key: ChangeKey,
        _ change: Change,
        isNew: Bool = false,
        at place: UInt32? = nil
    ) -> Bool {
        let entry = ChangeNode.Entry(change, isNew: isNew, at: place)
        let root = ownRoot()
        let before = root.set(key, entry, entry.kind == .row ? change.row ?? [] : [])
        var growth = ChangeNode.Growth()
        growth.add(before, key, entry)
        settle(root, growth, appended: key)
        return before?.kind == .deletion
    }

    /// Takes all changes of another map, which are newer.
    ///
    /// - Complexity: O(*m* log *n*) in the changes that it takes, and less where their keys are
    ///   near each other; nodes that no copy of the map has are changed where they are.
    mutating func take(_ map: ChangeMap) {
        map.root?.forEachLeaf { leaf in
            var next = 0
            while next < leaf.count {
                let root = ownRoot()
                var growth = ChangeNode.Growth()
                root.take(leaf, from: &next, before: nil, &growth)
                settle(root, growth, appended: leaf.key(at: next - 1))
            }
        }
        if let front = map.front { setFront(front, map.frontedCount) }
    }

    private mutating func settle(
        _ root: ChangeNode,
        _ growth: ChangeNode.Growth,
        appended key: @autoclosure () -> ChangeKey
    ) {
        count += growth.count
        byteCount += growth.byteCount
        if root.isFull {
            self.root = ChangeNode(root, root.splitOff(appended: key()))
        } else if root.count == 0 {
            self.root = nil
        } else if root.children.count == 1 {
            self.root = root.children[0]
        }
    }

    /// As ``ChangeNode/move(_:to:)``.
    mutating func move(_ key: ChangeKey, to place: UInt32) {
        guard root != nil else { return }
        ownRoot().move(key, to: place)
    }

    /// The root, which no copy of the map has.
    private mutating func ownRoot() -> ChangeNode {
        if SharedUse.isOver(of: &root), let root { return root }
        let own = root?.copy() ?? ChangeNode()
        root = own
        return own
    }
}

/// A place in a ``ChangeMap``, which does not see later changes.
struct ChangeCursor {
    /// The branches above the leaf, each with the child that leads to it.
    private var path: [(node: ChangeNode, index: Int)] = []
    /// The leaf; nil beyond either end.
    private var leaf: ChangeNode?
    private var index = 0
    /// The entries of the leaf.
    private var count = 0
    private let rows: ChangeRows?

    /// The first key that is `key` or greater.
    init(_ map: ChangeMap, atOrAfter key: ChangeKey) {
        rows = map.rows
        guard let leaf = descend(to: key, in: map) else { return }
        enter(leaf, at: leaf.lowerBound(key))
        if index == count { moveToLeaf(forward: true) }
    }

    /// The last key that is less than `key`.
    init(_ map: ChangeMap, before key: ChangeKey) {
        rows = map.rows
        guard let leaf = descend(to: key, in: map) else { return }
        enter(leaf, at: leaf.lowerBound(key) - 1)
        if index < 0 { moveToLeaf(forward: false) }
    }

    private mutating func enter(_ leaf: ChangeNode, at index: Int) {
        self.leaf = leaf
        self.index = index
        count = leaf.count
    }

    private mutating func descend(to key: ChangeKey, in map: ChangeMap) -> ChangeNode? {
        guard var node = map.root else { return nil }
        while !node.isLeaf {
            let index = node.child(for: key)
            path.append((node, index))
            node = node.children[index]
        }
        return node
    }

    /// Whether the cursor is beyond either end.
    var isAtEnd: Bool { leaf == nil }

    /// The key; nil beyond either end.
    var key: [UInt8]? { keyInNode?.bytes }

    /// The key, among the bytes of its node; nil beyond either end.
    var keyInNode: ChangeKey? { leaf?.key(at: index) }

    /// The change of the key.
    ///
    /// - Precondition: The cursor is at a key.
    var change: Change { atKey.change(at: index, rows) }

    /// The bytes of the key's row; nil where it was deleted.
    ///
    /// - Precondition: The cursor is at a key.
    var byteCount: Int? { atKey.kind(at: index).byteCount }

    private var atKey: ChangeNode {
        guard let leaf else { preconditionFailure("the cursor is beyond the keys") }
        return leaf
    }

    /// Lends the key and its row; as ``ChangeNode/withEntry(at:_:_:)``.
    ///
    /// - Precondition: The cursor is at a key.
    func withEntry(
        _ body: (_ key: Span<UInt8>, _ row: Span<UInt8>?) throws(LMDBError) -> Void
    ) throws(LMDBError) {
        try atKey.withEntry(at: index, rows, body)
    }

    /// Moves to the next greater key, or to the next lesser key.
    ///
    /// - Precondition: The cursor is at a key.
    mutating func move(forward: Bool) {
        index += forward ? 1 : -1
        if index < 0 || index == count { moveToLeaf(forward: forward) }
    }

    /// Moves from the end of a leaf to the neighbor's nearest entry; a map has no empty leaf.
    private mutating func moveToLeaf(forward: Bool) {
        leaf = nil
        while let place = path.last {
            let index = place.index + (forward ? 1 : -1)
            guard place.node.children.indices.contains(index) else {
                path.removeLast()
                continue
            }
            path[path.count - 1].index = index
            var node = place.node.children[index]
            while !node.isLeaf {
                path.append((node, forward ? 0 : node.children.count - 1))
                node = forward ? node.children[0] : node.children[node.children.count - 1]
            }
            enter(node, at: forward ? 0 : node.count - 1)
            return
        }
    }
}
