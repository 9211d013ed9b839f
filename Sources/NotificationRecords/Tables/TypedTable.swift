public import BelfryLMDB

/// The key of a row: big-endian numbers and exact text, so that keys are in the order of what they
/// name.
public protocol TableKey: Equatable, Sendable {
    /// The key as it is in the file.
    var bytes: [UInt8] { get }
    /// Reads a key.
    init(_ bytes: [UInt8]) throws(RowProblem)
}

extension TableKey {
    /// Whether both are the key of the same row.
    public static func == (one: Self, other: Self) -> Bool { one.bytes == other.bytes }
}

/// A row of a table.
public protocol TableRow {
    /// The row as it is in the file, with its version and its checksum.
    var bytes: [UInt8] { get }
    /// Reads a row of this version or of an older version.
    init(_ bytes: [UInt8]) throws(RowProblem)
}

/// A part of a row, for work that needs no more.
public protocol TableRowPart {
    /// The row of which this is a part.
    associatedtype Whole: TableRow
    /// Reads the part of a row.
    init(_ bytes: [UInt8]) throws(RowProblem)
}

/// A table with the types of its keys and rows.
public struct TypedTable<Key: TableKey, Row: TableRow>: Sendable {
    /// The table's name in the file.
    public let name: TableName
    /// The table itself, for the check and the repair, which read rows that do not decode.
    public let raw: Table

    /// Opens a table, or makes it.
    init(_ environment: Environment, _ name: TableName) throws(LMDBError) {
        self.name = name
        raw = try environment.table(name.rawValue)
    }

    /// The typed form of a table that is open.
    public init(_ table: Table, _ name: TableName) {
        self.name = name
        raw = table
    }

    /// The error of a row with a problem.
    @inlinable
    public func error(_ problem: RowProblem, _ key: [UInt8]) -> StoreFailure {
        .row(RowError(problem, table: name, key: key))
    }

    /// Reads a key.
    @inlinable
    public func key(_ bytes: [UInt8]) throws(StoreFailure) -> Key {
        do throws(RowProblem) {
            return try Key(bytes)
        } catch {
            throw self.error(error, bytes)
        }
    }

    /// Reads a row.
    @inlinable
    public func row(_ bytes: [UInt8], at key: [UInt8]) throws(StoreFailure) -> Row {
        do throws(RowProblem) {
            return try Row(bytes)
        } catch {
            throw self.error(error, key)
        }
    }
}

/// The beginning of the keys of some rows of a table.
public struct KeyPrefix<Key: TableKey>: Sendable {
    /// The bytes with which the keys begin.
    public let bytes: [UInt8]

    /// The keys that begin with `bytes`.
    public init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// All keys.
    public static var all: KeyPrefix { KeyPrefix([]) }
}

/// The row of a table whose keys say everything.
public struct NoRow: TableRow {
    /// The one row that there is.
    public init() {}

    /// No bytes.
    public var bytes: [UInt8] { [] }

    /// Reads a row, which has no bytes.
    public init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.isEmpty else { throw .undecodable }
    }
}
