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
        bytes = (0..<PageTokenRow.byteCount).map { _ in .random(in: 0...UInt8.max) }
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
        let found = try environment.reading { transaction throws(StoreFailure) in
            try transaction.rowIfAny(.pageTokens, in: tables.pageTokens)
        }
        if let found { return PageTokenKey(bytes: found.bytes) }
        let made = PageTokenKey()
        try environment.writing { transaction throws(StoreFailure) in
            let row = try StoreFailure.ofRow { () throws(RowProblem) in
                try PageTokenRow(made.bytes)
            }
            try transaction.put(row, at: .pageTokens, in: tables.pageTokens)
        }
        return made
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }
}
