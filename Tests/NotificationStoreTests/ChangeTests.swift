internal import BelfryLMDB
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationLog
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

/// Tables whose changes are in the log first, against plain dictionaries: through batches that
/// fail, through readers that hold an older state, and through kills and power cuts between any
/// two slices of a merge.
@Suite("Changes before the trees")
struct ChangeTests {
    private typealias Rows = [[UInt8]: [UInt8]]
    private typealias Model = [TableName: Rows]

    /// Some that are counted, and one whose rows are taken from the front.
    private static let tables: [TableName] = [
        .identifiers, .dueElapsed, .records, .centers, .idempotency,
    ]
    private static let now = Now(elapsed: ElapsedInstant(nanoseconds: 0), wall: .newYear)

    /// An error that ends a batch.
    private static let failure = StoreFailure.row(RowError(.missing))

    /// The usual limits, with a log that takes no time to make.
    private static var limits: ChangeLimits {
        var limits = ChangeLimits()
        limits.log = LogShape(segmentByteCount: 64 * LogShape.blockByteCount, segmentCount: 3)
        return limits
    }

    private static func limits(_ generator: inout SeededGenerator) -> ChangeLimits {
        var limits = ChangeLimits()
        limits.changesPerMerge = Int.random(in: 1...60, using: &generator)
        limits.rowsPerSlice = Int.random(in: 1...9, using: &generator)
        limits.bytesPerMerge = Int.random(in: 1...100, using: &generator) << 10
        limits.leastFilteredKeys = Int.random(in: 1...60, using: &generator)
        limits.keysPerBatch = Int.random(in: 1...20, using: &generator)
        limits.log = LogShape(
            segmentByteCount: Int.random(in: 3...64, using: &generator) * LogShape.blockByteCount,
            segmentCount: Int.random(in: 3...4, using: &generator)
        )
        return limits
    }

    /// A store's files that can be closed and opened again: the log's are on a simulated disk.
    private struct File {
        let directory: ScratchDirectory
        let disk: SimulatedDisk
        let limits: ChangeLimits
        let environment: Environment
        let tables: Tables

        var keeper: ChangeKeeper { tables.keeper }

        init(_ limits: ChangeLimits, seed: UInt64 = 1, mapSize: Int = 1 << 30) throws {
            try self.init(try ScratchDirectory(), SimulatedDisk(seed: seed), limits, mapSize)
        }

        private init(
            _ directory: ScratchDirectory,
            _ disk: SimulatedDisk,
            _ limits: ChangeLimits,
            _ mapSize: Int
        ) throws {
            self.directory = directory
            self.disk = disk
            self.limits = limits
            var options = Environment.Options()
            options.mapSize = mapSize
            environment = try Environment(directory: directory.path, options: options)
            tables = try Tables(environment, log: disk, changes: limits)
        }

        /// Opens a copy of the files as a kill or a power cut leaves them.
        mutating func crash(cuttingPower: Bool) throws {
            let copy = try ScratchDirectory()
            _ = try Files.copy(directory.path + "/data.mdb", to: copy.path + "/data.mdb")
            if cuttingPower { disk.cutPower() } else { disk.kill() }
            self = try File(copy, disk, limits, environment.statistics.mapByteCount)
        }
    }

    @Test("They have the rows that were written, in every state and after every start")
    func model() throws {
        var generator = SeededGenerator()
        for _ in 0..<12 {
            let seed = UInt64.random(in: 0...UInt64.max, using: &generator)
            var file = try File(Self.limits(&generator), seed: seed)
            var model = Model()
            var knownCount = 0
            for _ in 0..<120 {
                let before = model
                let absent = ChangeKey([9, 9, 9, 9])
                if !file.keeper.newest.tableKeys.mayContain(absent) { knownCount += 1 }
                // Without a reader the maps are changed where they are.
                if Bool.random(using: &generator) {
                    try file.environment.reading { reader throws(StoreFailure) in
                        try writeAndMerge(file, &model, &generator)
                        try compare(reader, file.tables, before, &generator)
                    }
                } else {
                    try writeAndMerge(file, &model, &generator)
                }
                try file.environment.reading { reader throws(StoreFailure) in
                    try compare(reader, file.tables, model, &generator)
                }
                if Int.random(in: 0..<12, using: &generator) == 0 {
                    try file.crash(cuttingPower: Bool.random(using: &generator))
                }
            }
            #expect(knownCount > 0, "SEED=\(generator.seed)")
        }
    }

