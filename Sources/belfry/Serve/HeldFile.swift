internal import Foundation
internal import Glibc

/// A file that says that this process lives: it is locked until the process ends, however it ends.
///
/// The number of a process does not say that, since another program gets it later.
final class HeldFile: Sendable {
    private let path: String
    private let descriptor: Int32

    /// Writes a file, which is complete and locked when it gets its name.
    ///
    /// - Throws: What the system reports.
    init(_ bytes: Data, at path: String) throws {
        let temporary = "\(path).\(getpid())"
        unsafe unlink(temporary)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW
        descriptor = unsafe open(temporary, flags, 0o644)
        guard descriptor >= 0 else { throw POSIXError.last }
        self.path = path
        do {
            // Go on without a lock where the file system has none: the next start then takes the
            // file for an old one.
            flock(descriptor, LOCK_EX | LOCK_NB)
            try FileHandle(fileDescriptor: descriptor, closeOnDealloc: false).write(
                contentsOf: bytes
            )
            guard unsafe rename(temporary, path) == 0 else { throw POSIXError.last }
        } catch {
            unsafe unlink(temporary)
            throw error
        }
    }

    deinit { close(descriptor) }

    /// Whether a process that lives holds the file at a path.
    static func isHeld(atPath path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
    }

    /// Removes the file, unless another process put its own in the place.
    func remove() {
        var (own, there) = (stat(), stat())
        guard unsafe fstat(descriptor, &own) == 0, unsafe lstat(path, &there) == 0,
            own.st_dev == there.st_dev, own.st_ino == there.st_ino
        else { return }
        unsafe unlink(path)
    }
}
