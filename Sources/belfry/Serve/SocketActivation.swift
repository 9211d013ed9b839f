internal import BelfryGRPC
internal import Foundation
internal import Glibc

/// The sockets that a service manager, such as systemd, opened for this process.
enum SocketActivation {
    /// The first descriptor that a service manager passes.
    private static let first: Int32 = 3
    /// More than any unit has: a count that a mistake made is not followed.
    private static let limit: Int32 = 64

    /// The sockets as listeners, in the order of the unit; empty where there is no service manager,
    /// or where it passed the sockets to another process.
    static var listeners: [Server.Listener] {
        let environment = ProcessInfo.processInfo.environment
        guard environment["LISTEN_PID"] == "\(getpid())",
            let count = environment["LISTEN_FDS"].flatMap({ Int32($0) }),
            (1...limit).contains(count)
        else { return [] }
        return (first..<first + count).map { .inherited(descriptor: $0, path: path(of: $0)) }
    }

    /// The path of a unix socket; of anything else, that it has none.
    private static func path(of descriptor: Int32) -> String {
        // The link reads "socket:[12345]", and a line of the table ends with "12345 /path".
        let files = FileManager.default
        let link = try? files.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        let inode = link?.dropFirst("socket:[".count).dropLast() ?? ""
        let table = try? String(contentsOfFile: "/proc/self/net/unix", encoding: .utf8)
        let lines = table?.split(separator: "\n").lazy.map {
            $0.split(separator: " ", maxSplits: 7)
        }
        let line = lines?.first { $0.count == 8 && $0[6] == inode }
        return line.map { String($0[7]) } ?? "the descriptor \(descriptor), which has no path"
    }
}
