internal import NotificationCore
internal import NotificationRecords
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

/// Keys, receipts and ended tokens of all callers together have one bound each: a caller that keeps
/// few loses none to the floods of others, however many these are.
@Suite("Room that all callers share (W-11)", .timeLimit(.minutes(5)))
struct SharedRoomTests {
    enum Kept: CaseIterable {
        case keys
        case receipts
        case endedTokens
    }

    private static let limit = 24
    private static let victim = Registrant(.token, "victim")

    private static func center(_ caller: Registrant) -> CenterName {
        .local("org.example." + caller.name.replacing(" ", with: "."))
    }

    @Test("The caller that has most gives way", arguments: Kept.allCases)
    func most(_ kept: Kept) async throws {
        let test = try TestStore {
            $0.limits.idempotencyKeys = Self.limit
            $0.limits.pushReceipts = Self.limit
            $0.limits.endedTokens = Self.limit
        }
        let flooding = (0..<5).map { Registrant(.token, "flood\($0)") }
        for caller in flooding + [Self.victim] {
            try await test.authorize(for: Self.center(caller), by: caller)
        }
        let first = try await act(kept, 0, Self.victim, test)
        for number in 1...10 {
            for caller in flooding { _ = try await act(kept, number, caller, test) }
        }
        #expect(try rowCount(kept, test) <= Self.limit)
        #expect(try await isKnown(kept, first, test))
        // The floods lose their oldest, and go on.
        let last = try await act(kept, 11, flooding[0], test)
        #expect(try await isKnown(kept, last, test))
        for caller in flooding {
            _ = try await test.result {
                $0.unregisterApp(Self.center(caller), completion: $1)
            }.get()
        }
        #expect(try await isKnown(kept, first, test))
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    /// A call of which the store keeps something.
    private struct Act {
        let caller: Registrant
        let number: Int
        var token: DeviceToken?
        var delivery = ""
    }

    private func act(
        _ kept: Kept,
        _ number: Int,
        _ caller: Registrant,
        _ test: TestStore
    ) async throws -> Act {
        let center = Self.center(caller)
        var act = Act(caller: caller, number: number)
        switch kept {
        case .keys: act.delivery = try await add(act, test)
        case .receipts: act.delivery = "\(try await push(act, test))"
        case .endedTokens:
            act.token = try await test.registerForPushes(of: center)
            _ = try await test.result { $0.unregisterForPushes(center, completion: $1) }.get()
        }
        return act
    }

    /// Whether a retry is told what the first call was told.
    private func isKnown(_ kept: Kept, _ act: Act, _ test: TestStore) async throws -> Bool {
        switch kept {
        case .keys: return try await add(act, test) == act.delivery
        case .receipts: return "\(try await push(act, test))" == act.delivery
        case .endedTokens:
            let token = try #require(act.token)
            let result = await test.result {
                $0.setTags(
                    [],
                    ofToken: token.text,
                    of: Self.center(act.caller).app,
                    completion: $1
                )
            }
            guard case .failure(let refusal) = result else { return false }
            return refusal.reason == .unregistered
        }
    }

    private func name(_ act: Act) -> String {
        OnceKeyText.make(act.number * 100 + (act.caller == Self.victim ? 99 : digit(act.caller)))
    }

    private func digit(_ caller: Registrant) -> Int { caller.name.last?.wholeNumberValue ?? 0 }

    private func add(_ act: Act, _ test: TestStore) async throws -> String {
        let key = try OnceKey(name(act), method: "Add", request: [], by: act.caller)
        let request = try NotificationRequest.titled("a")
        let reply = try await test.result {
            $0.add(request, to: Self.center(act.caller), once: key, completion: $1)
        }.get()
        return "\(reply.state)"
    }

    private func push(_ act: Act, _ test: TestStore) async throws -> PushReply {
        let push = try Push(PushHeaders(), payload: #"{"aps":{"alert":"B"}}"#, at: .newYear)
        let identifier = try #require(PushIdentifier(text: name(act)))
        let before = try lastDelivery(act, test)
        var reply = try await test.result {
            $0.push(push, to: .center(Self.center(act.caller)), as: identifier, completion: $1)
        }.get()
        // A push that acts again has another outcome than its first one.
        if act.delivery.isEmpty == (before == (try lastDelivery(act, test))) {
            reply.identifier += " again"
        }
        return reply
    }

    private func lastDelivery(_ act: Act, _ test: TestStore) throws -> Int {
        let name = Self.center(act.caller)
        return Int(try test.state(of: name).lastDelivery.rawValue)
    }

    private func rowCount(_ kept: Kept, _ test: TestStore) throws -> Int {
        let tables = test.store.tables
        return try test.store.environment.reading { transaction throws(StoreFailure) in
            switch kept {
            case .keys: try transaction.rowCount(of: tables.idempotency)
            case .receipts: try transaction.keys(in: tables.pushReceipts).count
            case .endedTokens: try transaction.rowCount(of: tables.endedTokens)
            }
        }
    }
}
