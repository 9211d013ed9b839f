internal import Foundation
internal import Glibc

/// The service manager that started the server, such as systemd: it is told what the server does,
/// by the protocol of `sd_notify`.
struct ServiceManager {
    /// How often the service manager wants a sign of life; nil where it wants none.
    let watchdogInterval: Duration?
    private let path: String

    /// Reads what the service manager put into the environment; nil where no manager wants to be
    /// told anything.
    init?(environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@")
        else { return nil }
        self.path = path
        let watched = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdogInterval = watched && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// Tells lines such as `READY=1`; a manager that is gone is not told.
    func tell(_ lines: String...) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // A path that begins with @ is a name in the abstract namespace, which begins with a zero.
        let name = path.utf8.enumerated().map { index, byte in
            index == 0 && byte == UInt8(ascii: "@") ? 0 : byte
        }
        guard name.count < MemoryLayout.size(ofValue: address.sun_path) else { return }
        // Safety: the name is shorter than the buffer that it is copied into.
        unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
            unsafe bytes.copyBytes(from: name)
        }
        let type = Int32(SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        // An abstract name has no terminating zero: its length says where it ends.
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 0
        let length = socklen_t(offset + name.count)
        let message = Array(lines.joined(separator: "\n").utf8)
        // Safety: a sockaddr_un is passed as the sockaddr that it begins with, together with its
        // length; the message is lent with its size.
        _ = unsafe withUnsafePointer(to: &address) { address in
            unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                unsafe sendto(
                    descriptor,
                    message,
                    message.count,
                    Int32(MSG_NOSIGNAL),
                    address,
                    length
                )
            }
        }
    }
}
