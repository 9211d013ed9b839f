internal import BelfryHashing
internal import BelfryLMDB
internal import Faults
internal import NotificationRecords

/// The key with which a store signs its page tokens, and recognizes them.
///
/// A token holds a position that the store later trusts, so clients must not be able to make
/// tokens. The key is made with the store and kept in it: a token stays valid after a restart.
package struct PageTokenKey: Sendable {
    /// The bytes of a code, which stands before the position in a token.
    package static let codeByteCount = AuthenticationCode.byteCount

    private let bytes: [UInt8]

    /// Makes a secret key from the system's random numbers.
    package init() {
        bytes = SecretRow.random().bytes
    }

    /// Gives the code that shows that the store wrote `message`.
    ///
    /// - Complexity: O(bytes).
    package func code(of message: [UInt8]) -> [UInt8] {
        AuthenticationCode.code(of: message, key: bytes)
    }

    /// Whether `code` is the code of `message`, in a time that tells nothing about the code.
    ///
    /// - Complexity: O(bytes).
    package func isCode(_ code: [UInt8], of message: [UInt8]) -> Bool {
        if Fault.tokenNotAuthenticated.isPlanted { return code.count == Self.codeByteCount }
        return AuthenticationCode.isCode(code, of: message, key: bytes)
    }
}

extension PageTokenKey {
    /// Reads the key of a store, or makes it where the store has none yet.
    static func stored(
        in environment: Environment,
        _ tables: Tables
    ) throws(StoreFailure) -> PageTokenKey {
        PageTokenKey(
            bytes: try SecretRow.stored(at: .pageTokens, of: tables.pageTokens, in: environment)
        )
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }
}

extension SecretRow {
    /// Reads a secret of a store, or makes it where the store has none yet.
    static func stored(
        at key: MetaKey,
        of table: TypedTable<MetaKey, SecretRow>,
        in environment: Environment
    ) throws(StoreFailure) -> [UInt8] {
        let found = try environment.reading { transaction throws(StoreFailure) in
            try transaction.rowIfAny(key, in: table)
        }
        if let found { return found.bytes }
        let made = random()
        try environment.writing { transaction throws(StoreFailure) in
            try transaction.put(made, at: key, in: table)
        }
        return made.bytes
    }
}
