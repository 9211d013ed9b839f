internal import BelfryLMDB
internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("For whom each row of a store counts (W-11)", .timeLimit(.minutes(5)))
struct AccountTests {
    private static let caller = Registrant(.token, "tea")

    // MARK: The tables

    /// The tables that count for nobody, and the bound of each.
    ///
    /// The numbers are the most rows that they have; nil where a test of this suite shows it.
    private static let bounds: [TableName: Int?] = [
        // The rows are the format, the state, the two secrets, which log there is, and how much of
        // it is merged.
        .meta: 6,
        .zoneVersions: 1_000,
        .endedNumbers: 1 << 16,
        .deviceTokens: nil,
        .endedTokens: nil,
        .registrants: nil,
        .openCommands: StoreLimits().queuedCommands,
    ]

    @Test("Each table counts for somebody, or has a bound", arguments: TableName.allCases)
    func tables(_ table: TableName) throws {
        var name = table
        var steps = 0
        while case .with(let other) = name.account {
            (name, steps) = (other, steps + 1)
            try #require(steps < 3, "\(table) counts with a table that counts with others")
        }
        switch name.account {
        case .bounded: #expect(Self.bounds[name] != nil, "nothing bounds \(table)")
        case .request, .event, .key: #expect(Self.bounds[table] == nil)
        case .center, .namedCenter, .app, .device:
            #expect(Self.bounds[table] == nil)
            try checkCounts(name)
        case .with: Issue.record("\(table) has no end")
        }
    }

    /// Rows that are written, changed and deleted are counted by the bytes that they take.
    private func checkCounts(_ name: TableName) throws {
        let directory = try ScratchDirectory()
        var options = Environment.Options()
        options.mapSize = 1 << 24
        let environment = try Environment(directory: directory.path, options: options)
        let own = try Tables(environment, log: nil)
        let (key, owner): ([UInt8], RowOwner) =
            switch name.account {
            case .center: (CenterNumber(rawValue: 7).bytes + [1, 2], .center(7))
            case .namedCenter:
                (Array("a\0t\0d".utf8), .named(try CenterName(app: "a", device: "d")))
            case .app: (Array("a\0x".utf8), .app("a"))
            default: (Array("d".utf8), .device("d"))
            }
        let transaction = try own.beginBatch(environment)
        let table = own[name]
        try transaction.put(bytes: [1, 2, 3], at: key, in: table)
        var changes = [transaction.takeOwnerBytes()]
        try transaction.put(bytes: [1, 2, 3, 4, 5], at: key, in: table)
        changes.append(transaction.takeOwnerBytes())
        for _ in 0..<2 {
            try transaction.delete(bytes: key, in: table)
            changes.append(transaction.takeOwnerBytes())
        }
        let first = try #require(changes[0][owner])
        #expect(first >= key.count + 3 + RowOwner.rowByteCount)
        #expect(changes == [[owner: first], [owner: 2], [owner: -first - 2], [:]])
    }

    // MARK: Keys

    @Test("The replies of a caller make room for its newest, and no other caller's go")
    func keptReplies() async throws {
        let test = try TestStore {
            $0.limits.storeBytesPerCaller = 64 << 10
            $0.limits.idempotencyBytes = 1 << 20
        }
        try await test.authorize(by: Self.caller)
        let other = Registrant(.token, "coffee")
        func add(_ number: Int, _ caller: Registrant?) async throws -> Result<Int, Refusal> {
            let key = try OnceKey(
                OnceKeyText.make(number),
                method: "AddBatch",
                request: [],
                by: caller
            )
            let refused = Refusal.invalid([.content], "x", reason: .contentTooLarge)
            let items = Array(
                repeating: Result<NotificationRequest, Refusal>.failure(refused),
                count: 30
            )
            return await test.result {
                $0.addBatch(items, to: test.center, once: key, completion: $1)
            }.map(\.count)
        }
        _ = try await add(0, other).get()
        _ = try await add(1, nil).get()
        for number in 2..<100 { _ = try await add(number, Self.caller).get() }
        let kept = try test.store.environment.reading { transaction throws(StoreFailure) in
            let key = NameKey(Self.caller.name)
            return try transaction.rowIfAny(key, in: test.store.tables.registrants)?.keyBytes
        }
        #expect(try #require(kept) <= test.store.limits.idempotencyBytesPerCaller)
        // The oldest keys of the caller are forgotten, and refused as such: they may have acted.
        guard case .failure(let refusal) = try await add(2, Self.caller) else {
            Issue.record("a key that was forgotten acted again")
            return
        }
        #expect(refusal.reason == .idempotencyKeyExpired)
        for number in [99, 98] { #expect(try await add(number, Self.caller).get() == 30) }
        #expect(try await add(0, other).get() == 30)
        #expect(try await add(1, nil).get() == 30)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test(
        "All replies together are bounded, of callers without a limit too, less in a small store"
    )
    func allReplies() async throws {
        let test = try TestStore { $0.limits.storeBytes = 4 << 20 }
        #expect(test.store.limits.idempotencyBytes == 256 << 10)
        try await test.authorize()
        let items = Array(
            repeating: Result<NotificationRequest, Refusal>.failure(
                .invalid([.content], "x", reason: .contentTooLarge)
            ),
            count: 100
        )
        for number in 0..<200 {
            let key = try OnceKey(OnceKeyText.make(number), method: "AddBatch", request: [])
            _ = try await test.result {
                $0.addBatch(items, to: test.center, once: key, completion: $1)
            }.get()
        }
        let state = try test.store.environment.reading { transaction throws(StoreFailure) in
            try transaction.state(test.store.tables)
        }
        #expect(state.idempotencyBytes <= 256 << 10)
        #expect(state.idempotencyBytes > 128 << 10)
    }

    // MARK: The rest

    @Test("Tokens that have ended are kept up to their limit")
    func endedTokens() async throws {
        let test = try TestStore { $0.limits.endedTokens = 3 }
        try await test.authorize()
        for _ in 0..<10 {
            _ = try await test.registerForPushes()
            _ = try await test.result {
                $0.unregisterForPushes(test.center, completion: $1)
            }.get()
        }
        let counts = try test.store.environment.reading { transaction throws(StoreFailure) in
            let tables = test.store.tables
            return [
                try transaction.rowCount(of: tables.endedTokens),
                try transaction.keys(in: tables.deviceTokens).count,
            ]
        }
        #expect(counts.allSatisfy { $0 <= 4 })
    }

    @Test("Where half of the reserve is used, what is due waits for removals")
    func reserve() async throws {
        let test = try TestStore()
        try await test.authorize()
        try await test.add(.titled("due", in: .seconds(60)))
        try await test.add(.titled("kept", in: .seconds(3_600)))
        try await test.advance(by: .seconds(60) - .milliseconds(100))
        // Any store has more bytes than that.
        try test.reopen {
            $0.clock = .system
            $0.limits.storeBytes = 1
        }
        while !test.store.conditions.contains(.dueWorkWaits) {
            try await Task.sleep(for: .milliseconds(1))
        }
        #expect(test.store.conditions == [.storeFull, .dueWorkWaits])
        // Well after it was due.
        try await Task.sleep(for: .milliseconds(500))
        #expect(try await test.removePending(["kept", "due"]) == ["kept", "due"])
        let refusal = await #expect(throws: Refusal.self) { try await test.add(.titled("a")) }
        #expect(refusal?.reason == .storeFull)
        #expect(try test.state().deliveredCount == 0)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }
}
