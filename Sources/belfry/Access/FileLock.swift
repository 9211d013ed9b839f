internal import Foundation
internal import Glibc

/// Finds the process that holds a file with `flock`, as the kernel lists it: asking takes no lock,
/// which a server that starts would find taken.
enum FileLock {
    /// The process that holds a file alone; nil where none does, or where that cannot be told.
    static func holder(of path: String) -> pid_t? {
        var found = stat()
        guard unsafe stat(path, &found) == 0,
            let list = try? FileHandle(forReadingFrom: URL(fileURLWithPath: "/proc/locks"))
                .readToEnd()
        else { return nil }
        for line in String(decoding: list, as: UTF8.self).split(separator: "\n") {
            // "3: FLOCK ADVISORY WRITE 71 fe:01:1234 0 EOF": the process, the device and the inode.
            let words = line.split(separator: " ")
            guard words.count > 5, words[1] == "FLOCK", words[3] == "WRITE",
                words[5].split(separator: ":").last.map({ $0 == "\(found.st_ino)" }) == true
            else { continue }
            return pid_t(words[4]).flatMap { $0 > 0 ? $0 : nil }
        }
        return nil
    }
}
