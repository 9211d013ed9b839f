internal import Foundation
internal import Glibc

/// Reads files that are looked at again and again, or that another program leaves: anything but a
/// plain file, such as a FIFO, would hold its reader for ever.
enum RegularFile {
    /// Why a file cannot be read.
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    /// Reads a file up to a number of bytes.
    static func read(_ path: String, upToCount limit: Int) throws(Problem) -> [UInt8] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw Problem(description: "\(path) cannot be read: \(POSIXError.last.reason)")
        }
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var found = stat()
        guard unsafe fstat(descriptor, &found) == 0, found.st_mode & S_IFMT == S_IFREG else {
            throw Problem(description: "\(path) is no file")
        }
        guard let bytes = try? file.read(upToCount: limit) ?? Data() else {
            throw Problem(description: "\(path) cannot be read")
        }
        return [UInt8](bytes)
    }
}
