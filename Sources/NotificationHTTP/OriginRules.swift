internal import Faults
internal import HTTPTypes
internal import HummingbirdCore

/// Which pages may call: the server's own, and none of another origin, so that no web page that a
/// person visits reaches a server of this machine.
struct OriginRules: Sendable {
    /// A request that a page of another origin may have sent.
    enum Problem: Error, Equatable {
        /// It names no host, more than one, or something else.
        case hosts
        case host(String)
        case origin(String)
        case site

        /// The reason, for the log.
        var reason: String {
            switch self {
            case .hosts, .host: "HOST_REFUSED"
            case .origin, .site: "ORIGIN_REFUSED"
            }
        }

        var httpStatus: Int { self == .hosts ? 400 : 403 }

        var message: String {
            switch self {
            case .hosts: "the request has to name one host, with a port or without"
            case .host(let host):
                """
                the request is for the host '\(host)', which is not this server: name it with \
                --http-allow-host
                """
            case .origin(let origin):
                """
                pages of '\(origin)' may not call: name the origin with --http-allow-origin
                """
            case .site: "a page of another site may not call without its origin"
            }
        }
    }

    private let hosts: Set<String>
    private let origins: Set<String>

    /// Names of this machine, which no name server gives another meaning.
    private static let ownHosts: Set<String> = ["localhost", "127.0.0.1", "[::1]"]
    /// Longer values are no hosts and no origins.
    private static let nameBytes = 300

    init(_ options: HTTPOptions) {
        let bound = options.addresses.map { address in
            address.host.contains(":") ? "[\(address.host)]" : address.host
        }
        let hosts = bound + options.allowedHosts
        self.hosts = Self.ownHosts.union(hosts.map { $0.lowercased() })
        origins = Set(options.allowedOrigins.map { $0.lowercased() })
    }

    /// The origin of the page that sent a request; nil where no page did, or the server's own.
    ///
    /// - Throws: ``Problem`` for a request that is not to be answered.
    func origin(of request: HTTPRequest) throws(Problem) -> String? {
        // Look for a second host among the fields, where the library keeps it.
        guard let host = request.authority, request.headerFields[.host] == nil,
            let name = Self.withoutPort(host)
        else { throw .hosts }
        guard hosts.contains(name) else { throw .host(Self.short(host)) }
        guard let origin = request.headerFields[.origin] else {
            // Ask the browser whether a GET is from another site: it has no origin.
            let site = request.headerFields[.secFetchSite]?.lowercased()
            guard site == nil || site == "none" || site == "same-origin" || Self.isVisit(request)
            else { throw .site }
            return nil
        }
        guard !Self.isOwn(origin, host, request) else { return nil }
        // Bounded: a longer origin is none of the options.
        guard origin.utf8.count <= Self.nameBytes,
            origins.contains(origin.lowercased()) || Fault.originNotChecked.isPlanted
        else { throw .origin(Self.short(origin)) }
        return origin
    }

    /// Whether an origin is that of the host that the request is for, whose pages are the server's.
    private static func isOwn(_ origin: String, _ host: String, _ request: HTTPRequest) -> Bool {
        let site = request.headerFields[.secFetchSite]?.lowercased()
        // A proxy with TLS answers for the server under another scheme, and the browser tells that
        // from a page of the plain one.
        return (site == nil || site == "same-origin") && origin.utf8.count <= nameBytes
            && ["http://", "https://"].contains { origin.lowercased() == $0 + host.lowercased() }
    }

    /// Whether a person follows a link to the server's address, which tells the page that has the
    /// link nothing.
    private static func isVisit(_ request: HTTPRequest) -> Bool {
        request.method == .get && request.path == "/"
            && request.headerFields[.secFetchDest]?.lowercased() == "document"
    }

    /// A host's name in lower case; nil where more than a port is behind it.
    private static func withoutPort(_ host: String) -> String? {
        // Bounded: a longer name is no host.
        guard host.utf8.count <= nameBytes else { return nil }
        let bytes = host.utf8
        let isNumber = bytes.first == UInt8(ascii: "[")
        let name =
            isNumber
            ? bytes.firstIndex(of: UInt8(ascii: "]")).map { bytes[...$0] }
            : bytes.prefix { $0 != UInt8(ascii: ":") }
        guard let name, !name.isEmpty else { return nil }
        let port = bytes[name.endIndex...]
        let digits = port.dropFirst()
        guard port.isEmpty || port.first == UInt8(ascii: ":"),
            digits.allSatisfy({ (0x30...0x39).contains($0) }),
            digits.isEmpty || UInt16(Substring(digits)) != nil
        else { return nil }
        return Substring(name).lowercased()
    }

    private static func short(_ text: String) -> String {
        let printable = text.unicodeScalars.prefix(100).filter { $0.isASCII && $0.value > 0x20 }
        return String(String.UnicodeScalarView(printable))
    }
}
