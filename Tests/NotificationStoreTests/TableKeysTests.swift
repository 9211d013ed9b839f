internal import TestSupport
internal import Testing

@testable internal import NotificationRecords

/// The filter of a table's keys against a plain set, by batches of which some fail.
@Suite("The filter of a table's keys")
struct TableKeysTests {
    private static var limits: ChangeLimits {
        var limits = ChangeLimits()
        limits.leastFilteredKeys = 64
        limits.keysPerBatch = 8
        return limits
    }

    /// A table, and what the batches know of it.
    private struct Table {
        let keys = TableKeys(TableKeysTests.limits)
        var rows: Set<[UInt8]> = []

        /// Begins a batch, as the store does.
        ///
        /// `found` gets the keys that are read, and gives those that damage leaves of them.
        func begin(_ found: ([[UInt8]]) -> [[UInt8]] = { $0 }) {
            guard keys.readsKeys else { return }
            keys.read {
                rows.count
            } keys: { start, limit in
                #expect(limit <= 8 * 16)
                // LMDB takes no longer key.
                #expect(start.count <= 511)
                let sorted = rows.filter { !$0.lexicographicallyPrecedes(start) }
                    .sorted { $0.lexicographicallyPrecedes($1) }
                return found(Array(sorted.prefix(limit)))
            }
        }

        /// How many of so many keys without a row are known to have none.
        func knownCount(of count: Int, _ generator: inout SeededGenerator) -> Int {
            (0..<count).count { _ in
                let key = TableKeysTests.key(&generator)
                return !rows.contains(key) && !keys.mayContain(ChangeKey(key))
            }
        }
    }

    private static func key(_ generator: inout SeededGenerator) -> [UInt8] {
        (0..<20).map { _ in .random(in: 0...255, using: &generator) }
    }

    @Test("It never denies a row, and mostly tells a key that has none, however the table grows")
    func model() {
        var generator = SeededGenerator()
        var table = Table()
        table.rows = Set((0..<500).map { _ in Self.key(&generator) })
        table.begin()
        #expect(table.knownCount(of: 100, &generator) == 0)
        for round in 0..<4_000 {
            table.begin()
            var after = table.rows
            for _ in 0..<Int.random(in: 0...4, using: &generator) {
                let key = Self.key(&generator)
                table.keys.insert(ChangeKey(key))
                after.insert(key)
            }
            // The table grows, and then each row takes the place of another.
            let isGrown = table.rows.count > 2_000
            for _ in 0..<(isGrown ? Int.random(in: 0...4, using: &generator) : 0) {
                if let key = after.randomElement(using: &generator) { after.remove(key) }
            }
            // A batch that fails has told its keys, too.
            if Int.random(in: 0..<6, using: &generator) > 0 { table.rows = after }
            let denied = table.rows.first { !table.keys.mayContain(ChangeKey($0)) }
            #expect(denied == nil, "SEED=\(generator.seed), batch \(round)")
            if round % 500 == 499 {
                let known = table.knownCount(of: 400, &generator)
                #expect(known > 250, "SEED=\(generator.seed), batch \(round): \(known) of 400")
            }
        }
    }

    @Test(
        "Where a part of the table is lost or out of order, no key is told to have no row",
        arguments: [
            { Array($0.dropLast(1)) + [[UInt8](repeating: 0xFF, count: 20)] },
            { Array($0.dropLast(1)) + [[UInt8](repeating: 0xFF, count: 511)] },
            { $0.reversed() },
            { _ in [] },
        ] as [@Sendable ([[UInt8]]) -> [[UInt8]]]
    )
    func damaged(_ damage: @Sendable ([[UInt8]]) -> [[UInt8]]) {
        var generator = SeededGenerator()
        var table = Table()
        table.rows = Set((0..<100).map { _ in Self.key(&generator) })
        table.begin(damage)
        for _ in 0..<40 { table.begin() }
        #expect(table.knownCount(of: 100, &generator) == 0)
    }

    @Test("Where the keys cannot be read, no key is told to have no row")
    func unreadable() {
        let table = Table()
        let failure = StoreFailure.row(RowError(.missing))
        table.begin()
        #expect(!table.keys.mayContain(ChangeKey([1, 2, 3])))
        table.keys.read(rowCount: { 0 }, keys: { _, _ throws(StoreFailure) in throw failure })
        table.begin()
        #expect(table.keys.mayContain(ChangeKey([1, 2, 3])))
    }
}
