internal import BelfryLMDB
internal import BelfryLocking
internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("What a store tells its observer, and asks who knows the apps (FD-1)")
struct CommitTests {
    private let directory: ScratchDirectory
    private let observer = RecordingObserver()
    private let center = CenterName.local("org.example.app")

    init() throws { directory = try ScratchDirectory() }

    private func open(_ apps: (any AppPresenceSource)? = nil) throws -> Store {
        var options = Store.Options(directory: directory.path)
        options.environment.mapSize = 1 << 30
        options.clock = .manual(start: .newYear)
        let store = try Store(options, observer: observer, apps: apps) { _ in }
        observer.store.withLock { $0 = store }
        return store
    }

    private func add(_ identifier: String, to store: Store) async throws -> AddReply {
        let granted = Pending<AuthorizationReply>()
        store.requestAuthorization(
            [.alert, .sound],
            for: center,
            answer: .grant,
            completion: granted.complete
        )
        _ = try await granted.value.get()
        let added = Pending<AddReply>()
        store.add(try .titled(identifier), to: center, completion: added.complete)
        return try await added.value.get()
    }

    /// Stops a store, which tells all of its commits by then.
    private func stop(_ store: Store) {
        store.stop()
        observer.store.withLock { $0 = nil }
    }

    @Test("A commit is told once, when it can be read, with all that the batch changed")
    func told() async throws {
        let store = try open()
        let reply = try await add("a", to: store)
        let last = try store.center(center).lastEvent
        stop(store)
        let told = observer.told.withLock { $0 }
        #expect(reply.state == .delivered(1))
        #expect(told.compactMap(\.commit.lastEvents.values.first).last == last)
        #expect(told.allSatisfy { $0.isReadable })
        let events = told.flatMap { $0.commit.lastEvents.values }
        #expect(events == events.sorted() && Set(events).count == events.count)
        let news = told.flatMap { $0.commit.devices[CenterName.localDevice] ?? [] }
        #expect(news.contains { if case .delivered = $0 { true } else { false } })
    }

    @Test("An app that is registered again has no new event by that")
    func registeredAgain() async throws {
        let store = try open()
        _ = try await add("a", to: store)
        let unregistered = Pending<[String]>()
        store.unregisterApp(center, completion: unregistered.complete)
        _ = try await unregistered.value.get()
        let before = observer.told.withLock { $0.count }
        let registered = Pending<WallInstant>()
        store.registerApp(center, with: AppRegistration(), completion: registered.complete)
        _ = try await registered.value.get()
        #expect(try store.center(center).lastEvent > 0)
        stop(store)
        let told = observer.told.withLock { $0 }.dropFirst(before)
        #expect(!told.isEmpty)
        #expect(told.allSatisfy { $0.commit.lastEvents.isEmpty })
    }

    @Test("News of a device that nobody watches is not noted")
    func unwatched() async throws {
        observer.watched.withLock { $0 = "tablet" }
        let store = try open()
        _ = try await add("a", to: store)
        stop(store)
        #expect(observer.told.withLock { $0 }.allSatisfy { $0.commit.devices.isEmpty })
    }

    @Test("What an app does is what the store is told that it does")
    func presence() async throws {
        let store = try open(AppInFront())
        let reply = try await add("a", to: store)
        #expect(reply.state == .gone)
        stop(store)
    }
}

/// Keeps each commit, with whether its events could be read when it was told.
private final class RecordingObserver: CommitObserver {
    let store = Guarded<Store?>(nil)
    let told = Guarded<[(commit: Commit, isReadable: Bool)]>([])
    let watched = Guarded(CenterName.localDevice)

    func committed(_ commit: Commit) {
        let store = store.withLock { $0 }
        let isReadable = commit.lastEvents.allSatisfy { center, event in
            (try? store?.reader.newest(of: center).event) == event
        }
        told.withLock { $0.append((commit, isReadable)) }
    }

    func isWatched(_ device: String) -> Bool { watched.withLock { $0 == device } }

    func toldByFollowers(of center: CenterNumber) -> EventNumber? { nil }
}

/// Knows each app to be in front, where it shows arriving notifications itself.
private struct AppInFront: AppPresenceSource {
    func presence(of center: CenterNumber, at now: ElapsedInstant) -> AppPresence {
        .foreground(.withoutWillPresent)
    }
    func appState(of center: CenterNumber, at now: ElapsedInstant) -> AppState { .foreground }
    func isConnected(_ capability: DelegateCapabilities, of center: CenterNumber) -> Bool { false }
    func isPrimary(_ subscription: String, of center: CenterNumber, at now: ElapsedInstant) -> Bool
    {
        false
    }
    func noteCall(from center: CenterNumber) {}
    func noteSilence(of centers: Set<CenterNumber>) {}
}
