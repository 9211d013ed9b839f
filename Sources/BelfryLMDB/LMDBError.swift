internal import CBelfryLMDB
internal import Glibc

/// A failure that LMDB or the operating system reported, with the operation that failed.
///
/// The error's text never contains keys or values, so that it may be logged.
@usableFromInline
package struct LMDBError: Error, Sendable, Equatable {
    /// The failure: an LMDB code, which is negative, or an `errno` value, which is positive.
    package let code: Int32

    /// The C function or the step that failed, such as `mdb_txn_commit`.
    package let operation: String

    /// Creates an error from an LMDB code or an `errno` value.
    package init(code: Int32, operation: String) {
        self.code = code
        self.operation = operation
    }

    /// Whether there is no room: the disk, the quota, the file size limit or the map is full.
    ///
    /// The transaction is lost, but the environment stays usable: transactions that need no new
    /// page succeed, and all transactions do once space was made.
    package var isOutOfSpace: Bool {
        code == ENOSPC || code == EDQUOT || code == EFBIG || code == Self.mapFull
    }

    /// Whether the file is damaged: opening it again does not help.
    package var isDamage: Bool {
        [
            Self.truncated, Self.corrupted, Self.pageNotFound, Self.invalid, Self.versionMismatch,
            Self.incompatible, MDB_PAGE_FULL, MDB_CURSOR_FULL,
        ].contains(code)
    }
}

extension LMDBError {
    /// The file ends before a page that is in use, or before what is to be read.
    package static let truncated: Int32 = -2
    /// The key or the position has no entry.
    @usableFromInline
    package static let notFound: Int32 = MDB_NOTFOUND
    /// A page that another page names is missing: the file is damaged.
    package static let pageNotFound: Int32 = MDB_PAGE_NOTFOUND
    /// A page is of the wrong kind: the file is damaged.
    package static let corrupted: Int32 = MDB_CORRUPTED
    /// The file was written by another version of the format.
    package static let versionMismatch: Int32 = MDB_VERSION_MISMATCH
    /// The file is not an LMDB file.
    package static let invalid: Int32 = MDB_INVALID
    package static let mapFull: Int32 = MDB_MAP_FULL
    /// The file or the table is not of the expected kind; also a page size other than 4,096 bytes.
    package static let incompatible: Int32 = MDB_INCOMPATIBLE
}

extension LMDBError: CustomStringConvertible {
    /// The operation, the text of the code and the code.
    @usableFromInline
    package var description: String {
        if code == Self.truncated { return operation }
        return "\(operation): \(text) (\(code))"
    }

    /// The words of LMDB or of the system for the code.
    package var text: String {
        unsafe mdb_strerror(code).map { unsafe String(cString: $0) } ?? "unknown error"
    }
}

/// Throws unless `code` is success.
@inline(__always)
@usableFromInline
func check(_ code: Int32, _ operation: String) throws(LMDBError) {
    if code != MDB_SUCCESS { throw LMDBError(code: code, operation: operation) }
}

/// Throws the error of `errno` unless `result` is zero or more.
@inline(__always)
@discardableResult
package func checkSystem(_ result: Int32, _ operation: String) throws(LMDBError) -> Int32 {
    if result < 0 { throw LMDBError(code: errno, operation: operation) }
    return result
}
