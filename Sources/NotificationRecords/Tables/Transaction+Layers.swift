public import BelfryLMDB

// Loops over a table: its tree and the changes that are not in the tree, as one.

/// Places in the changes of a table, where a loop stands.
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
    /// The changes of a table from the first key with `prefix` on, or from `start`, and where the
    /// loop begins; nil where there are none.
    @usableFromInline
    func layers(
        of table: StoreTable,
        _ prefix: [UInt8],
        from start: [UInt8]?
    ) -> (layers: ChangeLayers, start: [UInt8])? {
        guard let index = table.index, let changes = companion as? StateChanges,
            !changes.maps[index].isEmpty
        else { return nil }
        let start = start ?? changes.front(of: prefix, in: index) ?? prefix
        return (ChangeLayers(changes.maps[index], atOrAfter: start), start)
    }

    /// The changes of a table at lesser keys than `key`; nil where there are none.
    func layers(of table: StoreTable, before key: [UInt8]) -> ChangeLayers? {
        guard let index = table.index, let changes = companion as? StateChanges,
            !changes.maps[index].isEmpty
        else { return nil }
        return ChangeLayers(changes.maps[index], before: key)
    }

    /// Notes where the rows with a prefix begin, where a loop passed deleted rows to get there.
    private func note(front key: [UInt8]?, of prefix: [UInt8], in table: StoreTable) {
        guard let index = table.index, let changes = companion as? StateChanges else { return }
        let end = prefix + longestRest(of: prefix)
        changes.note(front: key ?? end, of: prefix, in: index)
    }

    /// Calls `body` for the entries of a tree as its changes have left them, until it returns
    /// false.
    ///
    /// - Parameters:
    ///   - changes: The changes, at the place where the loop begins.
    ///   - table: The table.
    ///   - start: Where the loop begins: at this key, or before it where the loop goes back.
    ///   - prefix: The prefix of which the loop takes all rows from the first; nil for another
    ///     loop.
    ///   - readsValues: Whether `body` gets the values of the tree; no bytes otherwise.
    ///   - body: Takes an entry, and returns whether to go on with the next entry.
    /// - Throws: What LMDB reports, or what `body` threw.
    @usableFromInline
    func merge(
        _ changes: consuming ChangeLayers,
        _ table: StoreTable,
        from start: [UInt8],
        frontOf prefix: [UInt8]? = nil,
        readsValues: Bool = true,
        _ body: (_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        var layers = changes
        var passed = prefix == nil ? Int.min : 0
        let failure = try StoreFailure.ofLMDB { () throws(LMDBError) in
            try withCursor(in: table.tree) { cursor throws(LMDBError) -> StoreFailure? in
                var found = try cursor.seek(from: start)
                if !layers.isForward { found = try cursor.move(to: .previous) }
                var treeKey = found ? try cursor.key() : nil
                while let key = layers.nextKey(treeKey) {
                    let isInTree = treeKey == key
                    let change = layers.change(at: key)
                    var value = change?.row
                    if change == nil { value = readsValues ? try cursor.entry().value : [] }
                    if let value {
                        if passed >= TableFronts.deletedRowCount, let prefix {
                            note(front: key, of: prefix, in: table)
                        }
                        passed = .min
                        do throws(StoreFailure) {
                            guard try body(key, value) else { return nil }
                        } catch {
                            return error
                        }
                    } else {
                        passed += 1
                    }
                    layers.pass(key)
                    if isInTree {
                        let isNext = try cursor.move(to: layers.isForward ? .next : .previous)
                        treeKey = isNext ? try cursor.key() : nil
                    }
                }
                if passed >= TableFronts.deletedRowCount, let prefix {
                    note(front: nil, of: prefix, in: table)
                }
                return nil
            }
        }
        if let failure { throw failure }
    }
}

extension StateChanges.Maps {
    /// Whether the tree has all rows as they are.
    var isEmpty: Bool { newer.isEmpty && older.isEmpty }
}
