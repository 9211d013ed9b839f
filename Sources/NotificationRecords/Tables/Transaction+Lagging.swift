public import BelfryLMDB

// Loops over a lagging table: its tree and the changes that are not in the tree, as one.

/// Places in the changes of a lagging table, where a loop stands.
@usableFromInline
struct ChangeLayers {
    /// Whether the loop goes to greater keys.
    let isForward: Bool
    private var newer: ChangeCursor
    private var older: ChangeCursor
    private(set) var newerKey: [UInt8]?
    private(set) var olderKey: [UInt8]?

    /// Begins at the first keys that are `key` or greater.
    init(_ maps: StateChanges.Maps, atOrAfter key: [UInt8]) {
        let key = ChangeKey(key)
        self.init(
            ChangeCursor(maps.newer, atOrAfter: key),
            ChangeCursor(maps.older, atOrAfter: key),
            isForward: true
        )
    }

    /// Begins at the last keys that are less than `key`.
    init(_ maps: StateChanges.Maps, before key: [UInt8]) {
        let key = ChangeKey(key)
        self.init(
            ChangeCursor(maps.newer, before: key),
            ChangeCursor(maps.older, before: key),
            isForward: false
        )
    }

    private init(_ newer: ChangeCursor, _ older: ChangeCursor, isForward: Bool) {
        self.isForward = isForward
        self.newer = newer
        self.older = older
        newerKey = newer.key
        olderKey = older.key
    }

    /// The key that comes next, here or in the tree; nil at the end of all.
    func nextKey(_ treeKey: [UInt8]?) -> [UInt8]? {
        first(first(treeKey, olderKey), newerKey)
    }

    private func first(_ one: [UInt8]?, _ other: [UInt8]?) -> [UInt8]? {
        guard let one, let other else { return one ?? other }
        return KeyOrder.isLess(one, other) == isForward ? one : other
    }

    /// The newest change of a key, which came next; nil where there is none.
    func change(at key: [UInt8]) -> Change? {
        if newerKey == key { return newer.change }
        if olderKey == key { return older.change }
        return nil
    }

    /// Passes a key, which came next.
    mutating func pass(_ key: [UInt8]) {
        if newerKey == key {
            newer.move(forward: isForward)
            newerKey = newer.key
        }
        if olderKey == key {
            older.move(forward: isForward)
            olderKey = older.key
        }
    }
}

extension BelfryLMDB.Transaction where Self: ~Copyable {
    /// The changes of a table at `key` and greater keys; nil where no table has changes.
    @usableFromInline
    func layers(of table: LaggingTable, from key: [UInt8]) -> ChangeLayers? {
        guard let changes = companion as? StateChanges else { return nil }
        return ChangeLayers(changes.maps[table.index], atOrAfter: key)
    }

    /// The changes of a table at lesser keys than `key`; nil where no table has changes.
    func layers(of table: LaggingTable, before key: [UInt8]) -> ChangeLayers? {
        guard let changes = companion as? StateChanges else { return nil }
        return ChangeLayers(changes.maps[table.index], before: key)
    }

    /// Calls `body` for the entries of a tree as its changes have left them, until it returns
    /// false.
    ///
    /// - Parameters:
    ///   - changes: The changes, at the place where the loop begins.
    ///   - tree: The tree.
    ///   - start: Where the loop begins: at this key, or before it where the loop goes back.
    ///   - readsValues: Whether `body` gets the values of the tree; no bytes otherwise.
    ///   - body: Takes an entry, and returns whether to go on with the next entry. It must not
    ///     delete another entry of the table: the next key of the tree was read before.
    /// - Throws: What LMDB reports, or what `body` threw.
    @usableFromInline
    func merge(
        _ changes: consuming ChangeLayers,
        _ tree: Table,
        from start: [UInt8],
        readsValues: Bool = true,
        _ body: (_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        var layers = changes
        let failure = try StoreFailure.ofLMDB { () throws(LMDBError) in
            try withCursor(in: tree) { cursor throws(LMDBError) -> StoreFailure? in
                var found = try cursor.seek(from: start)
                if !layers.isForward { found = try cursor.move(to: .previous) }
                var treeKey = found ? try cursor.key() : nil
                while let key = layers.nextKey(treeKey) {
                    let isInTree = treeKey == key
                    let change = layers.change(at: key)
                    var value = change?.row
                    if change == nil { value = readsValues ? try cursor.entry().value : [] }
                    if let value {
                        do throws(StoreFailure) {
                            guard try body(key, value) else { return nil }
                        } catch {
                            return error
                        }
                    }
                    layers.pass(key)
                    if isInTree {
                        let isNext = try cursor.move(to: layers.isForward ? .next : .previous)
                        treeKey = isNext ? try cursor.key() : nil
                    }
                }
                return nil
            }
        }
        if let failure { throw failure }
    }
}
