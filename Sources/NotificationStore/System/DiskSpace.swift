internal import Glibc

/// How much room a file takes and its disk has.
struct DiskSpace {
    /// Bytes that the file has on the disk.
    var fileBytes: Int
    /// Bytes of the disk.
    var totalBytes: Int
    /// Bytes that are free for this user.
    var freeBytes: Int

    /// Asks the system; nil where it cannot tell.
    init?(ofFile path: String) {
        var file = stat()
        var disk = statvfs()
        guard unsafe stat(path, &file) == 0, unsafe statvfs(path, &disk) == 0 else { return nil }
        fileBytes = Int(file.st_blocks) * 512
        totalBytes = Int(disk.f_blocks) * Int(disk.f_frsize)
        freeBytes = Int(disk.f_bavail) * Int(disk.f_frsize)
    }
}
