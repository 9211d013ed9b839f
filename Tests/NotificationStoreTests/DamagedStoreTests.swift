internal import LMDB
internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

/// Design.md P7: after a store error it stops acknowledging and says so.
@Suite("A damaged store")
struct DamagedStoreTests {
    let test: TestStore

    init() throws {
        test = try TestStore()
    }

    /// What is planted in the store of a pending request with the sequence number 1.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let plant: @Sendable (StoreFile) throws -> Void
    }

    @Test(
        "What cannot be read when it is due fails the store for good, and says so once",
        arguments: [
            Damage(testDescription: "a record of garbage") { file in
                try file.put([0xFF, 0xFF], forKey: Key.number(UInt64(1)), in: file.tables.records)
            },
            Damage(testDescription: "an empty record") { file in
                try file.put([], forKey: Key.number(UInt64(1)), in: file.tables.records)
            },
            Damage(testDescription: "no record") { file in
                try file.delete(Key.number(UInt64(1)), in: file.tables.records)
            },
            Damage(testDescription: "an identifier of garbage") { file in
                let key = Key.identifier("a", center: 1)
                try file.put([9], forKey: key, in: file.tables.identifiers)
            },
            Damage(testDescription: "no identifier") { file in
                let key = Key.identifier("a", center: 1)
                try file.delete(key, in: file.tables.identifiers)
            },
            Damage(testDescription: "an identifier that is due at another instant") { file in
                let pending = IdentifierRecord.Pending(
                    sequence: 1,
                    due: .elapsed(ElapsedInstant(nanoseconds: 1))
                )
                try file.put(
                    IdentifierRecord(pending: pending).bytes,
                    forKey: Key.identifier("a", center: 1),
                    in: file.tables.identifiers
                )
            },
            Damage(testDescription: "a center of garbage") { file in
                try file.put([1, 2], forKey: Key.number(UInt32(1)), in: file.tables.centers)
            },
            Damage(testDescription: "no center") { file in
                try file.delete(Key.number(UInt32(1)), in: file.tables.centers)
            },
            Damage(testDescription: "a due row of garbage") { file in
                try file.put([], forKey: [0], in: file.tables.dueElapsed)
            },
        ]
    )
    func firing(damage: Damage) async throws {
        try await test.authorize()
        try await test.add(.titled("a", in: .seconds(60)))
        try await test.add(.titled("b", in: .seconds(60)))
        test.close()
        try StoreFile.change(in: test.directory.path, damage.plant)
        try test.reopen()

        let refusal = await #expect(throws: Refusal.self) {
            try await test.advance(by: .seconds(60))
        }
        #expect(refusal?.kind == .unavailable)
        guard case .lmdb(let cause)? = test.failure else {
            Issue.record("no failure was told")
            return
        }
        #expect(cause == ByteReader.corrupted)
        // From now on nothing is acknowledged.
        await expectRefusal { try await test.add(.titled("c")) }
        await expectRefusal { try await test.removeAllPending() }
        await expectRefusal { try await test.setBadge(1) }
        // Nothing of the batch happened.
        #expect(try test.store.usage().events == 1)
        #expect(try test.store.usage().delivered == 0)
    }

    private func expectRefusal<R>(_ body: () async throws -> R) async {
        let refusal = await #expect(throws: Refusal.self) { _ = try await body() }
        #expect(refusal?.kind == .unavailable)
    }

    @Test("All that waited when the store failed is told that its outcome is not known")
    func waiting() async throws {
        try await test.authorize()
        try await test.add(.titled("a", in: .seconds(60)))
        test.close()
        try StoreFile.change(in: test.directory.path) { file in
            try file.put([7], forKey: Key.number(UInt64(1)), in: file.tables.records)
        }
        try test.reopen { $0.limits.rowsPerBatch = 1 }
        let advance = Pending<ClockAdvance>()
        let adds = (0..<5).map { _ in Pending<AddReply>() }
        let request = try NotificationRequest.titled("b")
        await test.whileWriterRests {
            test.store.advanceClock(.toNextDue, completion: advance.complete)
            for add in adds {
                test.store.add(request, to: test.center, completion: add.complete)
            }
        }
        await #expect(throws: Refusal.storeFailed) { try await advance.value.get() }
        for add in adds {
            await #expect(throws: Refusal.storeFailed) { try await add.value.get() }
        }
        #expect(try test.state().lastEvent == 1)
    }

    @Test("What cannot be read in a list or a stream fails that call alone")
    func reading() async throws {
        try await test.authorize()
        try await test.add(.titled("a"))
        try await test.add(.titled("b", in: .seconds(60)))
        test.close()
        try StoreFile.change(in: test.directory.path) { file in
            try file.put([7], forKey: Key.number(UInt64(1)), in: file.tables.records)
        }
        try test.reopen()
        await #expect(throws: Refusal.storeFailed) { try await test.delivered() }
        await #expect(throws: Refusal.storeFailed) { try await test.events() }
        let subscription = try test.subscribe(wantsSnapshot: true)
        await #expect(throws: Refusal.storeFailed) {
            try await subscription.messagesUntilCaughtUp()
        }
        #expect(try test.store.usage().subscriptions == 0)
        #expect(try await test.pending().count == 1)
        try await test.add(.titled("c"))
        #expect(test.failure == nil)
    }

    @Test("A failed store is opened again with what it had acknowledged")
    func afterwards() async throws {
        try await test.authorize()
        try await test.add(.titled("a", in: .seconds(60)))
        test.close()
        var record: [UInt8] = []
        try StoreFile.change(in: test.directory.path) { file in
            record = try file.value(forKey: Key.number(UInt64(1)), in: file.tables.records)
            try file.put([7], forKey: Key.number(UInt64(1)), in: file.tables.records)
        }
        try test.reopen()
        try await test.add(.titled("acknowledged"))
        await expectRefusal { try await test.advance(.toNextDue) }
        test.close()
        try StoreFile.change(in: test.directory.path) { file in
            try file.put(record, forKey: Key.number(UInt64(1)), in: file.tables.records)
        }
        try test.reopen()
        #expect(try await test.delivered().map(\.request.identifier) == ["acknowledged"])
        #expect(try await test.advance(.toNextDue).firedCount == 1)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }
}
