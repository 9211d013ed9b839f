internal import ArgumentParser
internal import BelfryGRPC
internal import Foundation
internal import Logging
internal import NotificationCore
internal import NotificationServer
internal import NotificationService
internal import NotificationStore

struct ListenAddress: ExpressibleByArgument, CustomStringConvertible {
    let listener: Server.Listener

    init(_ listener: Server.Listener) {
        self.listener = listener
    }

    init?(argument: String) {
        if let path = argument.dropping("unix:") {
            guard path.hasPrefix("/") else { return nil }
            listener = .unix(path: path)
        } else if let address = argument.dropping("tcp:"), let (host, port) = Self.parts(address) {
            listener = .tcp(host: host, port: port)
        } else if let address = argument.dropping("tls:"), let (host, port) = Self.parts(address) {
            listener = .tls(host: host, port: port)
        } else {
            return nil
        }
    }

    private static func parts(_ address: some StringProtocol) -> (host: String, port: UInt16)? {
        guard let colon = address.lastIndex(of: ":"),
            let port = UInt16(address[address.index(after: colon)...])
        else { return nil }
        let host = address[..<colon].trimmingCharacters(in: ["[", "]"])
        return host.isEmpty ? nil : (host, port)
    }

    var description: String {
        switch listener {
        case .unix, .inherited: "\(listener)"
        case .tcp: "tcp:\(listener)"
        case .tls: "tls:\(listener)"
        }
    }

    /// Whether only programs on this machine can reach the address.
    var isOnThisMachine: Bool {
        switch listener {
        case .unix, .inherited: true
        case .tcp(let host, _), .tls(let host, _):
            host == "localhost" || host == "::1"
                || (host.hasPrefix("127.") && host.split(separator: ".").count == 4
                    && host.allSatisfy { $0.isNumber || $0 == "." })
        }
    }
}

enum ClockArgument: ExpressibleByArgument, CustomStringConvertible, Equatable {
    case system
    /// A manual clock; without an instant it starts at the present time.
    case manual(WallInstant?)

    init?(argument: String) {
        switch argument {
        case "system": self = .system
        case "manual": self = .manual(nil)
        default:
            guard let text = argument.dropping("manual="),
                let when = try? When.parseInstant(text), when.offset != nil,
                let start = WallInstant(LocalTime(now: Date(), zone: .gmt).instant(when))
            else { return nil }
            self = .manual(start)
        }
    }

    var description: String {
        switch self {
        case .system: "system"
        case .manual: "manual"
        }
    }

    var form: Clock.Form {
        switch self {
        case .system: .system
        case .manual(let start):
            .manual(start: start ?? WallInstant(Date()) ?? WallInstant(nanoseconds: 0))
        }
    }
}

enum PromptsArgument: String, ExpressibleByArgument, CaseIterable {
    case ask
    case grant
    case deny

    var prompts: EmbeddedServer.Prompts {
        switch self {
        case .ask: .ask
        case .grant: .grant
        case .deny: .deny
        }
    }
}

enum ProfileArgument: String, ExpressibleByArgument, CaseIterable {
    case server
    case ios

    var profile: Profile {
        switch self {
        case .server: .server
        case .ios: .ios
        }
    }
}

enum PendingPolicyArgument: String, ExpressibleByArgument, CaseIterable {
    case rejectNew = "reject-new"
    case keepSoonest = "keep-soonest"
    case keepLatestAdded = "keep-latest-added"

    var policy: PendingLimitPolicy {
        switch self {
        case .rejectNew: .rejectNew
        case .keepSoonest: .keepSoonest
        case .keepLatestAdded: .keepLatestAdded
        }
    }
}

enum LogLevelArgument: String, ExpressibleByArgument, CaseIterable {
    case debug
    case info
    case notice
    case warning
    case error

    var level: Logger.Level {
        switch self {
        case .debug: .debug
        case .info: .info
        case .notice: .notice
        case .warning: .warning
        case .error: .error
        }
    }
}

enum LogFormatArgument: String, ExpressibleByArgument, CaseIterable {
    case text
    case json
}

extension StringProtocol {
    /// The text after `prefix`, or nil when the text does not begin with `prefix`.
    func dropping(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
}

/// A number of bytes on the command line, as "64MiB" or "10GiB".
struct ByteCountArgument: ExpressibleByArgument, Equatable {
    let bytes: Int

    private static let units = [("KiB", 10), ("MiB", 20), ("GiB", 30), ("TiB", 40)]

    init?(argument: String) {
        guard let (unit, shift) = Self.units.first(where: { argument.hasSuffix($0.0) }),
            let count = Int(argument.dropLast(unit.count)), count > 0
        else { return nil }
        let (bytes, isTooLarge) = count.multipliedReportingOverflow(by: 1 << shift)
        guard !isTooLarge else { return nil }
        self.bytes = bytes
    }
}
