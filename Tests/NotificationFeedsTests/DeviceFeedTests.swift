internal import BelfryLocking
internal import NotificationCore
internal import NotificationStore
internal import TestSupport
internal import Testing

@testable internal import NotificationFeeds

/// Keeps the messages to a watcher.
private final class WatchSink: FeedSink {
    private struct State {
        var messages: [DeviceFeedMessage] = []
        var end: Refusal?
    }

    private let state = Guarded(State())

    var end: Refusal? { state.withLock { $0.end } }

    func begin(_ feed: DeviceFeed) {}

    func send(_ message: DeviceFeedMessage) { state.withLock { $0.messages.append(message) } }

    func end(_ refusal: Refusal) { state.withLock { $0.end = refusal } }

    /// The messages since the last take.
    func take() -> [DeviceFeedMessage] {
        state.withLock { state in
            defer { state.messages = [] }
            return state.messages
        }
    }
}

@Suite("Watching a device (W-17)", .timeLimit(.minutes(5)))
struct DeviceFeedTests {
    let test: TestStore

    init() throws { test = try TestStore() }

    private func watch(
        _ sink: WatchSink,
        on device: String = CenterName.localDevice,
        apps: Set<String> = []
    ) throws -> DeviceFeed {
        try test.feeds.watchDevice(device, apps: apps, sink: sink)
    }

    /// Reads a watcher on until nothing more is on its way.
    private func read(_ watch: DeviceFeed, _ sink: WatchSink) async -> [DeviceFeedMessage] {
        var messages: [DeviceFeedMessage] = []
        while true {
            await test.settle()
            let told = sink.take()
            if told.isEmpty { return messages }
            messages += told
            watch.sent()
        }
    }

    private func frames(_ watch: DeviceFeed, _ sink: WatchSink) async -> [DeviceFrame] {
        await read(watch, sink).flatMap { message -> [DeviceFrame] in
            if case .frames(let frames) = message { frames } else { [] }
        }
    }

    /// A frame in a few words.
    private func text(_ frame: DeviceFrame) -> String {
        switch frame {
        case .news(.state(let state, _)): "state locked=\(state.isLocked)"
        case .news(.sound(let reference, let sound, _)): "sound \(reference.identifier) \(sound)"
        case .news(.vibrate(let reference)): "vibrate \(reference.identifier)"
        case .news(.badge(_, let badge)): "badge \(badge)"
        case .news(.unlockRequested(let reference, let action, _)):
            "unlock \(reference.identifier) \(action)"
        case .news(.launch(let launch)):
            "launch \(launch.reference?.identifier ?? launch.center.app) \(launch.mode)"
        case .news(.appRemoved(let center)): "removed \(center.app)"
        case .news(.promptClosed(let number, let center, let status)):
            "closed \(number) of \(center.app): \(status)"
        case .news: "news"
        case .app(let app): "app \(app.name)"
        case .prompt(let prompt):
            "prompt \(prompt.number) \(prompt.prompt.kind) of \(prompt.appName)"
        case .listed(let shown, let replaced, let group):
            "listed \(shown.reference.identifier) \(replaced?.delivery ?? 0) of \(group.count)"
        case .presented(let shown, let group):
            "presented \(shown.reference.identifier) of \(group.count)"
        case .removed(let reference, let group, _):
            "removed \(reference.identifier) of \(group.count)"
        case .banner(let banner, let shown):
            "banner \(shown.rendered.title) \(banner.alert) \(banner.wakesDisplay)"
        }
    }

    @Test("First the state: the device, its apps and its groups, until it is complete")
    func snapshot() async throws {
        try await test.authorize()
        try await test.authorize(for: .local("org.example.other"))
        try await test.add(.titled("a") { $0.badge = 2 })
        try await test.updateDevice { $0.isMuted = true }
        let sink = WatchSink()
        let watch = try watch(sink)
        let parts = await read(watch, sink).compactMap { message -> DeviceSnapshotPart? in
            if case .snapshot(let part) = message { part } else { nil }
        }
        let part = try #require(parts.last)
        #expect(part.isComplete)
        #expect(part.state.isMuted)
        #expect(part.apps.map(\.center.name.app) == [test.center.app, "org.example.other"])
        #expect(part.apps.map(\.center.badge) == [2, 0])
        #expect(part.groups.flatMap(\.notifications).map(\.reference.identifier) == ["a"])
        #expect(await frames(watch, sink).isEmpty)
    }

