internal import Glibc

extension Server {
    /// Which users may connect to a unix socket, by its file's mode and group.
    ///
    /// Who may connect may not yet call: that is for the router's authorizer to decide.
    package struct SocketAccess: Sendable, Equatable {
        /// The mode of the file: who may write it may connect.
        package var mode: UInt32 = 0o600
        /// The group of the file; nil is the process's.
        package var group: UInt32?

        /// The server's own user alone.
        package init() {}

        /// Changes the file of a socket that does not accept connections yet.
        ///
        /// - Returns: Why the system refused, in one line; nil where it did not.
        func apply(to path: String) -> String? {
            if let group, unsafe lchown(path, .max, group) != 0 {
                return "cannot give the socket to group \(group): \(Self.systemError)"
            }
            guard unsafe chmod(path, mode) == 0 else {
                return "cannot set the mode of the socket: \(Self.systemError)"
            }
            return nil
        }

        private static var systemError: String { unsafe String(cString: strerror(errno)) }
    }
}
