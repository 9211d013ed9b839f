internal import BelfryGRPC
internal import BelfryLocking
internal import NotificationCore
internal import NotificationFeeds
internal import SwiftProtobuf

protocol StreamedFeed: AnyObject, Sendable {
    /// Says that the last message was taken.
    func sent()
    /// Ends the feed, whose reader is gone.
    func cancel(isCut: @autoclosure () -> Bool)
}

extension ExtensionFeed: StreamedFeed {}

extension AnswerFeed: StreamedFeed {
    func cancel(isCut: @autoclosure () -> Bool) { cancel() }
}

/// An open stream that passes on the messages of its feed, each as one response.
final class FeedStream<Feed: StreamedFeed, Message>: FeedSink, ServerStreamDelegate {
    private struct State {
        var place: StreamPlace?
        var feed: Feed?
        var isEnded = false
        var isLast = false
    }

    private let stream: ServerStream
    private let bytes: @Sendable (Message) throws -> [UInt8]
    private let isLast: @Sendable (Message) -> Bool
    private let state = Guarded(State())

    /// Opens the stream of a feed.
    ///
    /// `isLast` says whether the call ends well after a message. `bytes` writes a message of the
    /// feed as a response.
    init(
        _ stream: ServerStream,
        isLast: @escaping @Sendable (Message) -> Bool = { _ in false },
        bytes: @escaping @Sendable (Message) throws -> [UInt8]
    ) {
        self.stream = stream
        self.isLast = isLast
        self.bytes = bytes
    }

    /// Keeps the stream's place until the stream ends.
    func keep(_ place: StreamPlace) {
        state.withLock { $0.place = place }
    }

    // MARK: From the feed

    func begin(_ feed: Feed) {
        let isEnded = state.withLock { state in
            state.feed = feed
            return state.isEnded
        }
        if isEnded { feed.cancel(isCut: false) }
    }

    func send(_ message: Message) {
        if isLast(message) { state.withLock { $0.isLast = true } }
        do {
            stream.send(try bytes(message))
        } catch {
            stream.finish(Status(code: .internalError, message: "the frames do not serialize"))
        }
    }

    func end(_ refusal: Refusal) {
        stream.end(refusal)
    }

    // MARK: From the stream

    func received(_ message: RawSpan) {}

    func receivedEnd() {}

    func sent() {
        let (feed, isLast) = state.withLock { ($0.feed, $0.isLast) }
        if isLast { stream.finish(.ok) } else { feed?.sent() }
    }

    func ended(cancelled: Bool) {
        let (feed, place) = state.withLock { state in
            state.isEnded = true
            return (state.feed.take(), state.place.take())
        }
        defer { withExtendedLifetime(place) {} }
        feed?.cancel(isCut: cancelled && stream.isCut)
    }
}
