internal import Glibc

/// How much room a file takes and its disk has.
struct DiskSpace {
    /// Bytes that the file has on the disk; 0 where it cannot be told.
    var fileBytes: Int
    /// Bytes that are free for this user; 0 where it cannot be told.
    var freeBytes: Int

    init(ofFile path: String) {
        var file = stat()
        let hasFile = unsafe stat(path, &file) == 0
        fileBytes = hasFile ? Int(file.st_blocks) * 512 : 0
        var disk = statvfs()
        let hasDisk = unsafe statvfs(path, &disk) == 0
        freeBytes = hasDisk ? Int(disk.f_bavail) * Int(disk.f_frsize) : 0
    }
}
