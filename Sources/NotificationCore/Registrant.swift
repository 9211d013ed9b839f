/// A caller that registers apps and stores files: it may have no more of both than a limit, and its
/// apps may take no more of the store (W-11).
package struct Registrant: Hashable, Sendable {
    /// The way in which a caller is identified.
    package enum Kind: String, Hashable, Sendable {
        /// The user behind a unix socket.
        case user
        case token
        /// The name in a client's certificate.
        case certificate
    }

    package let kind: Kind
    /// The caller's kind and its number or name, such as `user 1000`, as it is stored.
    package let name: String

    /// Names a caller; a longer name is cut, so that it fits a key of the store.
    package init(_ kind: Kind, _ name: String) {
        self.kind = kind
        self.name =
            kind.rawValue + " "
            + String(decoding: name.utf8.prefix(Self.nameByteLimit), as: UTF8.self)
    }

    /// Finds a caller by its ``name``; nil where it names nobody.
    package init?(named name: String) {
        let word = name.prefix { $0 != " " }
        guard word.endIndex < name.endIndex, let kind = Kind(rawValue: String(word)) else {
            return nil
        }
        self.kind = kind
        self.name = name
    }

    private static let nameByteLimit = 256
}
