internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("The browsers that a device has (WP-1)", .timeLimit(.minutes(2)))
struct WebPushTests {
    private let test: TestStore

    init() throws {
        test = try TestStore { $0.limits.webPushDevices = 2 }
    }

    private func browser(_ name: String, secret: UInt8 = 1) -> WebPushSubscription {
        WebPushSubscription(
            endpoint: "https://push.example.org/\(name)",
            point: Array(repeating: 4, count: WebPushSubscription.pointByteCount),
            secret: Array(repeating: secret, count: WebPushSubscription.secretByteCount),
            createdAt: WallInstant(nanoseconds: 0)
        )
    }

    @discardableResult
    private func add(
        _ subscription: WebPushSubscription,
        to device: String = "phone",
        once key: OnceKey? = nil
    ) async throws -> WebPushSubscription {
        try await test.result {
            $0.createWebPushSubscription(subscription, on: device, once: key, completion: $1)
        }.get()
    }

    @discardableResult
    private func delete(_ identifier: String, from device: String = "phone") async throws -> Int {
        try await test.result {
            $0.deleteWebPushSubscription(identifier, on: device, completion: $1)
        }.get()
    }

    @Test("They are kept over a restart with the secret of the server's key")
    func kept() async throws {
        let added = try await add(browser("a"))
        #expect(added.createdAt == .newYear)
        try await add(browser("b"))
        let secret = test.store.webPushSecret
        try test.reopen()
        #expect(test.store.webPushSecret == secret)
        #expect(secret != (try TestStore()).store.webPushSecret)
        let known = try test.store.webPushSubscriptions(of: "phone")
        #expect(known.map(\.endpoint) == [browser("a"), browser("b")].map(\.endpoint))
        #expect(try test.store.webPushDevices() == ["phone"])
        #expect(try test.store.webPushSubscriptions(of: "other").isEmpty)
        #expect(try await delete(added.identifier) == 1)
        #expect(try await delete(added.identifier) == 1)
        #expect(try await delete(browser("b").identifier) == 0)
        #expect(try test.store.webPushDevices().isEmpty)
    }

    @Test("A known endpoint gets the new keys, and a retry acts once")
    func again() async throws {
        let first = try await add(browser("a"))
        try await test.advance(by: .seconds(5))
        let key = try OnceKey(OnceKeyText.make(1), method: "a", request: [])
        for _ in 0..<2 {
            let second = try await add(browser("a", secret: 2), once: key)
            #expect(second.createdAt == first.createdAt)
            #expect(second.secret == browser("a", secret: 2).secret)
        }
        #expect(try test.store.webPushSubscriptions(of: "phone").count == 1)
    }

    @Test("A device has a limited number, and so has the server of such devices")
    func limits() async throws {
        for number in 0..<WebPushRecord.limit { try await add(browser("\(number)")) }
        let refusal = await #expect(throws: Refusal.self) { try await add(browser("more")) }
        #expect(refusal?.reason == .webPushLimit)
        try await add(browser("a"), to: "tablet")
        let other = await #expect(throws: Refusal.self) { try await add(browser("a"), to: "watch") }
        #expect(other?.reason == .webPushLimit)
        try await delete(browser("a").identifier, from: "tablet")
        try await add(browser("a"), to: "watch")
    }

    @Test("They count for the device as long as they are there")
    func counted() async throws {
        func count() throws -> Int {
            try test.store.environment.reading { transaction throws(StoreFailure) in
                guard let key = AccountKey(.device("phone")) else { return 0 }
                return try transaction.rowIfAny(key, in: test.store.tables.accounts)?.byteCount ?? 0
            }
        }
        let added = try await add(browser("a"))
        #expect(try count() > added.endpoint.utf8.count)
        try await delete(added.identifier)
        #expect(try count() == 0)
    }
}
