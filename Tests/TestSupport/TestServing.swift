internal import BelfryLocking
package import NotificationCore
package import NotificationFeeds
internal import NotificationStore

/// An extension that serves, which a test reads message by message.
package final class TestServing: Sendable {
    package let feed: ExtensionFeed
    /// Names the call in answers.
    package let identifier: String
    private let sink: RecordingSink<ExtensionFeed, ExtensionFeedMessage>
    /// The questions of a message that came together with one that was asked for.
    private let questions = Guarded<[ExtensionCallback]>([])

    init(
        _ feed: ExtensionFeed,
        _ sink: RecordingSink<ExtensionFeed, ExtensionFeedMessage>,
        _ identifier: String
    ) {
        self.feed = feed
        self.sink = sink
        self.identifier = identifier
    }

    package var waitingCount: Int { sink.waitingCount }

    /// Waits for the extension's next message, and says that it was taken.
    ///
    /// - Throws: What the stream ended with.
    package func next() async throws -> ExtensionFeedMessage {
        let message = try await sink.next().get()
        feed.sent()
        return message
    }

    package func question() async throws -> ExtensionCallback {
        while true {
            let waiting = questions.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let waiting { return waiting }
            let callbacks = try await next().callbacks
            questions.withLock { $0 += callbacks }
        }
    }

    /// Ends the call.
    ///
    /// - Parameter isCut: Whether the connection was cut, so that the extension may come back.
    package func end(isCut: Bool = false) { feed.cancel(isCut: isCut) }
}

extension TestStore {
    /// Lets an extension of ``center``'s app serve, and takes its first message.
    package func serve(
        _ kind: AppExtension.Kind = .service,
        named name: String = "service",
        categories: [String] = []
    ) async throws -> TestServing {
        let app = center.app
        let request = ServingRequest(
            app: app,
            extension: AppExtension(
                identifier: "\(app).\(name)",
                kind: kind,
                categories: categories
            ),
            identifier: "serving \(UInt64.random(in: .min ... .max))"
        )
        let sink = RecordingSink<ExtensionFeed, ExtensionFeedMessage>()
        let serving = TestServing(
            try feeds.serve(request, sink: sink),
            sink,
            request.identifier
        )
        _ = try await serving.next()
        return serving
    }
}
