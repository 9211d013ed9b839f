internal import BelfryGRPC
internal import Foundation
internal import Glibc
internal import Logging
internal import NotificationService

/// The tokens of one run of the server: its own user's, and those of the file.
struct Tokens: Sendable {
    /// The rights of users, without the tokens.
    private let users: AccessControl.Options
    /// The text of the token of the server's own user; nil where no caller needs one.
    let ownText: String?
    private let file: TokenWatch
    private let keeper: FileTokenKeeper

    /// How often the server looks whether the file changed.
    private static let interval = Duration.seconds(1)

    /// Reads the file, and makes the own user's token where callers over TCP need it.
    ///
    /// - Throws: ``TokenFile/Problem``: a server whose tokens cannot be read does not start.
    init(_ options: ServeCommand, logger: Logger) throws(TokenFile.Problem) {
        users = options.access.users
        let path = options.access.tokens ?? TokenFile.path(in: options.data)
        keeper = FileTokenKeeper(file: TokenFile(path: path))
        file = try TokenWatch(keeper.file, logger: logger)
        let environment = ProcessInfo.processInfo.environment
        let hasPort = options.addresses.listeners.contains { listener in
            switch listener {
            case .tcp, .tls: true
            case .unix, .inherited: false
            }
        }
        let isNeeded =
            (hasPort || options.web.options != nil) && !options.access.insecure
            || OwnToken.given(environment) != nil
        ownText = isNeeded ? try OwnToken.ofServer(environment: environment) : nil
    }

    /// The callers that are let in: users and tokens.
    var rights: AccessControl.Options {
        var rights = users
        rights.tokens = withOwn(file.tokens)
        rights.keeper = keeper
        rights.refresh = { [self] replace in
            file.refresh(always: false) { replace(withOwn($0)) }
        }
        return rights
    }

    /// Gives a server other tokens when the file changes or a token expires, until the task is
    /// cancelled.
    ///
    /// SIGHUP has the file read at once.
    func watch(for server: EmbeddedServer) -> Task<Void, Never> {
        let (reads, read) = AsyncStream<Bool>.makeStream(bufferingPolicy: .bufferingNewest(8))
        let source = SignalSource(SIGHUP) { read.yield(true) }
        let timer = Task {
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.interval)
                read.yield(false)
            }
        }
        return Task {
            for await always in reads {
                file.refresh(always: always) { server.replaceTokens(by: withOwn($0)) }
            }
            timer.cancel()
            source.cancel()
        }
    }

    private func withOwn(_ tokens: [AccessToken]) -> [AccessToken] {
        tokens + (ownText.map { [OwnToken.access($0)] } ?? [])
    }
}
