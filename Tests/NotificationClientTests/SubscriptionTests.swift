internal import BelfryGRPC
internal import NotificationClient
internal import NotificationProtocol
internal import StandardServices
internal import SwiftProtobuf
internal import Testing

struct SubscriptionTests {
    private typealias Stream = ScriptedStream<Belfry_V1_SubscribeResponse>

    /// A message with an event frame for each number.
    private static func events(
        _ numbers: ClosedRange<UInt64>,
        bookmark: UInt64?
    ) -> Belfry_V1_SubscribeResponse {
        var message = Belfry_V1_SubscribeResponse()
        message.frames = numbers.map { number in
            var frame = Belfry_V1_SubscriptionFrame()
            frame.event.number = number
            return frame
        }
        if let bookmark { message.bookmark = bookmark }
        return message
    }

    /// Serves each connection with the next of `scripts`, and records what it asked for.
    private func server(
        _ requests: Recorder<Belfry_V1_SubscribeRequest>,
        _ scripts: [Stream.Script]
    ) throws -> FakeServer {
        try FakeServer { router in
            router.serverStream("/belfry.v1.DelegateService/Subscribe") { bytes, stream in
                let request = try? Belfry_V1_SubscribeRequest(serializedBytes: bytes)
                let place = requests.record(request ?? .init())
                return Stream(stream, scripts[place])
            }
        }
    }

    private func client(_ server: FakeServer) -> NotificationCenterClient {
        NotificationCenterClient(channel: Channel(target: server.target), center: .init())
    }

    private func numbers(_ subscription: Subscription) async throws -> [UInt64] {
        var numbers: [UInt64] = []
        for try await frame in subscription { numbers.append(frame.event.number) }
        return numbers
    }

    @Test("Frames come in order, until the server ends the stream")
    func order() async throws {
        let messages = [Self.events(1...3, bookmark: 3), Self.events(4...5, bookmark: 5)]
        let server = try server(.init(), [.init(messages: messages, status: .ok)])
        let subscription = client(server).subscribe(from: .after(0))
        #expect(try await numbers(subscription) == [1, 2, 3, 4, 5])
        #expect(subscription.bookmark == 5)
    }

    @Test(
        "After a cut it goes on at the bookmark",
        arguments: [StatusCode.unavailable, .cancelled]
    )
    func resume(code: StatusCode) async throws {
        let cut = Status(code: code, message: "stopping")
        let requests = Recorder<Belfry_V1_SubscribeRequest>()
        let server = try server(
            requests,
            [
                .init(messages: [Self.events(1...3, bookmark: 3)], status: cut),
                .init(messages: [], status: cut),
                .init(messages: [Self.events(4...4, bookmark: 4)], status: .ok),
            ]
        )
        let subscription = client(server).subscribe { $0.role = .primary }
        #expect(try await numbers(subscription) == [1, 2, 3, 4])
        #expect(requests.values.map(\.hasAfter) == [false, true, true])
        #expect(requests.values.map(\.after) == [0, 3, 3])
        #expect(requests.values.allSatisfy { $0.role == .primary })
    }

    /// A message that begins a subscription.
    private static func started(_ identifier: String) -> Belfry_V1_SubscribeResponse {
        var frame = Belfry_V1_SubscriptionFrame()
        frame.started.subscriptionID = identifier
        return .with { $0.frames = [frame] }
    }

    @Test("After a cut it takes up its role, or says it again where nothing is kept")
    func resumesRole() async throws {
        let cut = Status(code: .unavailable, message: "the connection was lost")
        let lost = Status(
            code: .notFound,
            message: "nothing is kept",
            details: [
                .errorInfo(reason: "SUBSCRIPTION_UNKNOWN", domain: "belfry", metadata: [:])
            ]
        )
        let requests = Recorder<Belfry_V1_SubscribeRequest>()
        let server = try server(
            requests,
            [
                .init(messages: [Self.started("a")], status: cut),
                .init(messages: [], status: cut),
                .init(messages: [Self.started("a")], status: cut),
                .init(messages: [], status: lost),
                .init(messages: [Self.started("b")], status: cut),
                .init(messages: [Self.started("b")], status: .ok),
            ]
        )
        let subscription = client(server).subscribe { request in
            request.role = .primary
            request.capabilities = [.willPresent]
            request.appState = .foreground
            request.standingPresentation.options = [.banner]
        }
        _ = try await numbers(subscription)
        #expect(requests.values.map(\.resumeSubscriptionID) == ["", "a", "a", "a", "", "b"])
        for request in requests.values {
            let isNew = request.resumeSubscriptionID.isEmpty
            #expect(request.role == (isNew ? .primary : .observer))
            #expect(request.capabilities == (isNew ? [.willPresent] : []))
            #expect(request.appState == (isNew ? .foreground : .notRunning))
            #expect(request.hasStandingPresentation == isNew)
        }
    }

