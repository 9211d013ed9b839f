internal import Foundation
internal import Glibc
internal import NotificationClient

/// The default paths of a user's own server, in the XDG base directories.
enum ServePaths {
    /// `$XDG_STATE_HOME/belfry`, else `$HOME/.local/state/belfry`.
    static var dataDirectory: String {
        let environment = ProcessInfo.processInfo.environment
        if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
            return state + "/belfry"
        }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        return (home ?? NSHomeDirectory()) + "/.local/state/belfry"
    }

    /// The directory of commands that work on a store themselves: `$BELFRY_DATA`, as of a server,
    /// else that of the user's own server.
    static var storeDirectory: String {
        let named = ProcessInfo.processInfo.environment["BELFRY_DATA"] ?? ""
        return named.isEmpty ? dataDirectory : named
    }

    /// The unix socket, which is also the default of clients.
    static var socket: String {
        ServerTarget.defaultSocketPath(
            environment: ProcessInfo.processInfo.environment,
            userID: getuid(),
            isDirectory: isDirectory
        )
    }

    static func isDirectory(_ path: String) -> Bool {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.type] as? FileAttributeType == .typeDirectory
    }
}
