internal import BelfryGRPC
internal import NotificationClient
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@testable internal import NotificationFeeds
@testable internal import NotificationService

@Suite("Subscribe (W-13)", .timeLimit(.minutes(5)))
struct SubscribeTests {
    let service: TestService

    init() throws { service = try TestService() }

    @Test("The first frame says that the subscription stands; then all is told")
    func started() async throws {
        let center = try await service.authorizedCenter()
        try await center.add("a")
        let stream = try await service.subscribe()
        let messages = try await stream.messagesUntilCaughtUp()
        let first = try #require(messages.first?.frames.first)
        #expect(first.started.lastEventNumber == 2)
        #expect(first.started.role == .observer)
        #expect(!first.started.subscriptionID.isEmpty)
        #expect(messages.flatMap(\.events).isEmpty)
        #expect(messages.last?.frames.last?.caughtUp.lastEventNumber == 2)
        #expect(messages.allSatisfy { $0.bookmark == 2 })
        let other = try #require(
            try await service.subscribe().messagesUntilCaughtUp().first?.frames.first
        )
        #expect(other.started.subscriptionID != first.started.subscriptionID)
    }

    @Test("Each event that happens is told, with the number to go on from")
    func follow() async throws {
        let center = try await service.authorizedCenter()
        let stream = try await service.subscribe()
        _ = try await stream.messagesUntilCaughtUp()
        for number: UInt64 in 2...5 {
            try await center.add("\(number)")
            let message = try #require(try await stream.next())
            #expect(message.events.map(\.number) == [number])
            #expect(message.events.first?.delivered.notification.request.identifier == "\(number)")
            #expect(message.bookmark == number)
        }
    }

    @Test("After a cut a subscription goes on at its bookmark, without a gap and without a repeat")
    func resume() async throws {
        let center = try await service.authorizedCenter()
        for number in 0..<600 { try await center.add("\(number)") }
        var numbers: [UInt64] = []
        var bookmark: UInt64 = 0
        while bookmark < 601 {
            let stream = try await service.subscribe { $0.after = bookmark }
            var message = Belfry_V1_SubscribeResponse()
            while message.events.isEmpty { message = try #require(try await stream.next()) }
            numbers += message.events.map(\.number)
            bookmark = message.bookmark
            stream.cancel()
        }
        #expect(numbers == Array(1...601))
    }

    @Test("A snapshot tells the center in parts; only after the last one is there a bookmark")
    func snapshot() async throws {
        let service = try TestService { $0.limits.eventsPerMessage = 2 }
        defer { service.stop() }
        let center = try await service.authorizedCenter()
        for identifier in ["a", "b", "c", "d", "e"] { try await center.add(identifier) }
        try await center.add("later", in: .seconds(5))
        _ = try await center.setBadgeCount(7)
        let settings = try await center.notificationSettings()

        let stream = try await service.subscribe { $0.snapshot = true }
        let messages = try await stream.messagesUntilCaughtUp()
        let parts = messages.flatMap(\.snapshots)
        #expect(parts.map(\.delivered.count) == [2, 2, 1])
        let delivered = parts.flatMap(\.delivered)
        #expect(delivered.map(\.request.identifier) == ["a", "b", "c", "d", "e"])
        #expect(delivered == (try await center.listDelivered().notifications))
        #expect(parts.map(\.complete) == [false, false, true])
        for part in parts {
            #expect(part.asOfEvent == 7)
            #expect(part.pendingCount == 1)
            #expect(part.badge == 7)
            #expect(part.settings == settings.settings)
        }
        #expect(messages.first?.frames.first?.started.lastEventNumber == 7)
        for message in messages {
            let isComplete = message.snapshots.last?.complete ?? false
            #expect(message.hasBookmark == (isComplete || message == messages.last))
        }
        #expect(messages.last?.bookmark == 7)

        try await center.add("new")
        #expect(try await stream.events(1).map(\.number) == [8])
    }

    @Test("A stop ends each stream with UNAVAILABLE")
    func stop() async throws {
        _ = try await service.authorizedCenter()
        let streams = [
            try await service.subscribe(), try await service.subscribe { $0.snapshot = true },
            try await service.subscribe { $0.after = 0 },
        ]
        for stream in streams { _ = try await stream.messagesUntilCaughtUp() }
        service.server.stop(within: .seconds(5))
        for stream in streams { #expect(await stream.end()?.code == .unavailable) }
    }

    @Test("A store that stops ends each stream with UNAVAILABLE and says so")
    func storeStop() async throws {
        _ = try await service.authorizedCenter()
        let stream = try await service.subscribe()
        _ = try await stream.messagesUntilCaughtUp()
        service.test.feeds.stop()
        let end = try #require(await stream.end())
        Expected(.unavailable, "STOPPING").check(ClientError(end))
        let error = try await refusal { try await service.center().add("a") }
        Expected(.unavailable, "STOPPING").check(error)
        #expect(error.retryDelay == .seconds(1))
        #expect(
            try await refusal { _ = try await service.center().listPending() }.reason == "STOPPING"
        )
    }

    @Test("A connection, an app and a peer have their shares of the subscriptions")
    func shares() async throws {
        let service = try TestService { $0.limits.subscriptions = 16 }
        defer { service.stop() }
        for app in ["a", "b"] { _ = try await service.authorizedCenter(app) }
        let other = service.anotherConnection()
        defer { other.close() }
        func follow(_ app: String, over channel: Channel) async throws -> TestStream {
            let stream = channel.stream(Rpc.subscribe.path)
            let request = Belfry_V1_SubscribeRequest.with { $0.center.appID = app }
            try await stream.send(try request.serializedBytes())
            await stream.finishSending()
            return TestStream(stream)
        }
        func expectRefusal(of stream: TestStream, to who: String) async throws {
            let error = ClientError(try #require(await stream.end()))
            Expected(.resourceExhausted, "SUBSCRIPTION_LIMIT").check(error)
            #expect(error.message.hasPrefix(who))
        }
        // Each stands for as long as its stream is held.
        var streams: [TestStream] = []
        for _ in 0..<8 { streams.append(try await follow("a", over: service.channel)) }
        for stream in streams { _ = try await stream.messagesUntilCaughtUp() }
        try await expectRefusal(of: follow("b", over: service.channel), to: "the connection")
        try await expectRefusal(of: follow("a", over: other), to: "local/a")
        for _ in 0..<4 {
            let stream = try await follow("b", over: other)
            _ = try await stream.messagesUntilCaughtUp()
            streams.append(stream)
        }
        try await expectRefusal(of: follow("b", over: other), to: "the peer")
        for stream in streams { stream.cancel() }
    }

    @Test("A subscription is gone with its stream, and its place is free")
    func placesComeBack() async throws {
        let service = try TestService { $0.limits.subscriptions = 2 }
        defer { service.stop() }
        _ = try await service.authorizedCenter()
        for _ in 0..<5 {
            let streams = [try await service.subscribe(), try await service.subscribe()]
            for stream in streams { _ = try await stream.messagesUntilCaughtUp() }
            let third = try await service.subscribe().end()
            Expected(.resourceExhausted, "SUBSCRIPTION_LIMIT").check(
                ClientError(try #require(third))
            )
            #expect(try await service.admin.stats().subscriptions == 2)
            for stream in streams {
                stream.cancel()
                _ = await stream.end()
            }
            // The server learns of the cut by itself.
            while try await service.admin.stats().subscriptions > 0 { await Task.yield() }
        }
    }

    @Test("Streams that are cut before anything was read leave nothing behind")
    func cutAtOnce() async throws {
        let center = try await service.authorizedCenter()
        for number in 0..<300 { try await center.add("\(number)") }
        for _ in 0..<50 {
            let stream = try await service.subscribe { $0.after = 0 }
            stream.cancel()
            _ = await stream.end()
        }
        while try await service.admin.stats().subscriptions > 0 { await Task.yield() }
        #expect(try await service.subscribe { $0.after = 0 }.events(301).count == 301)
    }

    @Test("Those who stand at the same place are told the same bytes, each with its own frames")
    func shared() async throws {
        let service = try TestService()
        defer { service.stop() }
        let center = try await service.authorizedCenter()
        let early = try await service.subscribe { $0.after = 0 }
        let late = try await service.subscribe { $0.after = 0 }
        for number in 0..<20 {
            try await center.add("\(number)")
            if number == 10 { _ = try await service.subscribe { $0.after = 5 } }
        }
        for stream in [early, late] {
            #expect(try await stream.events(21).map(\.number) == Array(1...21))
        }
    }

    @Test("A heartbeat tells the server's clock")
    func heartbeat() throws {
        var message = EventFeedMessage(bookmark: 3)
        message.isHeartbeat = true
        let bytes = message.bytes(
            center: .init(),
            now: .newYear,
            isPlaceToResume: true
        )
        let wire = try Belfry_V1_SubscribeResponse(serializedBytes: bytes)
        #expect(wire.bookmark == 3)
        #expect(wire.frames.map(\.heartbeat.now.seconds) == [1_767_225_600])
    }
}
