internal import Faults
internal import Glibc

extension ServerTarget {
    /// Explains why the socket at the default path may belong to another user, and what to do; nil
    /// when the socket belongs to the user or has no server.
    ///
    /// Every user may write to `/tmp`: another user can make the directory there first, and run a
    /// server that receives this user's calls. Files of root are trusted, since root controls the
    /// machine.
    ///
    /// - Parameters:
    ///   - path: The path from ``defaultSocketPath(environment:userID:isDirectory:)``.
    ///   - userID: The user of the program.
    /// - Returns: A sentence for a person.
    public static func distrust(ofSocket path: String, userID: UInt32) -> String? {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        let directory = String(path[..<end])
        let remedy = "remove it, or name the server with --server or $\(variable)"
        var named = stat()
        var found = stat()
        // The owner of a symbolic link is checked too: another user's link could lead elsewhere
        // later.
        guard unsafe lstat(directory, &named) == 0, unsafe stat(directory, &found) == 0 else {
            return nil
        }
        for owner in [named.st_uid, found.st_uid] where owner != userID && owner != 0 {
            return "the directory \(directory) belongs to another user (\(owner)): \(remedy)"
        }
        if found.st_mode & S_IWOTH != 0 && found.st_mode & S_ISVTX == 0 {
            return "everybody may write into the directory \(directory): \(remedy)"
        }
        if let owner = listener(at: path), owner != userID, owner != 0,
            !Fault.serverOwnerNotChecked.isPlanted
        {
            return "the server at \(path) belongs to another user (\(owner)): \(remedy)"
        }
        return nil
    }

    /// The user whose process listens on a unix socket; nil when no process listens.
    private static func listener(at path: String) -> UInt32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < capacity else { return nil }
        // Safety: the path is shorter than the buffer that it is copied into, and the rest is zero.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            unsafe bytes.copyBytes(from: path.utf8)
        }
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Safety: a sockaddr_un is passed as the sockaddr that it begins with, together with its
        // size.
        let status = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        // The kernel's `ucred`: process, user and group, 32 bits each.
        var peer: [UInt32] = [0, 0, 0]
        var size = socklen_t(peer.count * MemoryLayout<UInt32>.size)
        // Safety: `size` is the size of the array.
        guard status == 0,
            unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
        else { return nil }
        return peer[1]
    }
}