    @Test("A reader finds its rows in the log, whatever is written and merged meanwhile")
    func held() throws {
        var generator = SeededGenerator()
        for _ in 0..<4 {
            let file = try File(Self.limits(&generator))
            var model = Model()
            for _ in 0..<8 {
                try write(file, &model, &generator)
                let before = model
                try file.environment.reading { reader throws(StoreFailure) in
                    for _ in 0..<40 {
                        while try file.keeper.mergeSlice(file.environment) {}
                        try write(file, &model, &generator)
                    }
                    try compare(reader, file.tables, before, &generator)
                }
            }
            try file.environment.reading { reader throws(StoreFailure) in
                try compare(reader, file.tables, model, &generator)
            }
        }
    }

    @Test("What a backup keeps for its copy of the trees holds no segment of the log")
    func keptForABackup() throws {
        var limits = ChangeLimits()
        limits.changesPerMerge = 1
        let file = try File(limits)
        func write(_ value: UInt8) throws {
            try file.tables.batch(in: file.environment, at: Self.now) {
                transaction throws(StoreFailure) in
                let row = [UInt8](repeating: value, count: 100)
                try transaction.put(bytes: row, at: [value], in: file.tables[.identifiers])
            }
        }
        try write(0)
        let kept = try file.keeper.withoutMerges { $0 }
        for value in UInt8(1)...10 {
            try file.keeper.mergeSlice(file.environment)
            try write(value)
            #expect(file.keeper.newest.mark.number == UInt64(value) + 1)
        }
        let copy = try ScratchDirectory()
        let environment = try Environment(directory: copy.path)
        try kept.complete(environment)
        try environment.reading { reader throws(StoreFailure) in
            let table = StoreTable(
                tree: try StoreFailure.ofLMDB { () throws(LMDBError) in
                    try environment.table(TableName.identifiers.rawValue)
                }
            )
            #expect(try reader.value(at: [0], in: table) == [UInt8](repeating: 0, count: 100))
            #expect(try reader.value(at: [1], in: table) == nil)
        }
    }

    @Test("A reader of a state before the last merge begins again")
    func states() throws {
        var limits = ChangeLimits()
        limits.changesPerMerge = 1
        let file = try File(limits)
        let first = try file.environment.reading { $0.id }
        #expect(file.keeper.companion(ofState: first) != nil)
        for value in UInt8(0)..<6 {
            try file.tables.batch(in: file.environment, at: Self.now) {
                transaction throws(StoreFailure) in
                try transaction.put(bytes: [value], at: [1], in: file.tables[.identifiers])
            }
            try file.keeper.mergeSlice(file.environment)
            try file.environment.reading { reader throws(StoreFailure) in
                let row = try reader.value(at: [1], in: file.tables[.identifiers])
                #expect(row == [value])
            }
            #expect(file.keeper.companion(ofState: first) == nil)
        }
    }

    @Test("A merge is behind, in time or ahead by what comes while it goes on")
    func pace() throws {
        var limits = ChangeLimits()
        limits.changesPerMerge = 100
        let file = try File(limits)
        var number: UInt8 = 0
        func write(_ count: Int) throws {
            try file.tables.batch(in: file.environment, at: Self.now) {
                transaction throws(StoreFailure) in
                for _ in 0..<count {
                    number += 1
                    try transaction.put(bytes: [1], at: [number], in: file.tables[.identifiers])
                }
            }
        }
        try write(100)
        #expect(file.keeper.pace == .inTime)
        try write(60)
        #expect(file.keeper.pace == .behind)
        try file.keeper.mergeSlice(file.environment, atMost: 20)
        #expect(file.keeper.pace == .inTime)
        try write(20)
        #expect(file.keeper.pace == .behind)
        try file.keeper.mergeSlice(file.environment, atMost: 79)
        #expect(file.keeper.pace == .inTime)
        while try file.keeper.mergeSlice(file.environment) {}
        #expect(file.keeper.pace == nil)
        #expect(file.keeper.beginMerge())
        try file.keeper.mergeSlice(file.environment, atMost: 1)
        #expect(file.keeper.pace == .ahead)
    }

