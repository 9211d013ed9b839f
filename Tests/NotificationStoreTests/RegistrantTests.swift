internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("How many apps a caller may register (W-11)")
struct RegistrantTests {
    private static let caller = Registrant(.token, "tea")
    private static let other = Registrant(.user, "1000")

    private let test: TestStore

    init() throws {
        test = try TestStore { $0.limits.appsPerCaller = 2 }
    }

    /// The ways in which an app registers itself.
    enum Way: CaseIterable {
        case authorization, categories, pushes, subscription
    }

    /// Registers an app, and gives why it is refused.
    private func refusal(
        of app: String,
        by registrant: Registrant? = Self.caller,
        _ way: Way = .authorization
    ) async throws -> Refusal? {
        let center = CenterName.local(app)
        do throws(Refusal) {
            switch way {
            case .authorization:
                _ = try await test.result {
                    $0.requestAuthorization(
                        [.alert],
                        for: center,
                        answer: .grant,
                        by: registrant,
                        completion: $1
                    )
                }.get()
            case .categories:
                _ = try await test.result {
                    $0.setCategories([], of: center, by: registrant, completion: $1)
                }.get()
            case .pushes:
                _ = try await test.result {
                    $0.registerForPushes(center, in: nil, by: registrant, completion: $1)
                }.get()
            case .subscription:
                _ = try await test.result {
                    $0.register(center, by: registrant, completion: $1)
                }.get()
            }
            return nil
        } catch {
            return error
        }
    }

    private func unregister(_ app: String) async throws {
        _ = try await test.result { $0.unregisterApp(.local(app), completion: $1) }.get()
    }

    @Test(
        "One app too many is refused, also after a restart, and others go on",
        arguments: Way.allCases
    )
    func limit(_ way: Way) async throws {
        for app in ["a", "b", "a"] {
            #expect(try await refusal(of: app, way) == nil)
        }
        for _ in 0..<2 {
            let refused = try #require(try await refusal(of: "c", way))
            #expect(refused.kind == .resourceExhausted)
            #expect(refused.reason == .appLimit)
            #expect(refused.facts == [.limit: "2", .callerKind: "token"])
            #expect(refused.retryAfterNanoseconds == nil)
            // It is not registered, and its own apps are served.
            #expect(throws: Refusal.self) { try test.store.center(.local("c")) }
            #expect(try await refusal(of: "b", way) == nil)
            try test.reopen()
        }
        #expect(try await refusal(of: "d", by: Self.other, way) == nil)
        #expect(try await refusal(of: "e", by: nil, way) == nil)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("An app that is unregistered leaves its place, whoever calls it")
    func places() async throws {
        for app in ["a", "b"] { #expect(try await refusal(of: app) == nil) }
        // An app counts for the caller that registered it, not for the one that calls it next.
        #expect(try await refusal(of: "a", by: Self.other) == nil)
        try await unregister("a")
        #expect(try await refusal(of: "c") == nil)
        #expect(try await refusal(of: "d")?.reason == .appLimit)
        for app in ["b", "c"] { try await unregister(app) }
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("A long name is cut: two callers are told apart by 256 bytes")
    func names() {
        let long = String(repeating: "x", count: 10_000)
        #expect(Registrant(.certificate, long).name.utf8.count == 268)
        #expect(Registrant(.token, "7") != Registrant(.user, "7"))
    }
}
