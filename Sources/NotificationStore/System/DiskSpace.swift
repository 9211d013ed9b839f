internal import Glibc

/// The size and the free space of a file's disk.
struct DiskSpace {
    var totalBytes: Int
    /// Bytes that are free for this user.
    var freeBytes: Int

    /// Asks the system, in one call; nil where the call fails.
    init?(ofFile path: String) {
        var disk = statvfs()
        guard unsafe statvfs(path, &disk) == 0 else { return nil }
        totalBytes = Int(disk.f_blocks) * Int(disk.f_frsize)
        freeBytes = Int(disk.f_bavail) * Int(disk.f_frsize)
    }

    /// Bytes that a file takes on its disk; nil where the system's call fails.
    static func bytes(ofFile path: String) -> Int? {
        var file = stat()
        return unsafe stat(path, &file) == 0 ? Int(file.st_blocks) * 512 : nil
    }
}
