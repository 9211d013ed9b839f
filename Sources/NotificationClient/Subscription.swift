internal import BelfryGRPC
internal import BelfryLocking
public import NotificationProtocol

/// The frames of a center, in order, also when the connection is cut and made again.
///
/// The call is made when iteration begins. Each connection begins with a `started` frame. When the
/// connection is cut, or the server stops, the subscription resumes after its ``bookmark`` on a new
/// connection, so that each event arrives exactly once; an incomplete snapshot begins again. The
/// subscription resumes its role and the app's state if the server still keeps them, and otherwise
/// sends them again. It retries for ever, with at most 5 seconds between two attempts. To end the
/// subscription, cancel the task that iterates. Any other refusal is thrown as a ``ClientError``
/// and ends the sequence.
///
/// Iterate a subscription once. A slow consumer delays only itself: frames wait at the server.
public final class Subscription: AsyncSequence, Sendable {
    /// One frame: an event, or a part of the snapshot or of the protocol.
    public typealias Element = Belfry_V1_SubscriptionFrame

    /// The number of the event after which a later subscription resumes: its `after`.
    ///
    /// The bookmark moves when all frames of a message were taken and the next frame is asked for,
    /// so that it never skips a frame that is still being handled. It is `nil` before the first
    /// message, and while a snapshot is incomplete.
    public var bookmark: UInt64? { position.withLock { $0 } }

    /// Whether the subscription resumes after a cut connection; otherwise it throws `UNAVAILABLE`.
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

    /// Makes an iterator, which subscribes at the first `next()`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(subscription: self)
    }

    /// Opens a stream that resumes after the last bookmark.
    ///
    /// `resumed` is the identifier of the subscription whose role and state the stream resumes, if
    /// any.
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
            // The call has already ended; the next read gives the reason.
        }
        await stream.finishSending()
        return stream
    }

    fileprivate func moved(to bookmark: UInt64) {
        position.withLock { $0 = bookmark }
    }

    /// Whether the server keeps this subscription's role or app state after a cut.
    fileprivate var speaksForApp: Bool {
        request.role == .primary || request.appState != .notRunning
    }
}

extension Subscription {
    /// The iterator of a subscription.
    public struct Iterator: AsyncIteratorProtocol {
        private let subscription: Subscription
        private var stream: ClientStream?
        private var frames: ArraySlice<Belfry_V1_SubscriptionFrame> = []
        // The bookmark of the message whose remaining frames `frames` holds.
        private var pendingBookmark: UInt64?
        // The identifier of the subscription that the server may still keep.
        private var resumed: String?
        private var pause = Backoff()
        private var isFinished = false

        fileprivate init(subscription: Subscription) {
            self.subscription = subscription
        }

        /// Gives the next frame, or `nil` when the server closed the stream with OK.
        ///
        /// - Throws: ``ClientError``, with `CANCELLED` when the task was cancelled.
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

        /// Waits before the next attempt, or throws when the subscription does not retry.
        private mutating func recover(from status: Status) async throws(ClientError) {
            let error = ClientError(status)
            if resumed != nil, error.reason == "SUBSCRIPTION_UNKNOWN" {
                resumed = nil
                return
            }
            // The server aborts the stream of a stalled subscriber, and the status then has no
            // details.
            let isStalled = error.message.hasPrefix("SUBSCRIBER_STALLED")
            let isCut = isStalled || error.isCut(of: subscription.channel)
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
struct Backoff {
    private var delay: Duration = .milliseconds(100)

    mutating func next() -> Duration {
        let next = delay
        delay = min(delay * 2, .seconds(5))
        return next
    }
}
