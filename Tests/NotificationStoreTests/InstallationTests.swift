internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationRecords
@testable internal import NotificationStore

@Suite("Apps on devices (W-2)", .timeLimit(.minutes(2)))
struct InstallationTests {
    private let test: TestStore

    init() throws {
        test = try TestStore()
    }

    @discardableResult
    private func register(
        _ change: (inout AppRegistration) -> Void = { _ in }
    ) async throws -> WallInstant {
        var registration = AppRegistration()
        change(&registration)
        return try await test.result { [registration] in
            $0.registerApp(test.center, with: registration, completion: $1)
        }.get()
    }

    @discardableResult
    private func unregister(once key: OnceKey? = nil) async throws -> [String] {
        try await test.result {
            $0.unregisterApp(test.center, once: key, completion: $1)
        }.get()
    }

    private func apps(
        _ device: String = "local",
        pageSize: Int = 100
    ) async throws
        -> [InstalledApp]
    {
        var apps: [InstalledApp] = []
        var token: [UInt8]?
        repeat {
            let page = try await test.result { [token] in
                $0.listApps(on: device, pageSize: pageSize, token: token, completion: $1)
            }.get()
            #expect(page.entries.count <= pageSize)
            apps += page.entries
            token = page.nextToken
        } while token != nil
        return apps
    }

    @Test("A registration is kept with its first time, and its entitlements count (A-8)")
    func registration() async throws {
        #expect(try await register { $0.names = ["en": "App"] } == .newYear)
        try await test.authorize([.alert, .criticalAlert])
        #expect(try test.state().settings.criticalAlert == .notSupported)
        try await test.advance(by: .seconds(5))
        #expect(try await register { $0.entitlements = .criticalAlerts } == .newYear)
        // Critical alerts can be switched on now, and are not by themselves.
        #expect(try test.state().settings.criticalAlert == .disabled)
        var change = SettingsChange()
        change.criticalAlert = true
        let told = try await test.result { [change] in
            $0.updateSettings(change, of: test.center, completion: $1)
        }.get()
        #expect(told.settings.criticalAlert == .enabled)
        try await register()
        #expect(try test.state().settings.criticalAlert == .notSupported)
        #expect(try await test.events().count == 4)
        try test.reopen()
        #expect(try await apps().map(\.registration) == [AppRegistration()])
    }

    @Test("An ephemeral app has its permission without a prompt")
    func ephemeral() async throws {
        try await register { $0.isEphemeral = true }
        let settings = try await test.authorize(answer: .ask(waitNanoseconds: 1))
        #expect(settings.authorizationStatus == .ephemeral)
    }

    @Test("Where apps may not register themselves, only RegisterApp does it")
    func noAutoRegister() async throws {
        try test.reopen { $0.registersNewApps = false }
        await #expect(throws: Refusal.notRegistered(test.center)) { try await test.authorize() }
        let categories = await test.result {
            $0.setCategories([], of: test.center, completion: $1)
        }
        #expect(throws: Refusal.notRegistered(test.center)) { try categories.get() }
        let primary = await test.result { $0.register(test.center, completion: $1) }
        #expect(throws: Refusal.notRegistered(test.center)) { try primary.get() }
        try await register()
        #expect(try await test.authorize().isGranted)
    }

    @Test("The apps of a device are listed by the bytes of their names, page after page")
    func list() async throws {
        for app in ["b", "a", "a-b", "a.b"] { try await test.authorize(for: .local(app)) }
        let other = try CenterName(app: "c", device: "localx")
        try await test.authorize(for: other)
        for size in [1, 3, 100] {
            let names = try await apps(pageSize: size).map(\.center.name.app)
            #expect(names == ["a", "a-b", "a.b", "b"])
        }
        #expect(try await apps("localx").map(\.center.name) == [other])
        #expect(try await apps("none").isEmpty)
        let pages = try await test.result {
            $0.listApps(on: "local", pageSize: 4, token: nil, completion: $1)
        }.get()
        #expect(pages.nextToken == nil)
    }

    /// Gives the app something of everything that a center can have.
    private func fill() async throws {
        try await test.authorize([.alert, .provisional])
        try await register { $0.entitlements = .timeSensitive }
        try await test.authorize([.alert, .badge])
        _ = try await test.result {
            $0.setCategories(
                [NotificationCategory(identifier: "c")],
                of: test.center,
                completion: $1
            )
        }.get()
        for identifier in ["a", "b"] {
            try await test.add(.titled(identifier))
            try await test.add(.titled(identifier, in: .seconds(60), repeats: true))
        }
        try await test.advance(by: .seconds(60))
        try await test.setBadge(3)
        // One is arriving while its app is in front, and still pending.
        let front = try test.subscribe(
            as: DelegateRole(capabilities: .willPresent),
            .foreground
        )
        _ = try await front.next()
        try await test.advance(by: .seconds(60))
        try await test.add(.titled("asked"))
        #expect(try test.state().arrivingCount > 0)
        front.cancel()
    }

    /// How many rows are left of all tables but the store's own and the keys.
    private func rowCount() throws -> Int {
        try StoreFile.read(file: test.directory.path + "/data.mdb") { file in
            let tables: [TableName] = [
                .centerNumbers, .centers, .records, .identifiers, .dueElapsed, .dueWall, .zones,
                .delivered, .events, .callbacks, .endedCallbacks, .prompts, .apps, .leaving,
                .categories, .actionMeanings, .expiry,
            ]
            return try tables.map { try file.rows(of: $0).count }.reduce(0, +)
        }
    }