    @Test("A merge of all leaves every row in its tree, and nothing to replay")
    func mergedAtOnce() throws {
        var generator = SeededGenerator()
        let file = try File(Self.limits(&generator))
        var model = Model()
        for _ in 0..<60 {
            while file.keeper.isTooFarBehind { try file.keeper.mergeSlice(file.environment) }
            try write(file, &model, &generator)
        }
        try file.tables.mergeChanges(file.environment)
        try file.environment.reading { reader throws(StoreFailure) in
            #expect((reader.companion as? StateChanges)?.isBehind == false)
            for table in Self.tables {
                var rows = Rows()
                let tree = StoreTable(tree: file.tables[table].tree)
                try reader.scan(bytesOf: tree) { key, value in
                    rows[key] = value
                    return true
                }
                #expect(rows == model[table] ?? [:], "SEED=\(generator.seed)")
            }
        }
        try write(file, &model, &generator)
        try file.environment.reading { reader throws(StoreFailure) in
            try compare(reader, file.tables, model, &generator)
        }
    }

    @Test("A row that came back over a deletion is deleted from its tree, too")
    func backOverADeletion() throws {
        let file = try File(Self.limits)
        let table = file.tables[.identifiers]
        func batch(
            _ body: (borrowing ChangeTransaction) throws(StoreFailure) -> Void
        ) throws(StoreFailure) {
            try file.tables.batch(in: file.environment, at: Self.now) {
                transaction throws(StoreFailure) in
                try body(transaction)
            }
        }
        try batch { transaction throws(StoreFailure) in
            try transaction.put(bytes: [1], at: [1], in: table)
        }
        try file.tables.mergeChanges(file.environment)
        for value in UInt8(2)...3 {
            try batch { transaction throws(StoreFailure) in
                try transaction.delete(bytes: [1], in: table)
            }
            try file.environment.reading { reader throws(StoreFailure) in
                #expect(try reader.value(at: [1], in: table) == nil)
            }
            try batch { transaction throws(StoreFailure) in
                try transaction.set([value], at: [1], in: table, isNew: true)
            }
        }
        try file.environment.reading { reader throws(StoreFailure) in
            #expect(try reader.value(at: [1], in: table) == [3])
        }
    }

    @Test("A commit changes the maps where they are, and those that somebody reads in copies")
    func inPlace() throws {
        let file = try File(Self.limits)
        let table = file.tables[.identifiers]
        /// Writes a row, and tells whether the map has the same node as before.
        func isInPlace(_ key: UInt8) throws(StoreFailure) -> Bool {
            func root() -> ObjectIdentifier? {
                file.keeper.newest.maps[TableName.identifiers.index].newer.root.map {
                    ObjectIdentifier($0)
                }
            }
            let before = root()
            try file.tables.batch(in: file.environment, at: Self.now) {
                transaction throws(StoreFailure) in
                try transaction.put(bytes: [key], at: [key], in: table)
            }
            return root() == before
        }
        #expect(try !isInPlace(0))
        #expect(try isInPlace(1))
        try file.environment.reading { reader throws(StoreFailure) in
            #expect(try !isInPlace(2))
            #expect(try reader.value(at: [2], in: table) == nil)
            #expect(try isInPlace(3))
        }
        #expect(try isInPlace(4))
        #expect(file.keeper.beginMerge())
        #expect(try !isInPlace(5))
        try file.keeper.mergeSlice(file.environment, atMost: 1)
        #expect(try isInPlace(6))
    }

    @Test("A batch that changes no row writes no frame")
    func unchanged() throws {
        let file = try File(Self.limits)
        let before = file.keeper.newest.mark
        try file.tables.batch(in: file.environment, at: Self.now) { _ throws(StoreFailure) in }
        #expect(file.keeper.newest.mark == before)
    }

    @Test("A batch that no segment can hold is written into the trees, with all that was behind")
    func long() throws {
        var limits = ChangeLimits()
        limits.log = LogShape(segmentByteCount: 4 * LogShape.blockByteCount, segmentCount: 3)
        var file = try File(limits)
        let table = file.tables[.records]
        for round in UInt8(0)..<3 {
            try file.tables.batch(in: file.environment, at: Self.now) {
                transaction throws(StoreFailure) in
                try transaction.put(bytes: [round], at: [1, round], in: table)
            }
            try file.tables.batch(in: file.environment, at: Self.now) {
                transaction throws(StoreFailure) in
                let row = [UInt8](repeating: round, count: 20_000)
                try transaction.put(bytes: row, at: [2, round], in: table)
            }
            #expect(!file.keeper.newest.isBehind)
            try file.crash(cuttingPower: true)
            try file.environment.reading { reader throws(StoreFailure) in
                let keys = try reader.keys(bytesOf: table)
                #expect(keys.count == 2 * (Int(round) + 1))
                #expect(try reader.rowCount(of: file.tables.records) == keys.count)
            }
        }
    }

