public import BelfryLMDB

// Loops over a table: its tree and the changes that are not in the tree, as one.

/// Places in the changes of a table, where a loop stands.
///
/// An object, so that the loop's closures share it: a copy would copy the ways down the maps.
@usableFromInline
final class ChangeLayers {
    /// A map, and its key where the loop stands; nil at its end.
    private struct Layer {
        let map: ChangeMap
        var cursor: ChangeCursor
        var key: ChangeKey?

        init(_ map: ChangeMap, _ cursor: ChangeCursor) {
            self.map = map
            self.cursor = cursor
            key = cursor.keyInNode
        }

        mutating func move(forward: Bool) {
            cursor.move(forward: forward)
            key = cursor.keyInNode
        }
    }

    /// Whether the loop goes to greater keys.
    let isForward: Bool
    /// The newest first.
    private var layers: InlineArray<4, Layer>
    /// Whether a layer hides rows of those behind it by its front.
    private let haveFronts: Bool

    /// The layers that have a key, by their indexes, and the tree.
    struct Sources: OptionSet {
        let rawValue: UInt8

        static let tree = Sources(rawValue: 0x80)
        static func layer(_ index: Int) -> Sources { Sources(rawValue: 1 << index) }
    }

    /// Begins at the first keys that are `key` or greater.
    convenience init(_ maps: StateChanges.Maps, atOrAfter key: [UInt8]) {
        let key = ChangeKey(key)
        self.init(maps, isForward: true) { ChangeCursor($0, atOrAfter: key) }
    }

    /// Begins at the last keys that are less than `key`.
    convenience init(_ maps: StateChanges.Maps, before key: [UInt8]) {
        let key = ChangeKey(key)
        self.init(maps, isForward: false) { ChangeCursor($0, before: key) }
    }

    private init(
        _ maps: StateChanges.Maps,
        isForward: Bool,
        _ begin: (ChangeMap) -> ChangeCursor
    ) {
        self.isForward = isForward
        layers = [
            Layer(maps.open, begin(maps.open)), Layer(maps.last, begin(maps.last)),
            Layer(maps.newer, begin(maps.newer)), Layer(maps.older, begin(maps.older)),
        ]
        haveFronts = maps.haveFronts
        for index in layers.indices { passHidden(index) }
    }

    /// The front of a newer layer that hides a key of a layer; of the tree, where that is nil.
    func front(hiding key: ChangeKey, in layer: Int? = nil) -> [UInt8]? {
        guard haveFronts else { return nil }
        for index in 0..<(layer ?? layers.count) where layers[index].map.isFronted(key) {
            return layers[index].map.front
        }
        return nil
    }

    /// Passes the keys of a layer that a newer layer hides: all before the front.
    private func passHidden(_ index: Int) {
        while let key = layers[index].key, let front = front(hiding: key, in: index) {
            let map = layers[index].map
            let next = ChangeKey(isForward ? front : [])
            layers[index] = Layer(
                map,
                isForward ? ChangeCursor(map, atOrAfter: next) : ChangeCursor(map, before: next)
            )
        }
    }

    /// The layers that have the key that comes next, and the tree where it has it; none at the end.
    func next(_ treeKey: ChangeKey?) -> Sources {
        var next = treeKey
        var sources: Sources = treeKey == nil ? [] : .tree
        for index in layers.indices {
            guard let key = layers[index].key else { continue }
            let order = next.map { self.order(key, $0) } ?? -1
            if order < 0 {
                next = key
                sources = .layer(index)
            } else if order == 0 {
                sources.insert(.layer(index))
            }
        }
        return sources
    }

    /// The key that comes next, which one of the layers has; nil where the tree alone has it.
    func key(of sources: Sources) -> ChangeKey? { newest(of: sources).flatMap { layers[$0].key } }

    /// The order in which the loop comes to two keys.
    private func order(_ one: ChangeKey, _ other: ChangeKey) -> Int {
        let order = one.compare(with: other)
        return isForward ? order : -order
    }

    /// The newest change of the key that came next; nil where the tree has the row as it is.
    func change(in sources: Sources) -> Change? {
        newest(of: sources).map { layers[$0].cursor.change }
    }

    private func newest(of sources: Sources) -> Int? {
        layers.indices.first { sources.contains(.layer($0)) }
    }

    /// Passes the key that came next.
    func pass(_ sources: Sources) {
        for index in layers.indices where sources.contains(.layer(index)) {
            layers[index].move(forward: isForward)
            passHidden(index)
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
    ///   - layers: The changes, at the place where the loop begins.
    ///   - table: The table.
    ///   - start: Where the loop begins: at this key, or before it where the loop goes back.
    ///   - prefix: The prefix of which the loop takes all rows from the first; nil for another
    ///     loop.
    ///   - readsValues: Whether `body` gets the values of the tree; no bytes otherwise.
    ///   - body: Takes an entry, and returns whether to go on with the next entry.
    /// - Throws: What LMDB reports, or what `body` threw.
    @usableFromInline
    func merge(
        _ layers: ChangeLayers,
        _ table: StoreTable,
        from start: [UInt8],
        frontOf prefix: [UInt8]? = nil,
        readsValues: Bool = true,
        _ body: (_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        var passed = prefix == nil ? Int.min : 0
        let failure = try StoreFailure.ofLMDB { () throws(LMDBError) in
            try withCursor(in: table.tree) { cursor throws(LMDBError) -> StoreFailure? in
                var found = try cursor.seek(from: start)
                if !layers.isForward { found = try cursor.move(to: .previous) }
                var treeKey = try Self.key(found, of: &cursor, layers)
                while true {
                    let sources = layers.next(treeKey)
                    guard let key = layers.key(of: sources) ?? treeKey else { break }
                    let change = layers.change(in: sources)
                    var value = change?.row
                    if change == nil { value = readsValues ? try cursor.entry().value : [] }
                    if let value {
                        let key = key.bytes
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
                    layers.pass(sources)
                    if sources.contains(.tree) {
                        found = try cursor.move(to: layers.isForward ? .next : .previous)
                        treeKey = try Self.key(found, of: &cursor, layers)
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

    /// The key under a cursor of the tree, or the next one that no layer hides by its front; nil
    /// at the end.
    private static func key(
        _ found: Bool,
        of cursor: inout Cursor,
        _ layers: ChangeLayers
    ) throws(LMDBError) -> ChangeKey? {
        var found = found
        while found {
            let key = ChangeKey(try cursor.key())
            guard let front = layers.front(hiding: key) else { return key }
            // All keys before a front are hidden.
            guard layers.isForward else { return nil }
            found = try cursor.seek(from: front)
        }
        return nil
    }
}

extension StateChanges.Maps {
    /// Whether a key comes before the front of one of the maps.
    func isFronted(_ key: ChangeKey) -> Bool {
        open.isFronted(key) || last.isFronted(key) || newer.isFronted(key) || older.isFronted(key)
    }

    /// Whether one of the maps has a front.
    var haveFronts: Bool {
        !(open.front == nil && last.front == nil && newer.front == nil && older.front == nil)
    }

    /// Whether the tree has all rows as they are.
    var isEmpty: Bool { open.isEmpty && last.isEmpty && newer.isEmpty && older.isEmpty }
}
