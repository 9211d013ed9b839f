internal import BelfryGRPC
internal import BelfryLocking
public import NotificationProtocol

/// Follows a center: its frames in order, through cuts of the connection.
///
/// The call is made when iteration begins. Each connection begins with a `started` frame. When one
/// is cut, or the server stops, the subscription goes on at its ``bookmark`` on a new one, so that
/// no event is missed and none comes twice; a snapshot that was not complete begins again. The role
/// and the app's state are taken up as they were, where the server still keeps them, and otherwise
/// said again. It tries without end, at most 5 seconds apart: end it by cancelling the task that
/// iterates. Any other refusal is thrown as a ``ClientError`` and ends the sequence.
///
/// Iterate once. A consumer that is slow delays only itself: frames wait at the server.
public final class Subscription: AsyncSequence, Sendable {
    /// What is told.
    public typealias Element = Belfry_V1_SubscriptionFrame

    /// Where a later subscription would go on: its `after`.
    ///
    /// It moves when all frames of a message were taken and the next is asked for, so that it never
    /// passes over a frame whose handling did not end. `nil` before the first message, and while a
    /// snapshot is not complete.
    public var bookmark: UInt64? { position.withLock { $0 } }

    /// Whether a cut is survived, instead of being thrown as `UNAVAILABLE`.
    public let reconnects: Bool

    private let request: Belfry_V1_SubscribeRequest
    private let channel: Channel
    private let options: CallOptions
    private let position = Guarded<UInt64?>(nil)

    init(
        _ request: Belfry_V1_SubscribeRequest,
        reconnects: Bool,
        channel: Channel,
        options: CallOptions
    ) {
        self.request = request
        self.reconnects = reconnects
        self.channel = channel
        self.options = options
    }

    /// Begins to iterate.
    public func makeAsyncIterator() -> Iterator {
        Iterator(subscription: self)
    }

    /// Opens a stream that goes on where the last one ended.
    ///
    /// `resumed` is the subscription that it takes up with its role and state, if any.
    fileprivate func open(resuming resumed: String?) async throws(Status) -> ClientStream {
        var message = request
        if let resumed {
            message.resumeSubscriptionID = resumed
            message.role = .observer
            message.capabilities = []
            message.appState = .notRunning
            message.clearStandingPresentation()
        }
        if let bookmark {
            message.after = bookmark
            message.snapshot = false
        }
        let bytes: [UInt8]
        do throws(ClientError) {
            bytes = try encode(message)
        } catch {
            throw Status(code: error.code, message: error.message)
        }
        let stream = channel.stream(
            "/belfry.v1.DelegateService/Subscribe",
            metadata: options.metadata
        )
        do throws(Status) {
            try await stream.send(bytes)
        } catch {
            // The call ended before; reading tells why.
        }
        await stream.finishSending()
        return stream
    }

    fileprivate func moved(to bookmark: UInt64) {
        position.withLock { $0 = bookmark }
    }

    /// Whether the server keeps a role or a state of it after a cut.
    fileprivate var speaksForApp: Bool {
        request.role == .primary || request.appState != .notRunning
    }
}

extension Subscription {
    /// Takes the frames of a subscription.
    public struct Iterator: AsyncIteratorProtocol {
        private let subscription: Subscription
        private var stream: ClientStream?
        private var frames: ArraySlice<Belfry_V1_SubscriptionFrame> = []
        // The bookmark of the message that `frames` is what remains of.
        private var pendingBookmark: UInt64?
        // The subscription that the server may still keep.
        private var resumed: String?
        private var pause = Backoff()
        private var isFinished = false

        fileprivate init(subscription: Subscription) {
            self.subscription = subscription
        }

        /// Gives the next frame, or `nil` where the server ended the stream in order.
        ///
        /// - Throws: ``ClientError``; `CANCELLED` when the task was cancelled.
        public mutating func next() async throws(ClientError) -> Belfry_V1_SubscriptionFrame? {
            while !isFinished {
                if let frame = frames.popFirst() { return frame }
                if let bookmark = pendingBookmark { subscription.moved(to: bookmark) }
                pendingBookmark = nil
                guard !Task.isCancelled else {
                    throw ClientError(code: .cancelled, message: "the subscription was cancelled")
                }
                do throws(Status) {
                    guard let bytes = try await nextMessage() else {
                        isFinished = true
                        break
                    }
                    pause = Backoff()
                    try take(bytes)
                } catch {
                    stream = nil
                    try await recover(from: error)
                }
            }
            return nil
        }

        private mutating func nextMessage() async throws(Status) -> [UInt8]? {
            if let stream { return try await stream.next() }
            let opened = try await subscription.open(resuming: resumed)
            stream = opened
            return try await opened.next()
        }

        private mutating func take(_ bytes: [UInt8]) throws(Status) {
            let message: Belfry_V1_SubscribeResponse
            do throws(ClientError) {
                message = try decode(bytes)
            } catch {
                throw Status(code: error.code, message: error.message)
            }
            if subscription.speaksForApp, let first = message.frames.first, first.isStarted {
                resumed = first.started.subscriptionID
            }
            frames = message.frames[...]
            pendingBookmark = message.hasBookmark ? message.bookmark : nil
        }

        /// Waits before another attempt, or throws where none is to be made.
        private mutating func recover(from status: Status) async throws(ClientError) {
            let error = ClientError(status)
            if resumed != nil, error.reason == "SUBSCRIPTION_UNKNOWN" {
                resumed = nil
                return
            }
            // A stream on which nothing was taken ends without details.
            let isStalled = error.message.hasPrefix("SUBSCRIBER_STALLED")
            let isCut = error.code == .unavailable || isStalled
            guard subscription.reconnects, isCut, !Task.isCancelled else {
                isFinished = true
                throw error
            }
            do {
                try await Task.sleep(for: pause.next())
            } catch {
                throw ClientError(code: .cancelled, message: "the subscription was cancelled")
            }
        }
    }
}

extension Belfry_V1_SubscriptionFrame {
    fileprivate var isStarted: Bool {
        if case .started = kind { true } else { false }
    }
}

/// The time between two attempts: 100 ms, twice as long each time, at most 5 seconds.
private struct Backoff {
    private var delay: Duration = .milliseconds(100)

    mutating func next() -> Duration {
        let next = delay
        delay = min(delay * 2, .seconds(5))
        return next
    }
}
