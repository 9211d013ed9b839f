public import BelfryGRPC
public import NotificationProtocol

/// Serves an app as its service extension or its content extension.
///
/// The client is a value that uses a channel and does not close it. It is safe on any thread.
public struct ExtensionClient: Sendable {
    /// The app that the extension belongs to: it serves the app on all devices.
    public let app: String
    let caller: Caller

    /// Makes a client for an app's extensions; no call is made yet.
    ///
    /// - Parameters:
    ///   - channel: The connection to a server.
    ///   - app: The app that the extension belongs to.
    ///   - options: How calls are made.
    public init(channel: Channel, app: String, options: CallOptions = CallOptions()) {
        self.app = app
        caller = Caller(channel: channel, options: options)
    }

    /// Serves: receives the questions to the extension until the server or a newer call ends it.
    ///
    /// The call is made when iteration begins. Its first frame has the `serving_id` that answers
    /// name.
    ///
    /// - Parameter item: What the extension is.
    /// - Returns: The frames, as a sequence to iterate once.
    public func serve(_ item: Belfry_V1_AppExtension) -> ExtensionServing {
        var request = Belfry_V1_ServeRequest()
        request.appID = app
        request.extension = item
        return ExtensionServing(request, caller: caller)
    }

    /// Answers what is delivered in place of a push.
    ///
    /// - Parameters:
    ///   - content: The content; an empty one drops the push where the app may do that (NSE-5).
    ///   - callback: The question.
    ///   - serving: The `serving_id` of the call.
    ///   - isBestAttempt: Whether the content is only delivered where no answer comes in time.
    ///   - key: The idempotency key, if any.
    /// - Returns: What becomes of the content.
    /// - Throws: ``ClientError`` with the server's refusal.
    public func complete(
        _ content: Belfry_V1_NotificationContent,
        of callback: Belfry_V1_ExtensionCallback,
        through serving: String,
        isBestAttempt: Bool = false,
        key: String = ""
    ) async throws(ClientError) -> Belfry_V1_ExtensionOutcome {
        var request = Belfry_V1_CompleteServiceExtensionRequest()
        request.appID = app
        request.idempotencyKey = key
        request.servingID = serving
        request.callbackID = callback.callbackID
        request.content = content
        request.bestAttempt = isBestAttempt
        let response: Belfry_V1_CompleteServiceExtensionResponse = try await caller.call(
            "/belfry.v1.ExtensionService/CompleteServiceExtension",
            request
        )
        return response.outcome
    }
}

/// The frames to an extension that serves.
///
/// An element holds all frames that arrived together. After a cut the sequence throws a
/// ``ClientError``; an extension that serves again is asked the open questions again. The sequence
/// throws `ABORTED` when a newer call of the extension takes over.
///
/// Iterate it once. To end the call, cancel the task that iterates.
public struct ExtensionServing: AsyncSequence, Sendable {
    /// The frames of one message to the extension, in order.
    public typealias Element = [Belfry_V1_ExtensionFrame]

    private let request: Belfry_V1_ServeRequest
    private let caller: Caller

    init(_ request: Belfry_V1_ServeRequest, caller: Caller) {
        self.request = request
        self.caller = caller
    }

    /// Makes an iterator, which begins to serve at the first `next()`.
    public func makeAsyncIterator() -> Iterator {
        Iterator(request: request, caller: caller)
    }

    /// The iterator of a call that serves.
    public struct Iterator: AsyncIteratorProtocol {
        private var messages: MessageStream<Belfry_V1_ServeRequest, Belfry_V1_ServeResponse>

        fileprivate init(request: Belfry_V1_ServeRequest, caller: Caller) {
            messages = MessageStream(
                "/belfry.v1.ExtensionService/Serve",
                request,
                of: Belfry_V1_ServeResponse.self,
                caller: caller
            )
        }

        /// Gives the extension's next frames, or `nil` when the server closed the stream with OK.
        ///
        /// - Throws: ``ClientError``, with `CANCELLED` when the task was cancelled.
        public mutating func next() async throws(ClientError) -> [Belfry_V1_ExtensionFrame]? {
            try await messages.next()?.frames
        }
    }
}