    @Test("A batch that the rest of a segment cannot hold has its rows in the next one")
    func moved() throws {
        var limits = ChangeLimits()
        limits.log = LogShape(segmentByteCount: 4 * LogShape.blockByteCount, segmentCount: 3)
        let file = try File(limits)
        let table = file.tables[.records]
        // The first ones of the second batch would have had a place in the rest of the segment.
        let rows = (UInt8(0)..<100).map { [UInt8](repeating: $0, count: 100) }
        for batch in [rows[..<1], rows[1...]] {
            try file.tables.batch(in: file.environment, at: Self.now) {
                transaction throws(StoreFailure) in
                for (index, row) in zip(batch.indices, batch) {
                    try transaction.put(bytes: row, at: [UInt8(index)], in: table)
                }
            }
        }
        #expect(file.keeper.newest.mark.generation == 1)
        try file.environment.reading { reader throws(StoreFailure) in
            for (index, row) in rows.enumerated() {
                #expect(try reader.value(at: [UInt8(index)], in: table) == row)
            }
        }
    }

    @Test("Where the log is full, batches go into the trees; where these are, one is refused")
    func full() throws {
        var limits = ChangeLimits()
        limits.log = LogShape(segmentByteCount: 4 * LogShape.blockByteCount, segmentCount: 3)
        var file = try File(limits, mapSize: 1 << 20)
        var keys: [[UInt8]] = []
        var error: StoreFailure?
        while error == nil {
            let key = [UInt8(keys.count >> 8), UInt8(keys.count & 0xFF)]
            do throws(StoreFailure) {
                try file.tables.batch(in: file.environment, at: Self.now) {
                    transaction throws(StoreFailure) in
                    let row = [UInt8](repeating: 1, count: 3_000)
                    try transaction.put(bytes: row, at: key, in: file.tables[.records])
                }
                keys.append(key)
            } catch let failure {
                error = failure
            }
        }
        #expect(error?.isOutOfSpace == true && keys.count > 50)
        for _ in 0..<2 {
            try file.environment.reading { reader throws(StoreFailure) in
                #expect(try reader.keys(bytesOf: file.tables[.records]) == keys)
            }
            try file.crash(cuttingPower: true)
        }
    }

    @Test("A loop from the front passes the deleted rows once, and sees what comes before them")
    func fronts() throws {
        let file = try File(Self.limits)
        let table = file.tables[.dueElapsed]
        let keys = (UInt8(0)..<100).map { [5, $0] }
        func change(_ body: (borrowing ChangeTransaction) throws(StoreFailure) -> Void) throws {
            try file.tables.batch(in: file.environment, at: Self.now, body)
        }
        try change { transaction throws(StoreFailure) in
            for key in keys { try transaction.put(bytes: [], at: key, in: table) }
        }
        try file.tables.mergeChanges(file.environment)
        try change { transaction throws(StoreFailure) in
            for key in keys.dropLast() { try transaction.delete(bytes: key, in: table) }
            for prefix in [[], [5]] as [[UInt8]] {
                let first = try transaction.keys(bytesOf: table, prefix, atMost: 1)
                #expect(first == [[5, 99]])
                let changes = transaction.companion as? StateChanges
                #expect(changes?.front(of: prefix, in: TableName.dueElapsed.index) == [5, 99])
            }
        }
        try change { transaction throws(StoreFailure) in
            try transaction.put(bytes: [], at: [5, 7], in: table)
            #expect(try transaction.keys(bytesOf: table, atMost: 1) == [[5, 7]])
            try transaction.put(bytes: [], at: [4], in: table)
            #expect(try transaction.keys(bytesOf: table, atMost: 1) == [[4]])
            #expect(try transaction.keys(bytesOf: table, [5]) == [[5, 7], [5, 99]])
        }
        try change { transaction throws(StoreFailure) in
            for key in try transaction.keys(bytesOf: table) {
                try transaction.delete(bytes: key, in: table)
            }
            #expect(try transaction.keys(bytesOf: table).isEmpty)
            try transaction.put(bytes: [], at: [9, 9], in: table)
            #expect(try transaction.keys(bytesOf: table, atMost: 1) == [[9, 9]])
        }
    }

