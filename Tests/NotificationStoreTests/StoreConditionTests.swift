internal import BelfryLMDB
internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("What a store says of states in which it refuses calls (ST-2)", .timeLimit(.minutes(2)))
struct StoreConditionTests {
    @Test("Each such state is told, and no other", arguments: StoreCondition.allCases)
    func told(_ condition: StoreCondition) async throws {
        let test = try TestStore()
        try await test.authorize()
        #expect(test.store.conditions == [])
        var expected = [condition]
        switch condition {
        case .clockNotSet: try await test.setClock(to: WallInstant(nanoseconds: 0))
        case .storeFull:
            var limit = test.store.environment.statistics.usedByteCount
            // Free pages of the file do not count, and half of the reserve is larger than a step.
            while test.store.conditions.isEmpty {
                limit -= 1_024
                try test.reopen { $0.limits.storeBytes = limit }
            }
        case .dueWorkWaits:
            try test.reopen { $0.limits.storeBytes = 1 }
            expected = [.storeFull, .dueWorkWaits]
        case .rowsDamaged:
            test.close()
            try StoreFile.change(in: test.directory.path) { file in
                try file.put([9], forKey: CenterNumber(rawValue: 1).bytes, in: .apps)
            }
            try test.reopen()
            _ = await test.result { $0.unregisterApp(test.center, completion: $1) }
        case .overloaded:
            try test.reopen { $0.limits.queuedCommands = 4 }
            let replies = (0..<8).map { _ in Pending<[String]>() }
            await test.whileWriterRests {
                for reply in replies {
                    test.store.removePending([], from: test.center, completion: reply.complete)
                }
            }
            var refused = 0
            for reply in replies {
                guard case .failure(let refusal) = await reply.value else { continue }
                #expect(refusal.reason == .overloaded)
                refused += 1
            }
            #expect(refused > 0)
        case .callerAtLimit:
            try test.reopen { $0.limits.appsPerCaller = 1 }
            let caller = Registrant(.token, "tea")
            try await test.authorize(for: .local("a"), by: caller)
            await #expect(throws: Refusal.self) {
                try await test.authorize(for: .local("b"), by: caller)
            }
        }
        #expect(test.store.conditions == expected)
    }
}
