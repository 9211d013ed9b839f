internal import BelfryLMDB
internal import Crypto

/// The key by which a store knows the page tokens that it gave.
///
/// A token names a position that the store later reads and reckons with, so nobody else may make
/// one. The key is made with the store and kept in it: a token is good after a restart too.
public struct PageTokenKey: Sendable {
    /// The bytes of a code: what stands before the position in a token.
    public static let codeByteCount = SHA256.byteCount
    private static let byteCount = 32

    private let bytes: [UInt8]

    /// Makes a key that nobody knows: from the random numbers of the system.
    public init() {
        bytes = (0..<Self.byteCount).map { _ in .random(in: 0...UInt8.max) }
    }

    private var key: SymmetricKey { SymmetricKey(data: bytes) }

    /// Gives the code that shows who wrote `message`.
    ///
    /// - Complexity: O(bytes).
    public func code(of message: [UInt8]) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: message, using: key))
    }

    /// Whether `code` is that of `message`; how long it takes tells nothing about the code.
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
