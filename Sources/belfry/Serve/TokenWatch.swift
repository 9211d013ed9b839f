internal import BelfryLocking
internal import CBelfryLinux
internal import Faults
internal import Foundation
internal import Glibc
internal import Logging
internal import NotificationService

/// The tokens of a file, which is read again when it changes.
final class TokenWatch: Sendable {
    /// The properties that tell one state of the file from another.
    private struct Version: Equatable {
        var inode: UInt64 = 0
        var byteCount: Int = 0
        var modified: [UInt8] = []
        var changed: [UInt8] = []

        /// The state of the file now; that of no file where there is none.
        init(of file: TokenFile) {
            var found = stat()
            guard unsafe stat(file.path, &found) == 0 else { return }
            inode = UInt64(found.st_ino)
            byteCount = Int(found.st_size)
            unsafe modified = withUnsafeBytes(of: found.st_mtim) { unsafe Array($0) }
            // Compare the change time, too: another mode or owner may let the file be read.
            unsafe changed = withUnsafeBytes(of: found.st_ctim) { unsafe Array($0) }
        }
    }

    private struct State {
        /// The file that `entries` were read from.
        var version: Version
        /// Why a newer one cannot be read, as it was logged.
        var problem: String?
        var entries: [TokenFile.Entry]
        /// When the next token expires.
        var expiry: Date?
    }

    private let file: TokenFile
    private let logger: Logger
    private let state: Guarded<State>

    /// Reads the file.
    ///
    /// - Throws: ``TokenFile/Problem``: a server with tokens that it cannot read does not start.
    init(_ file: TokenFile, logger: Logger) throws(TokenFile.Problem) {
        self.file = file
        self.logger = logger
        let version = Version(of: file)
        let entries = try file.entries()
        state = Guarded(
            State(
                version: version,
                entries: entries,
                expiry: Self.expiry(of: entries, after: Date())
            )
        )
    }

    /// The tokens that count now.
    var tokens: [AccessToken] { state.withLock { Self.tokens(of: $0.entries) } }

    /// Reads the file again where it changed, or where `always`, and gives `replace` the tokens
    /// that count now, if they changed.
    ///
    /// A file that cannot be read changes nothing: the old tokens count on, until they expire. The
    /// calls of `replace` come one after the other, so that the last has the newest tokens.
    func refresh(always: Bool, _ replace: ([AccessToken]) -> Void) {
        state.withLock { state in
            let now = Date()
            var hasChanged = state.expiry.map { $0 <= now } ?? false
            if Fault.expiredTokenCounts.isPlanted { hasChanged = false }
            let version = Version(of: file)
            if always || version != state.version {
                do throws(TokenFile.Problem) {
                    let entries = try file.entries()
                    hasChanged = hasChanged || entries != state.entries
                    state.entries = entries
                    state.version = version
                    state.problem = nil
                    log(.info, "read the tokens: \(entries.count)")
                } catch {
                    // Try again until the file can be read, and log the problem once.
                    if always || state.problem != error.description {
                        log(.error, "the tokens of before count on: \(error)")
                    }
                    state.problem = error.description
                }
            }
            guard hasChanged else { return }
            state.expiry = Self.expiry(of: state.entries, after: now)
            replace(Self.tokens(of: state.entries))
        }
    }

    /// Logs on another thread: a log that is not read must not hold the polling threads.
    private func log(_ level: Logger.Level, _ line: String) {
        Task { [logger] in logger.log(level: level, "\(line)") }
    }

    private static func tokens(of entries: [TokenFile.Entry]) -> [AccessToken] {
        let now = Date()
        return entries.filter { !$0.isExpired(at: now) }.compactMap { AccessToken($0) }
    }

    private static func expiry(of entries: [TokenFile.Entry], after now: Date) -> Date? {
        entries.compactMap(\.expires).filter { $0 > now }.min()
    }
}
