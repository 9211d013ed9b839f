internal import BelfryLMDB
internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

/// Tables that lag against plain dictionaries: through transactions that fail, through readers that
/// hold an older state, and through restarts between any two slices of a merge.
@Suite("Lagging tables")
struct LaggingTableTests {
    private typealias Rows = [[UInt8]: [UInt8]]
    private typealias Model = [LaggingTable: Rows]

    /// All but the state, whose tree has other rows as well.
    private static let tables = LaggingTable.allCases.filter { $0 != .state }

    /// An error that ends a transaction.
    private static let failure = StoreFailure.row(RowError(.missing))

    private static func limits(_ generator: inout SeededGenerator) -> ChangeLimits {
        var limits = ChangeLimits()
        limits.changesPerMerge = Int.random(in: 1...60, using: &generator)
        limits.mergedPerBatch = Int.random(in: 0...9, using: &generator)
        limits.trimmedPerBatch = Int.random(in: 1...3, using: &generator)
        limits.gatheredRows = Int.random(in: 1...25, using: &generator)
        limits.gatheredRowBytes = Int.random(in: 20...50, using: &generator)
        return limits
    }

    /// A store's file that can be closed and opened again.
    private struct File {
        let directory: ScratchDirectory
        let limits: ChangeLimits
        var environment: Environment
        var tables: Tables

        init(_ limits: ChangeLimits) throws {
            directory = try ScratchDirectory()
            self.limits = limits
            environment = try Self.open(directory)
            tables = try Tables(environment, changes: limits)
        }

        private static func open(_ directory: ScratchDirectory) throws -> Environment {
            var options = Environment.Options()
            options.mapSize = 1 << 30
            return try Environment(directory: directory.path, options: options)
        }

        /// Opens a copy of the file as it is now, as after a crash.
        mutating func crash() throws {
            let copy = try ScratchDirectory()
            _ = try Files.copy(directory.path + "/data.mdb", to: copy.path + "/data.mdb")
            self = try File(copyIn: copy, limits)
        }

        private init(copyIn directory: ScratchDirectory, _ limits: ChangeLimits) throws {
            self.directory = directory
            self.limits = limits
            environment = try Self.open(directory)
            tables = try Tables(environment, changes: limits)
        }
    }

    @Test("They have the rows that were written, in every state and after every start")
    func model() throws {
        var generator = SeededGenerator()
        for _ in 0..<12 {
            var file = try File(Self.limits(&generator))
            var model = Model()
            for _ in 0..<120 {
                let before = model
                try file.environment.reading { reader throws(StoreFailure) in
                    try write(file, &model, &generator)
                    try compare(reader, file.tables, before, &generator)
                }
                try file.environment.reading { reader throws(StoreFailure) in
                    try compare(reader, file.tables, model, &generator)
                }
                if Int.random(in: 0..<12, using: &generator) == 0 { try file.crash() }
            }
            let rows = try file.environment.reading { reader throws(StoreFailure) in
                try reader.keys(in: file.tables.changes).count
            }
            #expect(rows < 300, "the log is trimmed; SEED=\(generator.seed)")
        }
    }

    @Test("A reader gets the changes of its own state, or none where the state is old")
    func states() throws {
        let file = try File(ChangeLimits())
        let keeper = try ChangeKeeper(
            file.environment,
            file.tables,
            ChangeLimits(),
            skipsDamage: false
        )
        file.environment.keepStates(by: keeper)
        var states: [Int] = []
        for value in UInt8(0)..<6 {
            try file.environment.writing { transaction throws(StoreFailure) in
                try transaction.put(bytes: [value], at: [1], in: file.tables[.identifiers])
            }
            states.append(try file.environment.reading { $0.id })
        }
        for (value, state) in states.enumerated() {
            let changes = keeper.companion(ofState: state) as? StateChanges
            let expected: Change? = value < 4 ? nil : .put([UInt8(value)])
            #expect(changes?.change(at: [1], in: .identifiers) == expected)
        }
    }

