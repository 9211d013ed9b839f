/// A subscription's address at a push service, which was checked: `https`, and a host that is
/// allowed.
package struct PushEndpoint: Sendable, Equatable {
    package enum Problem: Error, Equatable {
        case tooLong
        /// A character that a URL has not, or a fragment.
        case character
        case notHTTPS
        /// A name or a password before the host.
        case userInformation
        /// No name, or an address in place of one.
        case host
        case port
        /// The host is none of the push services that are allowed.
        case otherService
    }

    /// The whole address.
    package let text: String
    package let host: String
    package let port: UInt16
    /// Whether the host is allowed to be this machine.
    package let isOnLoopback: Bool

    package static let byteLimit = 2_048
    static let httpsPort: UInt16 = 443
    private static let scheme = "https://"

    /// Checks an address.
    ///
    /// - Throws: ``Problem``, the first that is found.
    package init(_ text: String, of services: PushServices) throws(Problem) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.byteLimit else { throw .tooLong }
        guard bytes.allSatisfy(Self.isOfURI) else { throw .character }
        guard bytes.starts(with: Self.scheme.utf8) else { throw .notHTTPS }
        let authority = bytes.dropFirst(Self.scheme.utf8.count).prefix {
            $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?")
        }
        guard !authority.contains(UInt8(ascii: "@")) else { throw .userInformation }
        let parts = authority.split(
            separator: UInt8(ascii: ":"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard let host = HostName(parts[0]) else { throw .host }
        guard let port = parts.count == 1 ? Self.httpsPort : Self.port(parts[1]) else {
            throw .port
        }
        switch services.place(of: host, port: port) {
        case .service: isOnLoopback = false
        case .loopback: isOnLoopback = true
        case nil: throw .otherService
        }
        self.text = text
        self.host = host.text
        self.port = port
    }

    /// The host and a port that is not the usual one.
    package var authority: String { port == Self.httpsPort ? host : host + ":\(port)" }

    /// The scheme and the authority.
    package var origin: String { Self.scheme + authority }

    /// The path and the query, as a request of HTTP has them.
    package var target: String {
        let rest = text.dropFirst(Self.scheme.count).drop { $0 != "/" && $0 != "?" }
        return rest.first == "/" ? String(rest) : "/" + rest
    }

    static func port(_ digits: ArraySlice<UInt8>) -> UInt16? {
        guard (1...5).contains(digits.count), digits.first != UInt8(ascii: "0"),
            digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return UInt16(String(decoding: digits, as: UTF8.self))
    }

    /// Whether a byte may be in a URI without a fragment; one that JSON would escape may not.
    static func isOfURI(_ byte: UInt8) -> Bool {
        (0x21...0x7e).contains(byte) && !##""#<>\^`{|}"##.utf8.contains(byte)
    }
}
