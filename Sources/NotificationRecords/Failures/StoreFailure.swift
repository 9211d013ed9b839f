public import BelfryLMDB
internal import Glibc
public import NotificationCore
public import NotificationLog

/// Why work on the store failed.
@usableFromInline
package enum StoreFailure: Error, Sendable, Equatable, CustomStringConvertible {
    /// LMDB or an operation on a file beside the store failed, or a page of the file is damaged.
    case lmdb(LMDBError)
    /// A row is damaged; LMDB found no fault.
    case row(RowError)
    /// The log failed, is damaged, or does not go with the trees.
    case log(LogError)
    /// A command is refused: nothing failed, and its batch goes on.
    ///
    /// Indirect, because a refusal is large and every function that reads the store throws this
    /// type.
    indirect case refused(Refusal)

    /// Whether the disk, the quota, the file or the map is full.
    package var isOutOfSpace: Bool {
        switch self {
        case .lmdb(let error): error.isOutOfSpace
        case .log(let error): error.isOutOfSpace
        case .row, .refused: false
        }
    }

    /// Whether the file itself is damaged, so that opening it again does not help.
    package var isDamage: Bool {
        switch self {
        case .lmdb(let error): error.isDamage
        case .row: true
        case .refused: false
        case .log(let error): error.isDamage
        }
    }

    /// The description of a log that is damaged, or another store's; nil for all else.
    package var logDamage: String? {
        guard case .log(let error) = self, error.isDamage else { return nil }
        return error.description
    }

    /// The damaged row; nil where LMDB or a file failed, or the work is refused.
    package var row: RowError? {
        if case .row(let error) = self { return error }
        return nil
    }

    /// Whether the system reported that a write failed, which may be a disk that became full.
    package var isInputOutputError: Bool {
        switch self {
        case .lmdb(let error): error.code == EIO
        case .log(.disk(let error)): error.code == EIO
        case .log, .row, .refused: false
        }
    }

    /// The failure for a person, without keys, values or paths, so that it may be logged.
    @usableFromInline
    package var description: String {
        switch self {
        case .lmdb(let error): error.description
        case .row(let error): error.description
        case .log(let error): error.description
        case .refused(let refusal): refusal.message
        }
    }
}

extension StoreFailure {
    @inlinable
    package static func disagrees<Key, Row>(
        _ key: Key,
        in table: TypedTable<Key, Row>
    ) -> StoreFailure {
        .row(RowError(.disagrees, table: table.name, key: key.bytes))
    }

    @inlinable
    package static func ofRow<R>(
        _ body: () throws(RowProblem) -> R
    ) throws(StoreFailure) -> R {
        do throws(RowProblem) {
            return try body()
        } catch {
            throw .row(RowError(error))
        }
    }

    @inlinable
    package static func ofLMDB<R: ~Copyable>(
        _ body: () throws(LMDBError) -> R
    ) throws(StoreFailure) -> R {
        do throws(LMDBError) {
            return try body()
        } catch {
            throw .lmdb(error)
        }
    }

    @inlinable
    package static func ofLMDB<R: ~Copyable>(
        _ body: @autoclosure () throws(LMDBError) -> R
    ) throws(StoreFailure) -> R {
        try ofLMDB { () throws(LMDBError) in try body() }
    }

    package static func ofLog<R>(
        _ body: () throws(LogError) -> R
    ) throws(StoreFailure) -> R {
        do throws(LogError) {
            return try body()
        } catch {
            throw .log(error)
        }
    }
}
