internal import BelfryCertificates
internal import BelfryGRPC
internal import BelfryLocking
internal import Logging
internal import NotificationHTTP

/// The server's key and certificates: checked, and checked again when their files change.
///
/// gRPC reads copies, which are made only of files that fit together; HTTP is given them.
final class KeyWatch: Sendable {
    private struct State {
        /// The files when they were last read; nil where they could not be.
        var seen: KeyFiles?
        /// The days that were left when the log last said that the certificate ends soon.
        var warned: Int?
        var secondsLeft: Int
        var readAt: ContinuousClock.Instant
    }

    private let options: KeyOptions
    private let logger: Logger
    private let state: Guarded<State>
    private let pair: KeyCopy
    private let authorities: KeyCopy?

    /// The same for HTTP; nil where that is not answered over TLS.
    let web: HTTPKeys?

    private static let interval = Duration.seconds(1)
    private static let secondsInDay = 86_400
    /// The days before the end at which the log begins to say so.
    private static let warningDays = 14

    /// Where gRPC reads.
    var files: Server.Options.KeyFiles {
        Server.Options.KeyFiles(pair: pair.path, clientRoots: authorities?.path)
    }

    /// Reads, checks and copies the files of the options; nil where they name none.
    ///
    /// - Throws: ``KeyFiles/Problem``: a server that cannot show who it is does not start.
    init?(_ options: KeyOptions, isForWeb: Bool, logger: Logger) throws {
        guard let seen = try KeyFiles(options) else { return nil }
        self.options = options
        self.logger = logger
        let checked = try seen.pair()
        web = isForWeb ? try HTTPKeys(checked.pem) : nil
        pair = try KeyCopy(checked.pem)
        authorities = try seen.authorities().map { try KeyCopy($0.pem) }
        state = Guarded(State(seen: seen, secondsLeft: checked.secondsLeft, readAt: .now))
        warn()
    }

    /// Looks at the files each second, until the task is cancelled.
    func watch() -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.interval)
                look()
                warn()
            }
        }
    }

    /// Takes files that changed and fit; those that do not are told once.
    private func look() {
        let seen = Result { try KeyFiles(options) }
        let isNew = state.withLock { state in
            let current = try? seen.get()
            defer { state.seen = current }
            return state.seen != current
        }
        guard isNew else { return }
        do {
            guard let files = try seen.get() else { return }
            let checked = try files.pair()
            let roots = try files.authorities()
            try web?.replace(by: checked.pem)
            try pair.replace(by: checked.pem)
            if let roots { try authorities?.replace(by: roots.pem) }
            state.withLock { state in
                (state.secondsLeft, state.readAt, state.warned) = (checked.secondsLeft, .now, nil)
            }
            let days = checked.secondsLeft / Self.secondsInDay
            logger.info("took a new certificate", metadata: ["days": "\(days)"])
        } catch {
            logger.error("the certificate of before is used on: \(error)")
        }
    }

    /// Says once a day that the certificate ends soon.
    private func warn() {
        let days = state.withLock { state -> Int? in
            let passed = Int((ContinuousClock.now - state.readAt).components.seconds)
            let days = (state.secondsLeft - passed) / Self.secondsInDay
            guard days < Self.warningDays, state.warned != days else { return nil }
            state.warned = days
            return days
        }
        guard let days else { return }
        let text = days < 0 ? "has ended" : "ends in \(days) days"
        logger.warning("the certificate \(text): replace it")
    }
}
