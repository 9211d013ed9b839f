internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Idempotency keys (W-9, P5)")
struct IdempotencyTests {
    private static let text = "01890a5d-ac96-774b-bcce-b302099a8057"

    private func key(
        _ text: String = text,
        request: String = "request"
    ) throws -> OnceKey {
        try OnceKey(text, method: "Service/Method", request: Array(request.utf8))
    }

    private func add(to store: TestStore, _ key: OnceKey) async throws -> AddReply {
        let request = try NotificationRequest.titled("tea", in: .seconds(60))
        return try await store.result { opened, completion in
            opened.add(request, to: store.center, once: key, completion: completion)
        }.get()
    }

    @Test(
        "Only a version 7 UUID is a key",
        arguments: [
            "", "01890a5d", "01890a5dac96774bbcceb302099a8057",
            "01890a5d-ac96-474b-bcce-b302099a8057", "01890a5d-ac96-774b-3cce-b302099a8057",
            "01890a5d-ac96-774b-bcce-b302099a805", "01890a5d-ac96-774b-bcce-b302099a80577",
            "g1890a5d-ac96-774b-bcce-b302099a8057", "01890a5d-ac96-774b-bcceb-302099a8057",
        ]
    )
    func malformed(text: String) {
        #expect(throws: Refusal.self) { try key(text) }
    }

    @Test("A key tells when it was made, whatever the case of its digits")
    func milliseconds() throws {
        #expect(try key().milliseconds == 0x0189_0A5D_AC96)
        #expect(try key().bytes == key(Self.text.uppercased()).bytes)
    }

    @Test("A retry is told the first reply and adds nothing")
    func retry() async throws {
        let store = try TestStore()
        try await store.authorize()
        let first = try await add(to: store, key())
        try await store.advance(by: .seconds(10))
        let again = try await add(to: store, key())
        #expect(first == again)
        #expect(store.store.counts.adds == 1)
    }

    @Test("A retry after the removal does not bring the request back")
    func retryAfterRemoval() async throws {
        let store = try TestStore()
        try await store.authorize()
        let first = try await add(to: store, key())
        try await store.advance(by: .seconds(60))
        let again = try await add(to: store, key())
        #expect(first == again)
        #expect(try store.state().pendingCount == 0)
    }

    @Test("The key outlives a restart")
    func restart() async throws {
        let store = try TestStore()
        try await store.authorize()
        let first = try await add(to: store, key())
        try store.reopen()
        #expect(try await add(to: store, key()) == first)
        #expect(store.store.counts.adds == 0)
    }

