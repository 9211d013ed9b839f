internal import Foundation
internal import Glibc
internal import Synchronization

/// A program that was started, until its end.
///
/// Foundation's own keeps its descriptors open for as long as the tests run, and they are inherited
/// by tests that count descriptors.
final class ChildProcess: Sendable {
    /// The process, until its end: another one may have its number then.
    private final class Process: Sendable {
        private let identifier: Mutex<pid_t?>

        init(_ identifier: pid_t) { self.identifier = Mutex(identifier) }

        func send(_ signal: Int32) {
            identifier.withLock { identifier in
                if let identifier { kill(identifier, signal) }
            }
        }

        /// Blocks until the end, and gives the status, or the signal below zero.
        func wait() -> Int32 {
            guard let waited = identifier.withLock({ $0 }) else { return -1 }
            var information = unsafe siginfo_t()
            while unsafe waitid(P_PID, id_t(waited), &information, WEXITED | WNOWAIT) < 0
                && errno == EINTR
            {}
            return identifier.withLock { identifier in
                var status: Int32 = 0
                unsafe waitpid(waited, &status, 0)
                identifier = nil
                let signal = status & 0x7F
                return signal == 0 ? status >> 8 & 0xFF : -signal
            }
        }
    }

    private let process: Process
    private let ended: Task<Int32, Never>

    /// Starts the program at `path`, with files for its standard streams.
    init(
        _ path: String,
        _ arguments: [String],
        environment: [String: String],
        input: String,
        output: String,
        errors: String
    ) throws {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, input, O_RDONLY, 0)
        for (descriptor, file) in [(STDOUT_FILENO, output), (STDERR_FILENO, errors)] {
            let flags = O_WRONLY | O_CREAT | O_TRUNC
            unsafe posix_spawn_file_actions_addopen(&actions, descriptor, file, flags, 0o600)
        }

        // A thread of the tests may block signals that the program waits for.
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        unsafe sigemptyset(&signals)
        unsafe posix_spawnattr_setsigmask(&attributes, &signals)
        unsafe sigfillset(&signals)
        unsafe posix_spawnattr_setsigdefault(&attributes, &signals)
        unsafe posix_spawnattr_setflags(
            &attributes,
            Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF)
        )

        let words = CStrings([path] + arguments)
        let variables = CStrings(environment.map { "\($0)=\($1)" })
        var identifier: pid_t = 0
        let error = unsafe posix_spawn(
            &identifier,
            path,
            &actions,
            &attributes,
            words.pointers,
            variables.pointers
        )
        guard error == 0 else { throw POSIXError(POSIXErrorCode(rawValue: error) ?? .EIO) }
        let process = Process(identifier)
        self.process = process
        let (statuses, ends) = AsyncStream<Int32>.makeStream()
        Thread.detachNewThread { ends.yield(process.wait()) }
        ended = Task { await statuses.first { _ in true } ?? -1 }
    }

    deinit { send(SIGKILL) }

    /// The status that it ended with, or the signal below zero.
    var status: Int32 {
        get async { await ended.value }
    }

    /// Sends a signal; nothing happens where it has ended.
    func send(_ signal: Int32) {
        process.send(signal)
    }
}

/// Texts as C has them, with a null at the end.
@safe
private final class CStrings {
    let pointers: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>
    private let count: Int

    init(_ texts: [String]) {
        count = texts.count
        unsafe pointers = .allocate(capacity: texts.count + 1)
        for (index, text) in texts.enumerated() { unsafe pointers[index] = strdup(text) }
        unsafe pointers[count] = nil
    }

    deinit {
        for index in 0..<count { unsafe free(pointers[index]) }
        unsafe pointers.deallocate()
    }
}