    @Test("One that only looks on has nothing to take up")
    func resumesNothing() async throws {
        let cut = Status(code: .unavailable, message: "the connection was lost")
        let requests = Recorder<Belfry_V1_SubscribeRequest>()
        let server = try server(
            requests,
            [
                .init(messages: [Self.started("a")], status: cut),
                .init(messages: [Self.started("b")], status: .ok),
            ]
        )
        _ = try await numbers(client(server).subscribe())
        #expect(requests.values.map(\.resumeSubscriptionID) == ["", ""])
    }

    @Test("A snapshot that was cut begins again, and one that is complete does not")
    func snapshot() async throws {
        let cut = Status(code: .unavailable, message: "stopping")
        let requests = Recorder<Belfry_V1_SubscribeRequest>()
        let server = try server(
            requests,
            [
                .init(messages: [Self.events(1...1, bookmark: nil)], status: cut),
                .init(messages: [Self.events(1...1, bookmark: 9)], status: cut),
                .init(messages: [], status: .ok),
            ]
        )
        _ = try await numbers(client(server).subscribe(from: .snapshot))
        #expect(requests.values.map(\.snapshot) == [true, true, false])
        #expect(requests.values.map(\.hasAfter) == [false, false, true])
        #expect(requests.values.last?.after == 9)
    }

    @Test("The bookmark waits until all frames of its message were taken")
    func bookmark() async throws {
        let messages = [Self.events(1...2, bookmark: 2), Self.events(3...3, bookmark: 3)]
        let server = try server(.init(), [.init(messages: messages, status: .ok)])
        let subscription = client(server).subscribe()
        var iterator = subscription.makeAsyncIterator()
        var bookmarks: [UInt64?] = []
        while try await iterator.next() != nil { bookmarks.append(subscription.bookmark) }
        #expect(bookmarks == [nil, nil, 2])
        #expect(subscription.bookmark == 3)
    }

    @Test("Events that are trimmed end it with the reason")
    func trimmed() async throws {
        let trimmed = Status(
            code: .outOfRange,
            message: "trimmed",
            details: [
                .errorInfo(
                    reason: "EVENTS_TRIMMED",
                    domain: "belfry",
                    metadata: ["first_number": "7"]
                )
            ]
        )
        let server = try server(.init(), [.init(messages: [], status: trimmed)])
        let error = try await #require(throws: ClientError.self) {
            try await numbers(client(server).subscribe(from: .after(1)))
        }
        #expect(error.reason == "EVENTS_TRIMMED")
        #expect(error.metadata["first_number"] == "7")
    }

    @Test("A cut is thrown where reconnecting is not wanted")
    func once() async throws {
        let cut = Status(code: .unavailable, message: "stopping")
        let server = try server(.init(), [.init(messages: [], status: cut)])
        let error = try await #require(throws: ClientError.self) {
            try await numbers(client(server).subscribe(reconnects: false))
        }
        #expect(error.code == .unavailable)
    }

    @Test("Cancelling the task ends a subscription that waits")
    func cancellation() async throws {
        let server = try server(
            .init(),
            [.init(messages: [Self.events(1...1, bookmark: 1)], status: nil)]
        )
        let subscription = client(server).subscribe()
        let (started, hasStarted) = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            for try await _ in subscription { hasStarted.yield() }
        }
        for await _ in started { break }
        task.cancel()
        let error = await #expect(throws: ClientError.self) { try await task.value }
        #expect(error?.code == .cancelled)
    }

    @Test(
        "Closing the channel ends a subscription, which does not reconnect",
        .timeLimit(.minutes(1))
    )
    func closing() async throws {
        let server = try server(
            .init(),
            [.init(messages: [Self.events(1...1, bookmark: 1)], status: nil)]
        )
        let channel = Channel(target: server.target)
        let subscription = NotificationCenterClient(channel: channel, center: .init()).subscribe()
        let error = await #expect(throws: ClientError.self) {
            for try await _ in subscription { channel.close() }
        }
        #expect(error?.code == .cancelled)
    }
}
