internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Registrations for pushes (REG-1..REG-5)", .timeLimit(.minutes(2)))
struct RegistrationTests {
    private let test: TestStore

    init() throws {
        test = try TestStore()
    }

    private func revoke(
        _ token: DeviceToken,
        as end: TokenEnd
    ) async -> Result<WallInstant, Refusal> {
        await test.result { $0.revokeToken(token.text, as: end, completion: $1) }
    }

    private func setTags(
        _ tags: [String],
        of token: DeviceToken
    ) async -> Result<[String], Refusal> {
        await test.result {
            $0.setTags(tags, ofToken: token.text, of: test.center.app, completion: $1)
        }
    }

    private func registrations(pageSize: Int = 100) async throws -> [ListedRegistration] {
        var found: [ListedRegistration] = []
        var token: [UInt8]?
        repeat {
            let page = try await test.result { [token] in
                $0.listRegistrations(
                    of: test.center.app,
                    pageSize: pageSize,
                    token: token,
                    completion: $1
                )
            }.get()
            #expect(page.entries.count <= pageSize)
            found += page.entries
            token = page.nextToken
        } while token != nil
        return found
    }

    @Test("A token stays the same, also after a restart, until the app gives it up (REG-3)")
    func stable() async throws {
        let token = try await test.registerForPushes()
        #expect(try await test.registerForPushes() == token)
        _ = try await setTags(["a", "b"], of: token).get()
        try test.reopen()
        #expect(try await test.registerForPushes() == token)
        #expect(try await registrations().map(\.tags) == [["a", "b"]])
        let ended = try await test.result {
            $0.unregisterForPushes(test.center, completion: $1)
        }.get()
        #expect(ended == [token.text])
        let next = try await test.registerForPushes()
        #expect(next != token)
        #expect(try await registrations().map(\.token) == [next])
        // The tags were the token's.
        #expect(try await registrations().map(\.tags) == [[]])
        #expect(await setTags([], of: token).reason == .unregistered)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("A token of another environment is another token")
    func environments() async throws {
        let token = try await test.registerForPushes()
        let other = try await test.registerForPushes(in: .development)
        #expect(other != token)
        #expect(await setTags([], of: token).reason == .unregistered)
    }

    @Test("A token that is revoked ends once, and the app is told")
    func revocation() async throws {
        let token = try await test.registerForPushes()
        #expect(try await revoke(token, as: .expired).get() == .newYear)
        try await test.advance(by: .seconds(5))
        #expect(try await revoke(token, as: .unregistered).get() == .newYear)
        let refusal = await setTags([], of: token)
        #expect(refusal.reason == .expiredToken)
        #expect(
            refusal.failure?.facts[.timestamp] == "\(WallInstant.newYear.nanoseconds / 1_000_000)"
        )
        #expect(try await test.events().map(\.kind) == [.tokenChanged])
        #expect(await revoke(.random(), as: .expired).reason == .badDeviceToken)
    }

    @Test("An app that is unregistered has no token, and its provider is told when it ended")
    func unregistered() async throws {
        let token = try await test.registerForPushes()
        let revoked = try await test.result {
            $0.unregisterApp(test.center, completion: $1)
        }.get()
        #expect(revoked == [token.text])
        #expect(await setTags([], of: token).reason == .unregistered)
        #expect(try await registrations() == [])
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("A registration ends with an entitlement for another environment")
    func entitlementChanges() async throws {
        let token = try await test.registerForPushes()
        for environment in [PushEnvironment.production, .development] {
            var registration = AppRegistration()
            registration.entitlements.pushEnvironment = environment
            _ = try await test.result { [registration] in
                $0.registerApp(test.center, with: registration, completion: $1)
            }.get()
            let isKept = try await registrations().map(\.token) == [token]
            #expect(isKept == (environment == .production))
        }
        #expect(try await test.events().map(\.kind) == [.tokenChanged])
        let refused = await test.result {
            $0.registerForPushes(test.center, in: .production, completion: $1)
        }
        #expect(refused.reason == .pushNotEntitled)
    }

    @Test("Under the profile ios only an entitled app registers, and is not registered by trying")
    func profile() async throws {
        try test.reopen { $0.profile = .ios }
        let refused = await test.result {
            $0.registerForPushes(test.center, in: nil, completion: $1)
        }
        #expect(refused.reason == .pushNotEntitled)
        #expect(throws: Refusal.notRegistered(test.center)) { try test.state() }
    }

    @Test("The registrations of an app come by device, page by page")
    func pages() async throws {
        for device in ["c", "a", "b"] {
            _ = try await test.registerForPushes(
                of: CenterName(app: test.center.app, device: device)
            )
        }
        _ = try await test.registerForPushes(of: .local("org.example.app.other"))
        for pageSize in [1, 2, 3, 100] {
            let found = try await registrations(pageSize: pageSize)
            #expect(found.map(\.center.device) == ["a", "b", "c"])
        }
    }

    @Test("Ended tokens are forgotten when they are too many, or too old")
    func forgotten() async throws {
        try test.reopen { $0.limits.endedTokens = 2 }
        var tokens: [DeviceToken] = []
        for _ in 0..<4 {
            tokens.append(try await test.registerForPushes())
            _ = try await revoke(tokens[tokens.count - 1], as: .expired).get()
        }
        var reasons: [Reason?] = []
        for token in tokens { reasons.append(await setTags([], of: token).reason) }
        #expect(reasons == [.badDeviceToken, .badDeviceToken, .expiredToken, .expiredToken])
        // The time is elapsed time, however the clock is set.
        try await test.setClock(to: .newYear + .seconds(31 * 24 * 3_600))
        tokens.append(try await test.registerForPushes())
        _ = try await revoke(tokens[4], as: .expired).get()
        #expect(await setTags([], of: tokens[3]).reason == .expiredToken)
        try await test.advance(by: .seconds(31 * 24 * 3_600))
        let last = try await test.registerForPushes()
        _ = try await revoke(last, as: .expired).get()
        #expect(await setTags([], of: tokens[4]).reason == .badDeviceToken)
        #expect(await setTags([], of: last).reason == .expiredToken)
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }
}

extension Result where Failure == Refusal {
    fileprivate var failure: Refusal? {
        if case .failure(let refusal) = self { return refusal }
        return nil
    }

    fileprivate var reason: Reason? { failure?.reason }
}
