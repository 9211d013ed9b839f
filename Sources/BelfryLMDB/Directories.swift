internal import BelfryLocking
internal import Glibc

/// Syncs a directory, so that the names of its files are on disk: LMDB leaves this to its caller.
///
/// `unreadableIsAllowed` says whether a directory without read permission is skipped: another user
/// made it and is responsible for it.
///
/// - Throws: An ``LMDBError`` with an `errno`.
package func syncDirectory(
    _ path: String,
    unreadableIsAllowed: Bool = false
) throws(LMDBError) {
    let directory = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if directory < 0, errno == EACCES, unreadableIsAllowed { return }
    try checkSystem(directory, "open directory")
    defer { close(directory) }
    try checkSystem(fsync(directory), "fsync directory")
}

/// The directory that holds the file at `path`.
func parentDirectory(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
}

/// The directories whose environments this process has open.
///
/// LMDB's lock file is locked with `fcntl`, and closing any descriptor of it drops the locks of the
/// whole process, so a second environment on a directory would break the first one.
enum OpenDirectories {
    /// A directory, however it is spelled.
    struct Identity: Sendable, Hashable {
        let device: UInt
        let inode: UInt
    }

    private static let open = Guarded<Set<Identity>>([])

    /// Notes the directory as open, or refuses with `EBUSY` because it is.
    static func insert(_ path: String) throws(LMDBError) -> Identity {
        var status = stat()
        try unsafe checkSystem(stat(path, &status), "stat")
        let identity = Identity(device: status.st_dev, inode: status.st_ino)
        guard open.withLock({ $0.insert(identity).inserted }) else {
            throw LMDBError(code: EBUSY, operation: "open twice")
        }
        return identity
    }

    /// Notes the directory as closed.
    static func remove(_ identity: Identity) {
        open.withLock { _ = $0.remove(identity) }
    }
}
