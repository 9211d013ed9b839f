internal import Faults
internal import Glibc

/// Holds a data directory for one server: a second server is refused.
///
/// The lock is `flock` on a file in the directory, so it ends with the process, however the process
/// ends. It is taken before the store is opened.
final class DataDirectoryLock: Sendable {
    private let descriptor: Int32

    /// Locks `directory`; a missing directory is made, with access for its owner alone.
    ///
    /// - Throws: ``StoreError/inUse(directory:holder:)`` where another process holds the directory;
    ///   ``StoreError/directory(path:problem:)`` where the directory cannot be made or opened.
    init(directory: String) throws(StoreError) {
        try Self.make(directory)
        let path = DataDirectoryEntry.lock.path(in: directory)
        // Follow no link: it could lead to any file of this user, which the process id would
        // overwrite.
        let noLink = Fault.lockBehindLink.isPlanted ? 0 : O_NOFOLLOW
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | noLink
        let descriptor = unsafe open(path, flags, 0o600)
        guard descriptor >= 0 else {
            let problem =
                errno == ELOOP ? "is a symbolic link: remove it" : Self.problem(errno)
            throw .directory(path: path, problem: problem)
        }
        let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
        guard isLocked || Fault.lockNotTaken.isPlanted else {
            let holder = Self.readHolder(descriptor)
            close(descriptor)
            throw .inUse(directory: directory, holder: holder)
        }
        self.descriptor = descriptor
        writeHolder()
    }

    deinit {
        // Unlock explicitly: a child between fork and exec has a copy of the descriptor, which
        // would hold the lock.
        flock(descriptor, LOCK_UN)
        close(descriptor)
    }

    /// Makes `directory` and the missing directories above it.
    private static func make(_ directory: String) throws(StoreError) {
        var path = directory.utf8.first == UInt8(ascii: "/") ? "" : "."
        for part in directory.utf8.split(separator: UInt8(ascii: "/")) {
            path += "/" + String(Substring(part))
            guard unsafe mkdir(path, 0o700) != 0, errno != EEXIST else { continue }
            throw .directory(path: path, problem: problem(errno))
        }
    }

    /// Writes the process id, which is only for the message of a second server.
    private func writeHolder() {
        var text = Array("\(getpid())\n".utf8)
        ftruncate(descriptor, 0)
        _ = unsafe text.withUnsafeMutableBytes {
            unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0)
        }
    }

    private static func readHolder(_ descriptor: Int32) -> Int32? {
        var bytes = [UInt8](repeating: 0, count: 16)
        let count = unsafe bytes.withUnsafeMutableBytes {
            unsafe pread(descriptor, $0.baseAddress, $0.count, 0)
        }
        return Int32(
            String(decoding: bytes.prefix(max(0, count)).prefix { $0 != 10 }, as: UTF8.self)
        )
    }

    private static func problem(_ code: Int32) -> String {
        unsafe String(cString: strerror(code))
    }
}
