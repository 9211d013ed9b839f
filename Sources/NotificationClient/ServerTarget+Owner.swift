internal import Glibc

extension ServerTarget {
    /// Says why the socket in the default place may be somebody else's, and what to do; nil where
    /// it is the user's, and where nobody listens.
    ///
    /// `/tmp` is open to all: another user can make the directory there first, and be the server of
    /// whoever finds it. What belongs to root is trusted, as everything else on the machine is.
    ///
    /// - Parameters:
    ///   - path: What ``defaultSocketPath(environment:userID:isDirectory:)`` gave.
    ///   - userID: The program's user.
    /// - Returns: A sentence for a person.
    public static func distrust(ofSocket path: String, userID: UInt32) -> String? {
        let end = path.lastIndex(of: "/") ?? path.startIndex
        let directory = String(path[..<end])
        let remedy = "remove it, or name the server with --server or $\(variable)"
        var named = stat()
        var found = stat()
        // A link that somebody else made could lead elsewhere later.
        guard unsafe lstat(directory, &named) == 0, unsafe stat(directory, &found) == 0 else {
            return nil
        }
        for owner in [named.st_uid, found.st_uid] where owner != userID && owner != 0 {
            return "the directory \(directory) belongs to another user (\(owner)): \(remedy)"
        }
        if found.st_mode & S_IWOTH != 0 && found.st_mode & S_ISVTX == 0 {
            return "everybody may write into the directory \(directory): \(remedy)"
        }
        if let owner = listener(at: path), owner != userID, owner != 0 {
            return "the server at \(path) belongs to another user (\(owner)): \(remedy)"
        }
        return nil
    }

    /// The user who listens on a unix socket; nil where nobody does.
    private static func listener(at path: String) -> UInt32? {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let capacity = MemoryLayout.size(ofValue: address.sun_path)
        guard path.utf8.count < capacity else { return nil }
        // Safety: the path is shorter than what it is copied into, and the rest is zero.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            unsafe bytes.copyBytes(from: path.utf8)
        }
        let type = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        // Safety: a sockaddr_un is passed as what it begins with, together with its size.
        let status = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        // The kernel's `ucred`: process, user and group, 32 bits each.
        var peer: [UInt32] = [0, 0, 0]
        var size = socklen_t(peer.count * MemoryLayout<UInt32>.size)
        // Safety: `size` is that of the array.
        guard status == 0,
            unsafe getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0
        else { return nil }
        return peer[1]
    }
}
