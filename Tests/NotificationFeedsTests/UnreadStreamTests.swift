internal import NotificationCore
internal import NotificationStore
internal import TestSupport
internal import Testing

@testable internal import NotificationFeeds

/// One message of a stream waits for a client that does not read.
@Suite("Streams that are not read (FD-1)")
struct UnreadStreamTests {
    private let test: TestStore

    init() throws {
        test = try TestStore { $0.limits.messageBytes = 2 * $0.limits.eventBytesPerMessage }
    }

    /// About the bytes of the requests that a message tells.
    private func byteCount(_ message: EventFeedMessage) -> Int {
        message.events.reduce(0) { sum, event in
            guard case .delivered(let delivered) = event.kind else { return sum }
            return sum + delivered.notification.request.byteCount
        }
    }

    /// Delivers notifications of 2 KiB, one for each small message and more.
    private func deliver() async throws {
        try await test.authorize()
        for index in 0..<MessageRooms.provenCount + 136 {
            try await test.add(
                try .titled("\(index)") { $0.body = String(repeating: "x", count: 2_048) }
            )
        }
    }

    @Test("A stream has small messages until its client has taken some, and large ones then")
    func proven() async throws {
        try await deliver()
        let stream = try test.subscribe(after: 0)
        var sizes: [Int] = []
        for _ in 0..<MessageRooms.provenCount { sizes.append(byteCount(try await stream.next())) }
        // A message ends with the event that goes beyond the limit.
        #expect(sizes.allSatisfy { $0 <= MessageRooms.smallByteCount + 4_096 })
        #expect(byteCount(try await stream.next()) > 100_000)
    }

    @Test("Beyond the bytes of all messages that are on their way, messages are small again")
    func rooms() async throws {
        try await deliver()
        let streams = try (0..<3).map { _ in try test.subscribe(after: 0) }
        for stream in streams {
            for _ in 0..<MessageRooms.provenCount { _ = try await stream.next() }
        }
        // Nobody takes these messages: two streams have the rooms.
        var sizes: [Int] = []
        for stream in streams { sizes.append(byteCount(try await stream.peek())) }
        #expect(sizes.filter { $0 > 100_000 }.count == 2)
        #expect(sizes.filter { $0 <= MessageRooms.smallByteCount + 4_096 }.count == 1)
        // A stream that ends gives its room back.
        for stream in streams { stream.cancel() }
        await test.settle()
        let next = try test.subscribe(after: 0)
        for _ in 0..<MessageRooms.provenCount { _ = try await next.next() }
        #expect(byteCount(try await next.peek()) > 100_000)
    }
}