    @Test("A start finds none of the rows before a front, though a later front is before it")
    func laterFront() throws {
        var file = try File(Self.limits)
        let keys = (UInt8(1)...5).map { [$0] }
        func batch(
            _ body: (borrowing ChangeTransaction, StoreTable) throws(StoreFailure) -> Void
        ) throws {
            try file.tables.batch(in: file.environment, at: Self.now) {
                transaction throws(StoreFailure) in
                try body(transaction, file.tables[.dueElapsed])
            }
        }
        try batch { transaction, table throws(StoreFailure) in
            for key in keys { try transaction.put(bytes: [], at: key, in: table) }
        }
        try file.tables.mergeChanges(file.environment)
        try batch { transaction, table throws(StoreFailure) in
            transaction.note(first: keys, in: table)
            for key in keys.prefix(3) { try transaction.delete(bytes: key, in: table) }
        }
        try batch { transaction, table throws(StoreFailure) in
            try transaction.set([], at: [1], in: table, isNew: true)
        }
        // The row is among the older changes then, and a front deletes it.
        file.keeper.beginMerge()
        try batch { transaction, table throws(StoreFailure) in
            transaction.note(first: [[1]], in: table)
            try transaction.delete(bytes: [1], in: table)
        }
        let maps = file.keeper.newest.maps[TableName.dueElapsed.index]
        #expect(maps.older.front == [3, 0])
        #expect(maps.newer.front == [1, 0])
        for _ in 0..<2 {
            try file.environment.reading { reader throws(StoreFailure) in
                let found = try reader.keys(bytesOf: file.tables[.dueElapsed])
                #expect(found == [[4], [5]])
            }
            try file.crash(cuttingPower: false)
        }
    }

    @Test("All keys are known, too, where the tree has rows that are deleted and not merged yet")
    func filterOverDeletions() throws {
        var limits = Self.limits
        (limits.leastFilteredKeys, limits.keysPerBatch) = (1, 100)
        var file = try File(limits)
        let keys = (0..<10 as Range<UInt8>).map { [1, $0] }
        for isThere in [true, false] {
            let table = file.tables[.identifiers]
            try file.tables.batch(in: file.environment, at: Self.now) {
                transaction throws(StoreFailure) in
                for key in keys.suffix(isThere ? 10 : 6) {
                    if isThere {
                        try transaction.put(bytes: [1], at: key, in: table)
                    } else {
                        try transaction.delete(bytes: key, in: table)
                    }
                }
            }
            if isThere { try file.tables.mergeChanges(file.environment) }
        }
        try file.crash(cuttingPower: false)
        _ = try file.tables.beginBatch(file.environment)
        let known = file.keeper.newest.tableKeys
        #expect(!known.mayContain(ChangeKey([9, 9, 9])))
        #expect(keys.prefix(4).allSatisfy { known.mayContain(ChangeKey($0)) })
    }

    @Test("A filter of keys that is begun has those of the batch that is being written")
    func filterOverUnsynced() throws {
        var limits = Self.limits
        (limits.leastFilteredKeys, limits.keysPerBatch) = (1, 1)
        let file = try File(limits)
        let keys = file.keeper.newest.tableKeys
        // Knows all keys of an empty table, and has too many keys then.
        let first = try file.tables.beginBatch(file.environment)
        for number in 0..<200 as Range<UInt8> {
            let table = file.tables[.identifiers]
            try first.set([1], at: [1, number], in: table, isNew: true)
        }
        #expect(keys.readsKeys)
        let made = first.frame(at: Self.now)
        let frame = try #require(made)
        let next = try file.tables.beginBatch(file.environment, over: first)
        #expect(keys.mayContain(ChangeKey([1, 100])))
        let holds = try first.finish(frame.append(), before: next)
        #expect(holds)
        try next.commit(at: Self.now)
        // Reads some of them before the next batch.
        _ = try file.tables.beginBatch(file.environment)
        #expect(keys.isGrowing)
    }

