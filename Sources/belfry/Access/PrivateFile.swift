internal import Foundation
internal import Glibc

/// Files that only their user may read.
enum PrivateFile {
    /// Writes a file whole, with the mode 0600: after a crash it is the old one or the new one.
    static func write(_ bytes: Data, to path: String) throws(TokenFile.Problem) {
        let temporary = "\(path).\(getpid())"
        _ = unsafe unlink(temporary)
        let descriptor = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw problem(temporary) }
        giveToOwner(of: directory(of: path), descriptor)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: bytes)
            try file.synchronize()
        } catch {
            _ = unsafe unlink(temporary)
            throw TokenFile.Problem(
                description: "\(path) cannot be written: \(error.reason)"
            )
        }
        guard unsafe rename(temporary, path) == 0 else {
            defer { _ = unsafe unlink(temporary) }
            throw problem(path)
        }
        sync(directoryOf: path)
    }

    /// The directory of a file; "." for a name alone.
    static func directory(of path: String) -> String {
        // Go by bytes: Foundation ends the program where a name is a newline.
        let path = path.utf8
        guard let end = path.lastIndex(of: UInt8(ascii: "/")) else { return "." }
        return end == path.startIndex ? "/" : String(path[..<end]) ?? "."
    }

    /// Gives a file that root makes in another user's directory to that user.
    static func giveToOwner(of directory: String, _ descriptor: Int32) {
        var found = stat()
        guard geteuid() == 0, unsafe stat(directory, &found) == 0, found.st_uid != 0 else { return }
        // Leave the file to root where this fails: its user's server then says that it cannot read
        // it.
        _ = fchown(descriptor, found.st_uid, found.st_gid)
    }

    private static func sync(directoryOf path: String) {
        let directory = unsafe open(directory(of: path), O_RDONLY | O_CLOEXEC)
        guard directory >= 0 else { return }
        fsync(directory)
        close(directory)
    }

    private static func problem(_ path: String) -> TokenFile.Problem {
        TokenFile.Problem(description: "\(path) cannot be written: \(POSIXError.last.reason)")
    }
}