    @Test("A long state comes in parts, and each notification once")
    func longSnapshot() async throws {
        try test.reopen { $0.limits.eventsPerMessage = 2 }
        try await test.authorize()
        for index in 0..<5 { try await test.add(.titled("\(index)")) }
        let sink = WatchSink()
        let watch = try watch(sink)
        let parts = await read(watch, sink).compactMap { message -> DeviceSnapshotPart? in
            if case .snapshot(let part) = message { part } else { nil }
        }
        #expect(parts.map(\.isComplete) == [false, false, true])
        let told = parts.flatMap(\.groups).flatMap(\.notifications)
        #expect(told.map(\.reference.identifier) == ["4", "3", "2", "1", "0"])
        #expect(parts.flatMap(\.apps).count == 1)
    }

    @Test("A delivery: the list, the banner, the sound and the badge, in this order")
    func delivery() async throws {
        try await test.authorize()
        let sink = WatchSink()
        let watch = try watch(sink)
        _ = await read(watch, sink)
        try await test.add(
            .titled("a") {
                $0.sound = Sound()
                $0.badge = 3
            }
        )
        let told = await frames(watch, sink).map(text)
        #expect(told == ["listed a 0 of 1", "banner a banner true", "sound a standard", "badge 3"])
        try await test.add(.titled("a"))
        #expect(
            await frames(watch, sink).map(text) == ["listed a 1 of 1", "banner a banner true"]
        )
    }

    @Test("On a locked and muted device it shows there, hidden, and vibrates")
    func locked() async throws {
        try await test.authorize()
        try await test.updateDevice {
            $0.isLocked = true
            $0.isMuted = true
        }
        let sink = WatchSink()
        let watch = try watch(sink)
        _ = await read(watch, sink)
        try await test.add(.titled("a") { $0.sound = Sound() })
        let told = await frames(watch, sink)
        #expect(told.map(text).contains("vibrate a"))
        #expect(!told.map(text).contains { $0.hasPrefix("sound") })
        let banner = told.compactMap { frame -> ShownNotification? in
            if case .banner(_, let shown) = frame { shown } else { nil }
        }.first
        let hides = try test.state().settings.showPreviews.hidesText(whileLocked: true)
        #expect(banner?.rendered.isHidden == hides)
    }

    @Test("A notification without an entry is shown all the same")
    func bannerAlone() async throws {
        try await test.authorize()
        _ = try test.subscribe(
            as: DelegateRole(capabilities: .willPresent, standingPresentation: .banner),
            .foreground,
            named: "app"
        )
        let sink = WatchSink()
        let watch = try watch(sink)
        _ = await read(watch, sink)
        try await test.add(.titled("a"))
        #expect(await frames(watch, sink).map(text) == ["banner a banner true"])
    }

    @Test("What the person does: what is left of the group, the app to run, the state")
    func person() async throws {
        try await test.authorize()
        for identifier in ["a", "b"] { try await test.add(.titled(identifier)) }
        let sink = WatchSink()
        let watch = try watch(sink)
        _ = await read(watch, sink)
        try await test.respond(.open, to: test.reference("a", 1))
        #expect(await frames(watch, sink).map(text) == ["launch a foreground", "removed a of 1"])
        try await test.dismiss(.all(device: "local"))
        #expect(await frames(watch, sink).map(text) == ["removed b of 0"])
        try await test.updateDevice { $0.isLocked = true }
        #expect(await frames(watch, sink).map(text) == ["state locked=true"])
        try await test.setBadge(5)
        #expect(await frames(watch, sink).map(text) == ["badge 5"])
    }

    /// Asks without waiting, and gives the pending result.
    @discardableResult
    private func ask(
        _ options: AuthorizationOptions,
        for center: CenterName
    ) async throws -> AuthorizationReply {
        try await test.result {
            $0.requestAuthorization(
                options,
                for: center,
                answer: .ask(waitNanoseconds: 0),
                completion: $1
            )
        }.get()
    }

    private func answer(_ prompt: PromptNumber, _ answer: AuthorizationPrompt.Answer) async throws {
        _ = try await test.result {
            $0.answerPrompt(prompt, on: "local", with: .answer(answer), completion: $1)
        }.get()
    }

    @Test("A question to the person is told when it is asked, grows and is closed")
    func prompt() async throws {
        let sink = WatchSink()
        let watch = try watch(sink)
        _ = await read(watch, sink)
        let center = CenterName.local("app")
        let number = try #require(try await ask([.alert], for: center).prompt)
        #expect(
            await frames(watch, sink).map(text) == ["app app", "prompt \(number) initial of app"]
        )
        try await ask([.alert], for: center)
        #expect(await frames(watch, sink).isEmpty)
        try await ask([.sound], for: center)
        let grown = await frames(watch, sink)
        guard case .prompt(let shown) = grown.first else {
            Issue.record("\(grown.map(text))")
            return
        }
        #expect(shown.prompt.options == [.alert, .sound])
        try await answer(number, .deny)
        #expect(
            await frames(watch, sink).map(text) == ["app app", "closed \(number) of app: denied"]
        )
    }

    @Test("A quiet grant's question stands in the snapshot and beside what came (A-6, A-7)")
    func quietPrompt() async throws {
        let center = CenterName.local("quiet")
        #expect(try await ask([.alert, .provisional], for: center).prompt == nil)
        try await test.add(.titled("a"), to: center)
        let sink = WatchSink()
        let watch = try watch(sink)
        let parts = await read(watch, sink).compactMap { message -> DeviceSnapshotPart? in
            if case .snapshot(let part) = message { part } else { nil }
        }
        let prompt = try #require(parts.flatMap(\.prompts).first)
        #expect(prompt.prompt.kind == .quiet)
        let shown = parts.flatMap(\.groups).flatMap(\.notifications)
        #expect(shown.map(\.prompt) == [prompt.number])
        // An app that asks for more waits for the same question, and may know it.
        #expect(try await ask([.alert], for: center).prompt == prompt.number)
        #expect(
            await frames(watch, sink).map(text) == ["prompt \(prompt.number) upgrade of quiet"]
        )
        try await answer(prompt.number, .keep(.immediately))
        #expect(
            await frames(watch, sink).map(text)
                == ["app quiet", "closed \(prompt.number) of quiet: authorized"]
        )
    }

    @Test("An app that is taken off the device is told, with its question")
    func removedApp() async throws {
        let number = try #require(try await ask([.alert], for: .local("app")).prompt)
        let sink = WatchSink()
        let watch = try watch(sink)
        _ = await read(watch, sink)
        _ = try await test.result { $0.unregisterApp(.local("app"), completion: $1) }.get()
        #expect(
            await frames(watch, sink).map(text)
                == ["closed \(number) of app: notDetermined", "removed app"]
        )
    }

    @Test("SSM-1: What waits is listed as held; of the summary the first one has a banner")
    func summary() async throws {
        try await test.authorize()
        let app = test.center.app
        try await test.updateDevice {
            $0.summary.isEnabled = true
            $0.summary.times = [480]
            $0.summary.apps = [app]
        }
        let sink = WatchSink()
        let watch = try watch(sink)
        _ = await read(watch, sink)
        // A count is that of the moment at which the frame is made.
        try await test.add(.titled("a"))
        var held = await frames(watch, sink)
        try await test.add(.titled("b") { $0.sound = Sound() })
        held += await frames(watch, sink)
        #expect(held.map(text) == ["listed a 0 of 1", "listed b 0 of 2"])
        let shown = held.compactMap { frame -> Bool? in
            if case .listed(let shown, _, _) = frame { shown.isHeld } else { nil }
        }
        #expect(shown == [true, true])
        try await test.advance(.toNextDue)
        #expect(
            await frames(watch, sink).map(text)
                == ["presented b of 2", "presented a of 2", "banner b banner true"]
        )
    }

    @Test("Only the apps that are asked for, and no other device")
    func filtered() async throws {
        let other = CenterName.local("org.example.other")
        let far = try CenterName(app: test.center.app, device: "tablet")
        for center in [test.center, other, far] { try await test.authorize(for: center) }
        let sink = WatchSink()
        let watch = try watch(sink, apps: [other.app])
        _ = await read(watch, sink)
        try await test.add(.titled("a"))
        try await test.add(.titled("b"), to: far)
        try await test.add(.titled("c"), to: other)
        let told = await frames(watch, sink).map(text)
        #expect(told == ["listed c 0 of 1", "banner c banner true"])
    }

    @Test("One that takes nothing is ended, and holds no more than a short queue")
    func slow() async throws {
        try test.reopen { $0.limits.newsBytes = 100 * 1_024 }
        try await test.authorize()
        let sink = WatchSink()
        let watch = try watch(sink)
        _ = await read(watch, sink)
        for _ in 0..<5 { try await test.addAll(try (0..<200).map { try .titled("\($0)") }) }
        await test.settle()
        #expect(sink.end == .watcherBehind)
        #expect(!test.feeds.pump.isWatched(CenterName.localDevice))
        watch.cancel()
    }

    @Test("A watch ends with its reader, and with the store")
    func ends() async throws {
        let (first, second) = (WatchSink(), WatchSink())
        let watch = try watch(first, on: "tablet")
        watch.cancel()
        #expect(!test.feeds.pump.isWatched("tablet"))
        _ = try self.watch(second)
        await test.settle()
        test.feeds.stop()
        #expect(first.end == nil)
        #expect(second.end == .stopping)
    }
}
