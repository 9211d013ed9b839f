internal import BelfryLMDB
internal import Crypto

/// The key with which a store signs its page tokens, and recognizes them.
///
/// A token holds a position that the store later trusts, so clients must not be able to make
/// tokens. The key is made with the store and kept in it: a token stays valid after a restart.
public struct PageTokenKey: Sendable {
    /// The bytes of a code, which stands before the position in a token.
    public static let codeByteCount = SHA256.byteCount
    private static let byteCount = 32

    private let bytes: [UInt8]

    /// Makes a secret key from the system's random numbers.
    public init() {
        bytes = (0..<Self.byteCount).map { _ in .random(in: 0...UInt8.max) }
    }

    private var key: SymmetricKey { SymmetricKey(data: bytes) }

    /// Gives the code that shows that the store wrote `message`.
    ///
    /// - Complexity: O(bytes).
    public func code(of message: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
    }

    /// Whether `code` is the code of `message`; the time of the comparison tells nothing about the
    /// code.
    ///
    /// - Complexity: O(bytes).
    public func isCode(_ code: [UInt8], of message: [UInt8]) -> Bool {
        HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: message, using: key)
    }
}

extension PageTokenKey {
    /// Reads the key of a store, or makes it where the store has none yet.
    static func stored(
        in environment: Environment,
        _ tables: Tables
    ) throws(LMDBError) -> PageTokenKey {
        let found = try environment.read { transaction throws(LMDBError) in
            try transaction.value(forKey: Key.pageTokens, in: tables.meta)
        }
        if let found { return try PageTokenKey(stored: found) }
        let made = PageTokenKey()
        try environment.write { transaction throws(LMDBError) in
            try transaction.put(made.bytes, forKey: Key.pageTokens, in: tables.meta)
        }
        return made
    }

    /// Reads the stored form.
    init(stored bytes: [UInt8]) throws(LMDBError) {
        guard bytes.count == Self.byteCount else { throw ByteReader.corrupted }
        self.bytes = bytes
    }
}