    @Test("Another request under a used key is refused")
    func reused() async throws {
        let store = try TestStore()
        try await store.authorize()
        _ = try await add(to: store, key())
        let refusal = await #expect(throws: Refusal.self) {
            try await add(to: store, key(request: "other"))
        }
        #expect(refusal?.reason == .idempotencyKeyReused)
    }

    @Test("A refused call leaves its key free")
    func refused() async throws {
        let store = try TestStore()
        await #expect(throws: Refusal.self) {
            try await add(to: store, key())
        }
        try await store.authorize()
        _ = try await add(to: store, key())
        #expect(store.store.counts.adds == 1)
    }

    @Test("A retry of a call that still goes on waits for it, and acts once")
    func joined() async throws {
        let store = try TestStore { $0.limits.rowsPerBatch = 1 }
        try await store.authorize()
        try await store.addAll((0..<600).map { try .titled("\($0)", in: .seconds(60)) })
        let key = try key()
        let replies = try await withThrowingTaskGroup { group in
            await store.whileWriterRests {
                for _ in 0..<3 {
                    let reply = Pending<Int>()
                    store.store.removeAllPending(
                        from: store.center,
                        once: key,
                        completion: reply.complete
                    )
                    group.addTask { try await reply.value.get() }
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies == [600, 600, 600])
    }

    @Test("Keys go after a day, and then are refused as expired")
    func expired() async throws {
        let store = try TestStore()
        try await store.authorize()
        _ = try await add(to: store, key())
        try await store.advance(by: .seconds(24 * 3600 + 1))
        let later = "01890a5d-ac97-774b-bcce-b302099a8057"
        _ = try await add(to: store, key(later))
        let refusal = await #expect(throws: Refusal.self) {
            try await add(to: store, key())
        }
        #expect(refusal?.reason == .idempotencyKeyExpired)
        #expect(try store.store.usage().idempotencyFloorMilliseconds == key().milliseconds)
    }

    @Test("A key from a clock that is far ahead acts once and does not have the others refused")
    func fromTheFuture() async throws {
        let store = try TestStore()
        try await store.authorize()
        let ahead = "fffffff0-ac96-774b-bcce-b302099a8057"
        _ = try await add(to: store, key(ahead))
        try await store.advance(by: .seconds(24 * 3600 + 1))
        // The key is of 2026-01-02T00:00:02Z, which is now.
        _ = try await add(to: store, key("019b7c01-0bd0-774b-bcce-b302099a8057"))
        _ = try await add(to: store, key(ahead))
        #expect(store.store.counts.adds == 2)
    }

    @Test("A clock that was ahead for more than a day has no key of the present refused")
    func serverFromTheFuture() async throws {
        let store = try TestStore()
        try await store.authorize()
        try await store.setClock(to: .newYear + .seconds(365 * 24 * 3600))
        // The keys are of 2027-01-01, in the order in which they are made.
        _ = try await add(to: store, key("01a2ce8b-d400-774b-bcce-b302099a8057"))
        try await store.advance(by: .seconds(25 * 3600))
        _ = try await add(to: store, key("01a2d3e9-1e80-774b-bcce-b302099a8057"))
        #expect(try store.store.usage().idempotencyFloorMilliseconds > 0)
        try await store.setClock(to: .newYear + .seconds(24 * 3600))
        // The second key, too, is of 2026-01-02T00:00:02Z, which is now.
        _ = try await add(to: store, key("019b7c01-0bd0-774b-bcce-b302099a8057"))
        #expect(store.store.counts.adds == 3)
        // A key of long ago is refused as ever.
        let refusal = await #expect(throws: Refusal.self) { try await add(to: store, key()) }
        #expect(refusal?.reason == .idempotencyKeyExpired)
    }

    @Test("Beyond their limit the oldest keys go")
    func limited() async throws {
        let store = try TestStore { $0.limits.idempotencyKeys = 2 }
        try await store.authorize()
        let keys = try (1...3).map { try key("01890a5d-ac9\($0)-774b-bcce-b302099a8057") }
        for key in keys { _ = try await add(to: store, key) }
        await #expect(throws: Refusal.self) {
            try await add(to: store, keys[0])
        }
        _ = try await add(to: store, keys[1])
        #expect(store.store.counts.adds == 3)
    }

    @Test("A caller is refused with forgotten keys, though nothing else is kept of it")
    func floorOfNothingElse() async throws {
        let store = try TestStore { $0.limits.idempotencyKeys = 3 }
        try await store.authorize()
        let names = (0..<20).map { "pending \($0) " + String(repeating: "a", count: 90) }
        for name in names { try await store.add(.titled(name, in: .seconds(60))) }
        let callers = [Registrant(.user, "1"), Registrant(.user, "2")]
        func key(_ digit: Int, _ caller: Int) throws -> OnceKey {
            let text = "01890a5d-ac9\(digit)-774b-bcce-b302099a8057"
            return try OnceKey(text, method: "S/M", request: [], by: callers[caller])
        }
        func remove() async throws -> [String] {
            let key = try key(1, 0)
            return try await store.result { opened, completion in
                opened.removePending(names, from: store.center, once: key, completion: completion)
            }.get()
        }
        #expect(try await remove() == names)
        #expect(try await remove() == names)
        // Its reply is longer than theirs together.
        for digit in 2...4 { _ = try await add(to: store, try key(digit, 1)) }
        let refusal = await #expect(throws: Refusal.self) { try await remove() }
        #expect(refusal?.reason == .idempotencyKeyExpired)
        store.close()
        #expect(try StoreAudit.problems(in: store.directory.path) == [])
    }

    @Test("Beyond their limit the oldest keys of one batch go, too")
    func limitedInOneBatch() async throws {
        let store = try TestStore { $0.limits.idempotencyKeys = 2 }
        try await store.authorize()
        let keys = try (1...8).map { try key("01890a5d-ac9\($0)-774b-bcce-b302099a8057") }
        let replies = keys.map { _ in Pending<AddReply>() }
        try await store.whileWriterRests {
            for (key, reply) in zip(keys, replies) {
                let request = try NotificationRequest.titled("tea", in: .seconds(60))
                store.store.add(request, to: store.center, once: key, completion: reply.complete)
            }
        }
        for reply in replies { _ = try await reply.value.get() }
        let count = try store.store.environment.reading { transaction throws(StoreFailure) in
            try transaction.rowCount(of: store.store.tables.idempotency)
        }
        #expect(count == 2)
        #expect(try store.store.usage().idempotencyFloorMilliseconds == keys[5].milliseconds)
        for key in keys[6...] { _ = try await add(to: store, key) }
        #expect(store.store.counts.adds == 8)
        await #expect(throws: Refusal.self) { try await add(to: store, keys[5]) }
    }

    @Test("A fingerprint tells each bit, each length and each division into pieces from the others")
    func fingerprints() {
        func fingerprint(_ pieces: [UInt8]...) -> UInt128 {
            var hash = Fingerprint()
            for piece in pieces { hash.combine(piece) }
            return hash.value
        }
        var seen: Set<UInt128> = []
        var count = 0
        func note(_ value: UInt128) {
            seen.insert(value)
            count += 1
        }
        for length in 0...33 {
            let bytes = (0..<length).map { UInt8($0) }
            note(fingerprint(bytes))
            for bit in 0..<8 * length {
                var other = bytes
                other[bit / 8] ^= 1 << (bit % 8)
                note(fingerprint(other))
            }
            note(fingerprint([UInt8](repeating: 0, count: length + 100)))
            for place in 0...length {
                note(fingerprint(Array(bytes[..<place]), Array(bytes[place...])))
            }
        }
        #expect(seen.count == count)
        // It is in the store: the same in every version.
        let known = fingerprint(Array("Service/Method".utf8), Array("request".utf8))
        #expect(known == 99_203_889_187_651_305_942_181_214_817_118_261_925)
    }

    @Test("Every kind of reply comes back as it was")
    func replies() throws {
        let refusal = Refusal(
            .notFound,
            reason: .attachmentNotInDataStore,
            message: "M",
            fields: [
                Refusal.WrongField(.element(3, of: .requests).appending(.content, .badge), "b"),
                Refusal.WrongField(FieldPath([.key("k"), .written("w.x_y[2]")]), ""),
            ],
            namesFields: false,
            facts: [.limit: "5", .init(rawValue: "callback_id"): "d"]
        )
        let added = AddReply(identifier: "i", state: .delivered(7))
        let pending = AddReply(identifier: "j", state: .pending(nextFire: .init(nanoseconds: -5)))
        let results: [Result<AddReply, Refusal>] = [
            .success(added), .failure(kept(refusal)), .success(pending),
            .success(AddReply(identifier: "k", state: .arriving, evicted: ["l", "m"])),
            .success(AddReply(identifier: "n", state: .pending(nextFire: nil))),
            .success(AddReply(identifier: "o", state: .gone)),
        ]
        try roundTrip(results)
        try roundTrip(["a", "", "é"])
        try roundTrip(-3)
        try roundTrip(Int32.max)
        let center = try CenterName(app: "a", device: "d")
        try roundTrip(
            ClockAdvance(
                now: Now(elapsed: .init(nanoseconds: 1), wall: .init(nanoseconds: 2)),
                firedCount: 3,
                eventCount: 4,
                lastEvents: [center: 5],
                stop: .callback,
                callback: 6
            )
        )
    }

    /// A refusal as a retry is told it: with its reason, and without its words.
    private func kept(_ refusal: Refusal) -> Refusal {
        var kept = Refusal(
            refusal.kind,
            reason: refusal.reason,
            message: "was refused by the first call with this key",
            facts: refusal.facts,
            hint: refusal.hint
        )
        kept.fields = refusal.fields.map {
            Refusal.WrongField($0.path, "was refused by the first call")
        }
        kept.namesFields = refusal.namesFields
        return kept
    }

    @Test("Every refusal and warning comes back, a refusal without its words")
    func typedReplies() throws {
        let hints: [Refusal.Hint?] = [
            nil, .askForPermission, .lacks(.notAsked), .lacks(.denied),
            .lacks(.setting(.badgeSetting, .notSupported)), .askForAppSettings,
            .startWithManualClock, .repeatWithSameKey, .beginAnew, .repairStore,
        ]
        for hint in hints {
            let refusal = kept(
                Refusal(.permissionDenied, reason: .storeFull, message: "M", hint: hint)
            )
            try roundTrip(Result<Int, Refusal>.failure(refusal))
        }
        for reason in Reason.allCases {
            let refusal = kept(Refusal(.aborted, reason: reason, message: ""))
            try roundTrip(Result<Int, Refusal>.failure(refusal))
        }
        for field in Field.allCases {
            let refusal = kept(Refusal.invalid([field, .name], "P"))
            try roundTrip(Result<Int, Refusal>.failure(refusal))
        }
        let path = FieldPath.element(3, of: .categories).appending(.actions)[1]
        try roundTrip([CategoryWarning(code: .actionMeaningDiffers, path: path, message: "M")])
    }

    private func roundTrip<Reply: Coded & Equatable>(_ reply: Reply) throws {
        var writer = ByteWriter()
        reply.write(to: &writer)
        var reader = ByteReader(writer.bytes)
        #expect(try Reply(&reader) == reply)
        #expect(reader.isAtEnd)
    }
}