    @Test("Unregistered, an app leaves nothing behind, and begins anew")
    func unregistered() async throws {
        try await fill()
        // A released record of a table that has pages would stay for a while.
        try test.reopen()
        let before = try test.state()
        let subscription = try test.subscribe(after: 0)
        _ = try await subscription.messagesUntilCaughtUp()
        #expect(try await unregister() == [])
        let error = await #expect(throws: Refusal.self) {
            while true { _ = try await subscription.next() }
        }
        #expect(error == .notRegistered(test.center))
        #expect(throws: Refusal.notRegistered(test.center)) { try test.state() }
        #expect(try await apps().isEmpty)
        await #expect(throws: Refusal.notRegistered(test.center)) { try await unregister() }
        test.close()
        #expect(try rowCount() == 0)
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
        try test.reopen()
        try await test.authorize()
        #expect(try await test.pending().isEmpty)
        // W-12: no number comes twice, and a subscriber that knows the earlier app alone is told
        // so.
        let after = try test.state()
        #expect(after.firstEvent > before.lastEvent + 1)
        #expect(after.lastDelivery > before.lastDelivery)
        for event in [1, before.lastEvent] as [EventNumber] {
            let error = #expect(throws: Refusal.self) { try test.subscribe(after: event) }
            #expect(error?.reason == .eventsTrimmed)
        }
        let request = try NotificationRequest.titled("a")
        guard case .delivered(let delivery) = try await test.add(request).state else {
            Issue.record("it was not delivered")
            return
        }
        #expect(delivery > after.lastDelivery)
        let stale = test.reference("a", before.lastDelivery)
        await #expect(throws: Refusal.self) { try await test.dismiss(.one(stale)) }
        #expect(try await test.delivered().count == 1)
    }

    @Test("An app that comes and goes within one batch leaves nothing, and may come again")
    func unregisteredAtOnce() async throws {
        let center = CenterName.local("org.example.brief")
        let registered = (0..<2).map { _ in Pending<WallInstant>() }
        let unregistered = Pending<[String]>()
        await test.whileWriterRests {
            for (index, reply) in registered.enumerated() {
                let registration = AppRegistration()
                test.store.registerApp(center, with: registration, completion: reply.complete)
                guard index == 0 else { continue }
                test.store.unregisterApp(center, completion: unregistered.complete)
            }
        }
        for reply in registered { _ = try await reply.value.get() }
        #expect(try await unregistered.value.get() == [])
        #expect(test.failure == nil)
        #expect(try await apps().map(\.center.name) == [center])
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }

    @Test("Who waits for a person is told that the app is gone")
    func unregisteredWhileAsking() async throws {
        let pending = Pending<AuthorizationReply>()
        test.store.requestAuthorization(
            [.alert],
            for: test.center,
            answer: .ask(waitNanoseconds: .nanosecondsPerSecond),
            completion: pending.complete
        )
        await test.settle()
        let prompt = try #require(try test.state().openPrompt)
        try await unregister()
        let result = await pending.value
        #expect(throws: Refusal.notRegistered(test.center)) { try result.get() }
        let answered = await test.result {
            $0.answerPrompt(prompt, on: "local", with: .allowAll, completion: $1)
        }
        #expect(throws: Refusal.self) { try answered.get() }
    }

    @Test("Many rows go in slices, which a start goes on with after a crash")
    func slices() async throws {
        try await test.authorize()
        for part in 0..<4 {
            try await test.addAll((0..<500).map { try .titled("\(part) \($0)", in: .seconds(60)) })
        }
        try await test.addAll((0..<500).map { try .titled("now \($0)") })
        let other = CenterName.local("org.example.other")
        try await test.authorize(for: other)
        try await test.add(.titled("stays", in: .seconds(60)), to: other)
        test.close()
        // Leave the file as a server does that ends after the first slice.
        try StoreFile.change(in: test.directory.path) { file in
            let (number, _) = try file.center(test.center)
            try file.delete(test.center.bytes, in: .centerNumbers)
            try file.put([], forKey: number.bytes, in: .leaving)
        }
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
        try test.reopen()
        // The name is free at once, whatever rows are still there of the other app.
        try await test.authorize()
        try await test.advance(by: .seconds(60))
        #expect(try test.state().lastEvent == 1)
        #expect(try test.state(of: other).deliveredCount == 1)
        try await unregister()
        // A stop leaves the rest of an earlier run's work to the next start: each batch does a
        // slice of it.
        for _ in 0..<100 { try await test.advance(by: .seconds(1)) }
        test.close()
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
        let centers = try StoreFile.read(file: test.directory.path + "/data.mdb") { file in
            try (file.rows(of: .centers).count, file.rows(of: .records).count)
        }
        #expect(centers == (1, 1))
    }

    @Test("A retry of a removal is told the same, also when the app has come back")
    func retry() async throws {
        let text = "019b76da-a800-7000-8000-000000000001"
        let key = try OnceKey(text, method: "UnregisterApp", request: [])
        try await test.authorize()
        try await unregister(once: key)
        try await test.authorize()
        #expect(try await unregister(once: key) == [])
        #expect(try test.state().settings.isGranted)
    }

    @Test("What falls due while its app is leaving is shown to nobody")
    func dueWhileLeaving() async throws {
        try await test.authorize()
        for part in 0..<4 {
            try await test.addAll((0..<500).map { try .titled("\(part) \($0)", in: .seconds(1)) })
        }
        let delivered = test.store.counts.delivered
        let gone = Pending<[String]>()
        await test.whileWriterRests {
            test.store.unregisterApp(test.center, completion: gone.complete)
            test.store.advanceClock(.by(nanoseconds: 2 * .nanosecondsPerSecond)) { _ in }
        }
        _ = try await gone.value.get()
        #expect(test.store.counts.delivered == delivered)
        test.close()
        #expect(try rowCount() == 0)
        #expect(try StoreAudit.problems(in: test.directory.path) == [])
    }
}
