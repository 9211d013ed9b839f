internal import NotificationHTTP
internal import NotificationService

/// Whether anybody needs the server, for `--exit-when-idle`.
enum Idleness {
    private static let interval = Duration.milliseconds(200)

    /// Looks whether a client is connected, until the task is cancelled or `body` was called.
    ///
    /// `web` is what answers HTTP, if anything does. `bound` is how long nobody is to be connected.
    /// `body` is called once, when nobody was connected for so long and nothing is pending.
    ///
    /// - Returns: The task that looks.
    static func watch(
        _ server: EmbeddedServer,
        _ web: HTTPServer?,
        for bound: Duration,
        _ body: @escaping @Sendable () -> Void
    ) -> Task<Void, Never> {
        Task {
            var idleSince = ContinuousClock.now
            while !Task.isCancelled {
                let now = ContinuousClock.now
                if server.connectionCount + (web?.connectionCount ?? 0) > 0 {
                    idleSince = now
                } else if now - idleSince >= bound {
                    guard server.hasWork else { return body() }
                    // Begin a new interval, so that a store with much in it is asked once in each.
                    idleSince = now
                }
                try? await Task.sleep(for: min(interval, max(bound, .milliseconds(1))))
            }
        }
    }
}