    private func writeAndMerge(
        _ file: File,
        _ model: inout Model,
        _ generator: inout SeededGenerator
    ) throws(StoreFailure) {
        while file.keeper.isTooFarBehind { try file.keeper.mergeSlice(file.environment) }
        if Bool.random(using: &generator) {
            try write(file, &model, &generator)
        } else {
            try writeAhead(file, &model, &generator)
        }
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            try file.keeper.mergeSlice(file.environment)
        }
    }

    /// Writes random rows in one batch, which fails now and then.
    private func write(
        _ file: File,
        _ model: inout Model,
        _ generator: inout SeededGenerator
    ) throws(StoreFailure) {
        let fails = Int.random(in: 0..<6, using: &generator) == 0
        var changed = model
        do throws(StoreFailure) {
            try file.tables.batch(in: file.environment, at: Self.now) {
                transaction throws(StoreFailure) in
                try fill(transaction, file.tables, &changed, &generator)
                if fails { throw Self.failure }
            }
            model = changed
        } catch {
            guard fails else { throw error }
        }
    }

    /// Writes random rows in some batches, each of which is made before the last one is durable.
    private func writeAhead(
        _ file: File,
        _ model: inout Model,
        _ generator: inout SeededGenerator
    ) throws(StoreFailure) {
        let first = try file.tables.beginBatch(file.environment)
        var changed = model
        try fill(first, file.tables, &changed, &generator)
        let count = Int.random(in: 1...4, using: &generator)
        try goAhead(first, changed, count, file, &model, &generator)
    }

    /// Makes the next batch while one is written to the log, then goes on with that one; `changed`
    /// is what there is with the batch.
    private func goAhead(
        _ batch: borrowing ChangeTransaction,
        _ changed: Model,
        _ count: Int,
        _ file: File,
        _ model: inout Model,
        _ generator: inout SeededGenerator
    ) throws(StoreFailure) {
        guard count > 0, let frame = batch.frame(at: Self.now) else {
            try batch.commit(at: Self.now)
            model = changed
            return
        }
        let next = try file.tables.beginBatch(file.environment, over: batch)
        var changedNext = changed
        try fill(next, file.tables, &changedNext, &generator)
        try file.environment.reading { reader throws(StoreFailure) in
            try compare(reader, file.tables, model, &generator)
        }
        for _ in 0..<Int.random(in: 0...2, using: &generator) {
            try file.keeper.mergeSlice(file.environment)
        }
        // Now and then there is no space for the frame, and nothing of either batch happened.
        if Int.random(in: 0..<10, using: &generator) == 0 { return }
        let holds = try batch.finish(frame.append(), before: next)
        model = changed
        try file.environment.reading { reader throws(StoreFailure) in
            try compare(reader, file.tables, model, &generator)
        }
        guard holds else { return }
        try goAhead(next, changedNext, count - 1, file, &model, &generator)
    }

    /// Changes random rows in a batch, and reads them there.
    private func fill(
        _ transaction: borrowing ChangeTransaction,
        _ tables: Tables,
        _ model: inout Model,
        _ generator: inout SeededGenerator
    ) throws(StoreFailure) {
        for _ in 0..<Int.random(in: 0...12, using: &generator) {
            try change(transaction, tables, &model, &generator)
        }
        for table in Self.tables {
            try compare(transaction, tables, model, table, &generator)
            let first = model[table]?.keys.min { $0.lexicographicallyPrecedes($1) }
            #expect(try transaction.firstKey(in: tables[table]) == first)
        }
    }

    private func change(
        _ transaction: borrowing ChangeTransaction,
        _ tables: Tables,
        _ model: inout Model,
        _ generator: inout SeededGenerator
    ) throws(StoreFailure) {
        let table = Self.tables.randomElement(using: &generator) ?? .identifiers
        let key = Self.key(&generator)
        let store = tables[table]
        if Bool.random(using: &generator) {
            let count = Int.random(in: 0...40, using: &generator) * (table == .records ? 90 : 1)
            let byte = UInt8.random(in: 0...255, using: &generator)
            let value = [UInt8](repeating: byte, count: count)
            // A row that is told to be new is deleted without a look at the tree.
            let isNew = model[table]?[key] == nil && Bool.random(using: &generator)
            try transaction.set(value, at: key, in: store, isNew: isNew)
            model[table, default: [:]][key] = value
        } else if Bool.random(using: &generator) {
            let value = model[table, default: [:]].removeValue(forKey: key)
            let wasRead = value != nil && Bool.random(using: &generator)
            let wasThere = try transaction.remove(key, in: store, wasRead: wasRead)
            #expect(wasThere == (value != nil), "SEED=\(generator.seed)")
        } else {
            try takeFirst(transaction, store, &model[table, default: [:]], &generator)
        }
    }

    /// Deletes some rows from the front, of which the batch knows that they are the first.
    private func takeFirst(
        _ transaction: borrowing ChangeTransaction,
        _ table: StoreTable,
        _ rows: inout Rows,
        _ generator: inout SeededGenerator
    ) throws(StoreFailure) {
        let keys = rows.keys.sorted { $0.lexicographicallyPrecedes($1) }
        let known = Int.random(in: 1...5, using: &generator)
        if keys.count > known { transaction.note(first: Array(keys.prefix(known)), in: table) }
        for key in keys.prefix(Int.random(in: 1...4, using: &generator)) {
            rows[key] = nil
            let wasThere = try transaction.remove(key, in: table, wasRead: true)
            #expect(wasThere, "SEED=\(generator.seed)")
            // It is gone until it is written again.
            let isThere = try transaction.remove(key, in: table, wasRead: false)
            #expect(!isThere, "SEED=\(generator.seed)")
            guard Int.random(in: 0..<4, using: &generator) == 0 else { continue }
            rows[key] = [1]
            let isNew = Bool.random(using: &generator)
            try transaction.set([1], at: key, in: table, isNew: isNew)
            return
        }
    }

    private static func key(_ generator: inout SeededGenerator) -> [UInt8] {
        let count = Int.random(in: 1...3, using: &generator)
        return (0..<count).map { _ in UInt8.random(in: 0...4, using: &generator) * 0x3F }
    }

    private func compare(
        _ transaction: borrowing ReadTransaction,
        _ tables: Tables,
        _ model: Model,
        _ generator: inout SeededGenerator
    ) throws(StoreFailure) {
        for table in Self.tables {
            try compare(transaction, tables, model, table, &generator)
        }
    }

    /// Reads a table in all ways.
    private func compare(
        _ transaction: borrowing some BelfryLMDB.Transaction & ~Copyable,
        _ tables: Tables,
        _ model: Model,
        _ table: TableName,
        _ generator: inout SeededGenerator
    ) throws(StoreFailure) {
        let store = tables[table]
        let rows = model[table] ?? [:]
        let seed = "SEED=\(generator.seed)"
        let (key, prefix) = (Self.key(&generator), Array(Self.key(&generator).prefix(1)))
        #expect(try transaction.value(at: key, in: store) == rows[key], "\(seed)")
        #expect(try transaction.contains(bytes: key, in: store) == (rows[key] != nil), "\(seed)")
        switch table {
        case .records:
            #expect(try transaction.rowCount(of: tables.records) == rows.count, "\(seed)")
        case .centers:
            #expect(try transaction.rowCount(of: tables.centers) == rows.count, "\(seed)")
        case .idempotency:
            #expect(try transaction.rowCount(of: tables.idempotency) == rows.count, "\(seed)")
        default: break
        }
        let keys = rows.keys.sorted { $0.lexicographicallyPrecedes($1) }
        var found: [[UInt8]] = []
        try transaction.scan(bytesOf: store, from: key) { key, value in
            found.append(key)
            #expect(rows[key] == value, "\(seed)")
            return true
        }
        #expect(found == keys.filter { !$0.lexicographicallyPrecedes(key) }, "\(seed)")
        let owned = keys.filter { $0.starts(with: prefix) }
        #expect(try transaction.keys(bytesOf: store, prefix) == owned, "\(seed)")
        #expect(try transaction.keys(bytesOf: store, atMost: 2) == Array(keys.prefix(2)), "\(seed)")
        let last = try transaction.entries(bytesOf: store, prefix, before: key, atMost: 3)
        let expected = owned.filter { $0.lexicographicallyPrecedes(key) }.suffix(3).reversed()
        // A loop back ends at the first key that has another prefix.
        if prefix[0] == key[0] { #expect(last.map(\.key) == Array(expected), "\(seed)") }
        #expect(last.allSatisfy { rows[$0.key] == $0.value }, "\(seed)")
    }
}
