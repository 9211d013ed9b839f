internal import Glibc

extension Server {
    /// The users that may connect to a unix socket, by its file's mode and group.
    ///
    /// A user that may connect may not yet call: that is for the router's authorizer to decide.
    package struct SocketAccess: Sendable, Equatable {
        /// The mode of the file: a user that may write it may connect.
        package var mode: UInt32 = 0o600
        package var group: UInt32?

        /// The server's own user alone.
        package init() {}

        /// Makes the directory of a socket where it is missing, for the group to enter.
        ///
        /// Without a group the listener makes it, for the user alone.
        func makeDirectory(of path: String) {
            guard let group else { return }
            let directory = Self.directory(of: path)
            guard unsafe mkdir(directory, 0o710) == 0 else { return }
            // Where this fails, the group cannot enter, and apply(to:) says so.
            _ = unsafe chown(directory, .max, group)
            _ = unsafe chmod(directory, 0o710)
        }

        /// Changes the file of a socket that does not accept connections yet.
        ///
        /// - Returns: Why the system refused, in one line; nil where it did not.
        func apply(to path: String) -> String? {
            var found = stat()
            guard unsafe lstat(path, &found) == 0, found.st_mode & S_IFMT == S_IFSOCK else {
                return "the socket is no longer there"
            }
            let directory = Self.directory(of: path)
            if let group, unsafe stat(directory, &found) == 0,
                found.st_mode & (found.st_gid == group ? S_IXGRP : S_IXOTH) == 0
            {
                return """
                    group \(group) may not enter the directory \(directory): \
                    chgrp \(group) \(directory) && chmod g+x \(directory)
                    """
            }
            if let group, unsafe lchown(path, .max, group) != 0 {
                return "cannot give the socket to group \(group): \(Self.systemError)"
            }
            guard unsafe chmod(path, mode) == 0 else {
                return "cannot set the mode of the socket: \(Self.systemError)"
            }
            return nil
        }

        private static func directory(of path: String) -> String {
            let end = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
            return end == path.startIndex ? "/" : String(path[..<end])
        }

        private static var systemError: String { unsafe String(cString: strerror(errno)) }
    }
}
