internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

/// Design.md P7: damaged rows are refused and left alone, and all else goes on.
@Suite("A damaged store")
struct DamagedStoreTests {
    let test: TestStore
    let other = CenterName.local("org.example.other")

    init() throws {
        test = try TestStore()
    }

    /// A damage that is planted in the store of a pending request with the sequence number 1.
    struct Damage: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The report of the row.
        var told = ""
        let plant: @Sendable (StoreFile) throws -> Void
    }

    @Test(
        "What cannot be read when it is due is told once, and all others are served",
        arguments: [
            Damage(
                testDescription: "a record of garbage",
                told: "records request 1: a row does not decode"
            ) { file in
                try file.put([0xFF, 0xFF], forKey: RequestNumber(rawValue: 1).bytes, in: .records)
            },
            Damage(
                testDescription: "an empty record",
                told: "records request 1: a row does not decode"
            ) { file in
                try file.put([], forKey: RequestNumber(rawValue: 1).bytes, in: .records)
            },
            Damage(
                testDescription: "no record",
                told: "records request 1: a row is not there"
            ) { file in
                try file.delete(RequestNumber(rawValue: 1).bytes, in: .records)
            },
            Damage(
                testDescription: "an identifier of garbage",
                told: "identifiers center 1, identifier \"a\": a row does not decode"
            ) { file in
                let key = IdentifierKey("a", of: 1).bytes
                try file.put([9], forKey: key, in: .identifiers)
            },
            Damage(
                testDescription: "no identifier",
                told: "identifiers center 1, identifier \"a\": a row is not what another one says"
            ) { file in
                let key = IdentifierKey("a", of: 1).bytes
                try file.delete(key, in: .identifiers)
            },
            Damage(
                testDescription: "an identifier that is due at another instant",
                told: "identifiers center 1, identifier \"a\": a row is not what another one says"
            ) { file in
                let pending = IdentifierRecord.Pending(
                    sequence: 1,
                    due: .elapsed(ElapsedInstant(nanoseconds: 1))
                )
                try file.put(
                    IdentifierRecord(pending: pending).bytes,
                    forKey: IdentifierKey("a", of: 1).bytes,
                    in: .identifiers
                )
            },
            Damage(
                testDescription: "a center of garbage",
                told: "centers center 1: a row does not decode"
            ) { file in
                try file.put([1, 2], forKey: CenterNumber(rawValue: 1).bytes, in: .centers)
            },
            Damage(
                testDescription: "no center",
                told: "centers center 1: a row is not there"
            ) { file in
                try file.delete(CenterNumber(rawValue: 1).bytes, in: .centers)
            },
            Damage(
                testDescription: "a due row of garbage",
                told: "due_elapsed 0x00: a row does not decode"
            ) { file in
                try file.put([], forKey: [0], in: .dueElapsed)
            },
        ]
    )
    func firing(damage: Damage) async throws {
        try await test.authorize()
        try await test.authorize(for: other)
        try await test.add(.titled("a", in: .seconds(60)))
        try await test.add(.titled("b", in: .seconds(60)), to: other)
        test.close()
        try StoreFile.change(in: test.directory.path, damage.plant)
        try test.reopen()

        let advance = try await test.advance(by: .seconds(60))
        #expect(advance.firedCount == (damage.told.hasPrefix("due_elapsed") ? 2 : 1))
        #expect(try test.state(of: other).deliveredCount == 1)
        try await test.advance(by: .seconds(60))
        try await test.add(.titled("c"), to: other)
        #expect(test.damagedRows.map(\.description) == [damage.told])
        #expect(test.failure == nil)
    }

    @Test(
        "A damaged row of what is only counted, or of what is only forgotten, stops nobody",
        arguments: [
            Damage(
                testDescription: "the row of an app that fires",
                told: "apps center 1: a row does not decode"
            ) { file in
                try file.put([0xFF], forKey: CenterNumber(rawValue: 1).bytes, in: .apps)
            },
            Damage(
                testDescription: "the row of the caller that registered the app",
                told: "registrants token tea: a row does not decode"
            ) { file in
                try file.put([0xFF], forKey: Array("token tea".utf8), in: .registrants)
            },
            Damage(
                testDescription: "no row of that caller",
                told: "registrants token tea: a row is not what another one says"
            ) { file in
                try file.delete(Array("token tea".utf8), in: .registrants)
            },
            Damage(
                testDescription: "the oldest push",
                told: "push_receipts"
            ) { file in
                let key = try #require(try file.rows(of: .pushReceipts).keys.first)
                try file.put([0xFF], forKey: key, in: .pushReceipts)
            },
            Damage(
                testDescription: "the order of the oldest push",
                told: "push_order"
            ) { file in
                let key = try #require(try file.rows(of: .pushOrder).keys.first)
                try file.put([0xFF], forKey: key, in: .pushOrder)
            },
            Damage(
                testDescription: "the oldest token that has ended",
                told: "device_tokens"
            ) { file in
                let key = try #require(try file.rows(of: .endedTokens).values.first)
                try file.put([0xFF], forKey: key, in: .deviceTokens)
            },
            Damage(
                testDescription: "the order of that token",
                told: "ended_tokens"
            ) { file in
                let key = try #require(try file.rows(of: .endedTokens).keys.first)
                try file.put([0xFF], forKey: key, in: .endedTokens)
            },
        ]
    )
    func beside(damage: Damage) async throws {
        let caller = Registrant(.token, "tea")
        try await test.authorize(by: caller)
        // The rows that are forgotten are met by those of the same caller.
        let isOther = ["registrants", "apps"].contains { damage.told.hasPrefix($0) }
        try await test.authorize(for: other, by: isOther ? nil : caller)
        try await test.add(.titled("a", in: .seconds(60)))
        func push(to center: CenterName) async throws -> PushOutcome {
            let push = try Push(PushHeaders(), payload: #"{"aps":{"alert":"x"}}"#, at: .newYear)
            let name = try #require(PushIdentifier(text: PushIdentifier.random().text))
            return try await test.result {
                $0.push(push, to: .center(center), as: name, completion: $1)
            }.get().outcome
        }
        #expect(try await push(to: test.center) == .delivered)
        _ = try await test.registerForPushes()
        _ = try await test.result { $0.unregisterForPushes(test.center, completion: $1) }.get()
        test.close()
        try StoreFile.change(in: test.directory.path, damage.plant)
        try test.reopen()

        for _ in 0..<2 {
            #expect(try await test.advance(by: .seconds(60)).firedCount <= 1)
            #expect(try await push(to: other) == .delivered)
            _ = try await test.registerForPushes(of: other)
            _ = try await test.result { $0.unregisterForPushes(other, completion: $1) }.get()
            try await test.add(.titled("b"), to: other)
        }
        #expect(try test.state().pendingCount == 0)
        #expect(test.failure == nil)
        #expect(test.damagedRows.count == 1)
        #expect(test.damagedRows.first?.description.hasPrefix(damage.told) == true)
    }

    @Test("Commands of a center that is set aside are refused, with the others of their batch done")
    func commands() async throws {
        try await test.authorize()
        try await test.authorize(for: other)
        try await test.add(.titled("a", in: .seconds(60)))
        test.close()
        try StoreFile.change(in: test.directory.path) { file in
            try file.put([7], forKey: RequestNumber(rawValue: 1).bytes, in: .records)
        }
        try test.reopen()
        let adds = (0..<3).map { _ in Pending<AddReply>() }
        let removals = (0..<3).map { _ in Pending<[String]>() }
        let request = try NotificationRequest.titled("b")
        await test.whileWriterRests {
            for (add, removal) in zip(adds, removals) {
                test.store.add(request, to: other, completion: add.complete)
                test.store.removePending(["a"], from: test.center, completion: removal.complete)
            }
        }
        for add in adds { _ = try await add.value.get() }
        for removal in removals {
            let refusal = await #expect(throws: Refusal.self) { try await removal.value.get() }
            #expect(refusal?.kind == .dataLoss)
            #expect(refusal?.reason == .rowDamaged)
            #expect(refusal?.facts == [.table: "records", .key: "request 1"])
        }
        #expect(test.damagedRows.map(\.key) == ["request 1"])
        #expect(try await test.events(of: other).count == 4)
        // The center of the damaged row is left alone until the next start.
        let refusal = await #expect(throws: Refusal.self) { try await test.setBadge(1) }
        #expect(refusal?.kind == .dataLoss)
        try test.reopen()
        try await test.setBadge(1)
        #expect(test.failure == nil)
    }

    @Test("A call that meets damage acts in no part, and its retry acts once the row is mended")
    func halfway() async throws {
        try await test.authorize()
        for name in ["a", "b", "c"] {
            try await test.add(.titled(name, in: .seconds(60)))
        }
        test.close()
        var record: [UInt8] = []
        try StoreFile.change(in: test.directory.path) { file in
            record = try file.value(forKey: RequestNumber(rawValue: 2).bytes, in: .records)
            try file.put([7], forKey: RequestNumber(rawValue: 2).bytes, in: .records)
        }
        try test.reopen()
        let refusal = await #expect(throws: Refusal.self) { try await test.removeAllPending() }
        #expect(refusal?.kind == .dataLoss)
        #expect(try test.store.center(test.center).pendingCount == 3)
        test.close()
        try StoreFile.change(in: test.directory.path) { file in
            try file.put(record, forKey: RequestNumber(rawValue: 2).bytes, in: .records)
        }
        try test.reopen()
        #expect(try await test.pending().count == 3)
        try await test.removeAllPending()
        #expect(try await test.pending().isEmpty)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("What cannot be read in a list or a stream fails that call alone")
    func reading() async throws {
        try await test.authorize()
        try await test.add(.titled("a"))
        try await test.add(.titled("b", in: .seconds(60)))
        test.close()
        try StoreFile.change(in: test.directory.path) { file in
            try file.put([7], forKey: RequestNumber(rawValue: 1).bytes, in: .records)
        }
        try test.reopen()
        await expectDamage { try await test.delivered() }
        await expectDamage { try await test.events() }
        let subscription = try test.subscribe(wantsSnapshot: true)
        await expectDamage { try await subscription.messagesUntilCaughtUp() }
        #expect(test.feeds.subscriptionCount == 0)
        #expect(try await test.pending().count == 1)
        try await test.add(.titled("c"))
        #expect(test.failure == nil)
    }

    private func expectDamage<R>(_ body: () async throws -> R) async {
        let refusal = await #expect(throws: Refusal.self) { _ = try await body() }
        #expect(refusal?.reason == .rowDamaged)
    }
}
