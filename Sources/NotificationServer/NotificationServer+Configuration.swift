internal import BelfryGRPC
public import Foundation
internal import NotificationCore
internal import NotificationService
internal import NotificationStore

extension NotificationServer {
    /// Where a server's store is, where it listens, and which clock it runs on.
    public struct Configuration: Sendable {
        /// The directory of the store, which is made where it is missing, and which only one server
        /// uses at a time.
        public var directory: String
        /// The addresses to listen on, at least one.
        public var addresses: [Address]
        /// The clock that decides what is due.
        public var clock = Clock.system
        /// The way in which permission prompts are answered.
        public var prompts = Prompts.ask
        /// The token of those that may make every call over TCP: 32 to 4,096 bytes.
        ///
        /// An address of TCP needs one. Over a unix socket the programs of this process's user need
        /// none, and other users may make no call.
        public var token: String?
        /// How long a stop waits for open calls.
        public var stopTimeout = Duration.seconds(10)

        /// Makes a configuration with the defaults.
        ///
        /// - Parameters:
        ///   - directory: The directory of the store.
        ///   - addresses: The addresses to listen on.
        public init(directory: String, addresses: [Address]) {
            self.directory = directory
            self.addresses = addresses
        }
    }

    /// An address on which a server listens.
    public enum Address: Sendable, Hashable, CustomStringConvertible {
        /// A unix socket. A missing directory is created, for this user alone.
        case unix(path: String)
        /// A TCP port of the addresses that `host` resolves to; port 0 takes a free port.
        case tcp(host: String, port: UInt16)

        /// The address as clients take it: `unix:/path` or `host:port`.
        public var description: String { listener.description }
    }

    /// The clock of a server.
    public enum Clock: Sendable, Hashable {
        /// The machine's clock.
        case system
        /// A clock that stands still until a call of `AdvanceClock` moves it, for tests. A store
        /// that has a time keeps it; an empty store starts at this instant, of 1970 or later.
        case manual(start: Date)
    }

    /// How permission prompts are answered.
    public enum Prompts: Sendable, Hashable {
        /// The person answers, through a device's client.
        case ask
        /// The server grants every prompt at once.
        case grant
        /// The server denies every prompt at once.
        case deny
    }
}

extension NotificationServer.Configuration {
    var store: Store.Options {
        get throws(NotificationServerError) {
            var options = Store.Options(directory: directory)
            switch clock {
            case .system: options.timeZone = MachineTimeZone.name
            // A test must not depend on the machine's time zone.
            case .manual(let date):
                guard let start = WallInstant(date) else {
                    throw .invalid("a manual clock cannot start at \(date)")
                }
                options.clock = .manual(start: start)
            }
            return options
        }
    }

    /// The callers that the server lets in.
    var access: AccessControl.Options {
        get throws(NotificationServerError) {
            guard !addresses.isEmpty else { throw .invalid("a server needs an address") }
            var options = AccessControl.Options()
            let hasPort = addresses.contains { if case .tcp = $0 { true } else { false } }
            guard let token else {
                guard !hasPort else { throw .invalid("an address of TCP needs a token") }
                return options
            }
            let counts = AccessToken.byteCounts
            guard counts.contains(token.utf8.count) else {
                throw .invalid(
                    "the token must have \(counts.lowerBound) to \(counts.upperBound) bytes"
                )
            }
            let rights = AccessRights([AccessGrant(.admin)])
            options.tokens = [AccessToken(text: token, name: "the program's", rights: rights)]
            return options
        }
    }
}

extension NotificationServer.Address {
    /// The address as the server takes it.
    var listener: Server.Listener {
        switch self {
        case .unix(let path): .unix(path: path)
        case .tcp(let host, let port): .tcp(host: host, port: port)
        }
    }

    /// Makes the address of a listener; nil of a kind that no configuration has.
    init?(_ listener: Server.Listener) {
        switch listener {
        case .unix(let path): self = .unix(path: path)
        case .tcp(let host, let port): self = .tcp(host: host, port: port)
        case .tls, .inherited: return nil
        }
    }
}

extension NotificationServer.Prompts {
    var prompts: EmbeddedServer.Prompts {
        switch self {
        case .ask: .ask
        case .grant: .grant
        case .deny: .deny
        }
    }
}
