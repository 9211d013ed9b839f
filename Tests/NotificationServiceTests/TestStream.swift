internal import BelfryGRPC
internal import NotificationProtocol
internal import SwiftProtobuf

/// A subscription that a test reads message by message and frame by frame.
final class TestStream: Sendable {
    typealias Message = Belfry_V1_SubscribeResponse
    typealias Frame = Belfry_V1_SubscriptionFrame.OneOf_Kind

    private let stream: ClientStream

    init(_ stream: ClientStream) {
        self.stream = stream
    }

    /// Waits for the next message; nil where the stream ended well.
    func next() async throws -> Message? {
        try await stream.next().map { try Message(serializedBytes: $0) }
    }

    /// Takes messages up to the one that says that all is told.
    func messagesUntilCaughtUp() async throws -> [Message] {
        var messages: [Message] = []
        while let message = try await next() {
            messages.append(message)
            if message.frames.contains(where: \.isCaughtUp) { break }
        }
        return messages
    }

    /// Takes messages of the wire until they held `count` events, and gives those.
    func events(_ count: Int) async throws -> [Belfry_V1_Event] {
        var events: [Belfry_V1_Event] = []
        while events.count < count, let message = try await next() { events += message.events }
        return events
    }

    /// Reads on to the end, and gives the status; nil where the stream ended well.
    func end() async -> Status? {
        do {
            while try await stream.next() != nil {}
            return nil
        } catch {
            return error
        }
    }

    func cancel() { stream.cancel() }
}

extension Belfry_V1_SubscribeResponse {
    var events: [Belfry_V1_Event] {
        frames.compactMap { frame in
            if case .event(let event) = frame.kind { event } else { nil }
        }
    }

    var snapshots: [Belfry_V1_Snapshot] {
        frames.compactMap { frame in
            if case .snapshot(let snapshot) = frame.kind { snapshot } else { nil }
        }
    }
}

extension Belfry_V1_SubscriptionFrame {
    var isCaughtUp: Bool {
        if case .caughtUp = kind { true } else { false }
    }
}