    @Test("A merge of all leaves no log, and every row in its tree")
    func mergedAtOnce() throws {
        var generator = SeededGenerator()
        let file = try File(Self.limits(&generator))
        var model = Model()
        for _ in 0..<60 { try write(file, &model, &generator) }
        try file.tables.mergeChanges(file.environment)
        try file.environment.reading { reader throws(StoreFailure) in
            #expect(try reader.keys(in: file.tables.changes).isEmpty)
            for table in Self.tables {
                var rows = Rows()
                let tree = StoreTable(tree: file.tables.tree(of: table))
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

    @Test("A merge of all ends where it deletes what no tree has, and at a whole slice of the log")
    func mergedWithoutWriting() throws {
        let slice = StateChanges.mergedAtOnce
        let file = try File(ChangeLimits())
        let table = file.tables[.identifiers]
        let keys = (0..<UInt32(slice + 500)).map { [1] + CenterNumber(rawValue: $0).bytes }
        try file.environment.writing { transaction throws(StoreFailure) in
            for key in keys { try transaction.put(bytes: [], at: key, in: table) }
        }
        try file.tables.mergeChanges(file.environment)
        try file.environment.writing { transaction throws(StoreFailure) in
            for key in keys { try transaction.delete(bytes: key, in: table) }
            // As after a replay of a deletion that a merge has done before.
            let changes = transaction.companion as? StateChanges
            for key in keys { changes?.set(key + [1], .deletion, in: .identifiers) }
        }
        try file.tables.mergeChanges(file.environment)
        for _ in 0..<slice {
            try file.environment.writing { transaction throws(StoreFailure) in
                try transaction.put(bytes: [], at: [2], in: table)
            }
        }
        try file.tables.mergeChanges(file.environment)
        let rows = try file.environment.reading { reader throws(StoreFailure) in
            try reader.keys(bytesOf: StoreTable(tree: table.tree))
        }
        #expect(rows == [[2]])
    }

    @Test("A batch that changes no row of a lagging table writes no log and merges nothing")
    func unchanged() throws {
        let file = try File(ChangeLimits())
        let before = try file.environment.reading { $0.id }
        try file.environment.writing { _ throws(StoreFailure) in }
        #expect(try file.environment.reading { $0.id } == before)
    }

    /// Writes random rows in one transaction, which fails now and then.
    private func write(
        _ file: File,
        _ model: inout Model,
        _ generator: inout SeededGenerator
    ) throws(StoreFailure) {
        let fails = Int.random(in: 0..<6, using: &generator) == 0
        var changed = model
        do throws(StoreFailure) {
            try file.environment.writing { transaction throws(StoreFailure) in
                for _ in 0..<Int.random(in: 0...12, using: &generator) {
                    try change(transaction, file.tables, &changed, &generator)
                }
                for table in Self.tables {
                    try compare(transaction, file.tables, changed, table, &generator)
                }
                if fails { throw Self.failure }
            }
            model = changed
        } catch {
            guard fails else { throw error }
        }
    }

    private func change(
        _ transaction: borrowing WriteTransaction,
        _ tables: Tables,
        _ model: inout Model,
        _ generator: inout SeededGenerator
    ) throws(StoreFailure) {
        let table = Self.tables.randomElement(using: &generator) ?? .events
        let key = Self.key(&generator)
        let store = StoreTable(tables.tree(of: table), table)
        if Bool.random(using: &generator) {
            let count = Int.random(in: 0...40, using: &generator) * (table == .events ? 90 : 1)
            let byte = UInt8.random(in: 0...255, using: &generator)
            let value = [UInt8](repeating: byte, count: count)
            try transaction.put(bytes: value, at: key, in: store)
            model[table, default: [:]][key] = value
        } else {
            let wasThere = try transaction.delete(bytes: key, in: store)
            let value = model[table, default: [:]].removeValue(forKey: key)
            #expect(wasThere == (value != nil), "SEED=\(generator.seed)")
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
        _ table: LaggingTable,
        _ generator: inout SeededGenerator
    ) throws(StoreFailure) {
        let store = StoreTable(tables.tree(of: table), table)
        let rows = model[table] ?? [:]
        let seed = "SEED=\(generator.seed)"
        let (key, prefix) = (Self.key(&generator), Array(Self.key(&generator).prefix(1)))
        #expect(try transaction.value(at: key, in: store) == rows[key], "\(seed)")
        #expect(try transaction.contains(bytes: key, in: store) == (rows[key] != nil), "\(seed)")
        if table.gathers { #expect(try transaction.rowCount(of: store) == rows.count, "\(seed)") }
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

    @Test("The log stays short where only rows that gather change")
    func gatheredAlone() async throws {
        let test = try TestStore { $0.limits.changes.changesPerMerge = 100 }
        try await test.authorize()
        for number in 0..<1_000 {
            try await test.setClock(to: .newYear + .seconds(number))
        }
        let rowCount = try test.store.environment.reading { transaction throws(StoreFailure) in
            try transaction.rowCount(of: test.store.tables.changes)
        }
        #expect(rowCount < 300)
        try test.crash()
        try await test.authorize()
    }

    @Test("The log stays small where few large rows change")
    func large() async throws {
        let test = try TestStore { $0.limits.changes.bytesPerMerge = 200_000 }
        try await test.authorize()
        let app = try test.subscribe(as: DelegateRole(capabilities: .didReceive), .background)
        let text = String(repeating: "b", count: 20_000)
        let reply = NotificationAction(identifier: "a", title: "A", textInput: ActionTextInput())
        let request = try NotificationRequest.titled("a") { $0.actions = [reply] }
        for _ in 0..<50 {
            let state = try await test.add(request).state
            guard case .delivered(let delivery) = state else { continue }
            let shown = test.reference("a", delivery)
            try await test.respond(.action(identifier: "a", text: text), to: shown)
        }
        // The texts are in events from then on.
        for callback in try await app.callbacks(50).map(\.number) {
            _ = try await test.complete([callback], with: .taken, through: app)
        }
        var byteCount = 0
        try test.store.environment.reading { transaction throws(StoreFailure) in
            try transaction.scan(bytesOf: test.store.tables.changes.raw) { _, row in
                byteCount += row.count
                return true
            }
        }
        #expect(byteCount > 0 && byteCount < 600_000, "\(byteCount) bytes")
    }
}
