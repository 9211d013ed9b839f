package import BelfryLMDB

/// The key of a row: big-endian numbers and exact text, so that keys are in the order of what they
/// name.
@usableFromInline
package protocol TableKey: Equatable, Sendable {
    var bytes: [UInt8] { get }
    init(_ bytes: [UInt8]) throws(RowProblem)
}

extension TableKey {
    /// Whether both are the key of the same row.
    @inlinable
    package static func == (one: Self, other: Self) -> Bool { one.bytes == other.bytes }
}

@usableFromInline
package protocol TableRow {
    /// The row as it is in the file, with its version and its checksum.
    var bytes: [UInt8] { get }
    init(_ bytes: [UInt8]) throws(RowProblem)
}

@usableFromInline
package struct TypedTable<Key: TableKey, Row: TableRow>: Sendable {
    @usableFromInline
    package let name: TableName
    /// The table without types, for the check and the repair, which read rows that do not decode.
    @usableFromInline
    package let raw: StoreTable

    /// The typed form of one of all tables.
    init(_ trees: [Table], _ name: TableName) { self.init(trees[name.index], name) }

    /// The typed form of a table that is open.
    package init(_ table: Table, _ name: TableName) {
        self.name = name
        raw = StoreTable(table, name)
    }

    /// A table whose keys are read as those of another type.
    init<Other>(_ other: TypedTable<Other, Row>) {
        name = other.name
        raw = other.raw
    }

    @inlinable
    package func error(_ problem: RowProblem, _ key: [UInt8]) -> StoreFailure {
        .row(RowError(problem, table: name, key: key))
    }

    @inlinable
    package func decoding<R>(
        _ key: [UInt8],
        _ body: () throws(RowProblem) -> R
    ) throws(StoreFailure) -> R {
        do throws(RowProblem) {
            return try body()
        } catch {
            throw self.error(error, key)
        }
    }

    @inlinable
    package func key(_ bytes: [UInt8]) throws(StoreFailure) -> Key {
        try decoding(bytes) { () throws(RowProblem) in try Key(bytes) }
    }

    @inlinable
    package func row(_ bytes: [UInt8], at key: [UInt8]) throws(StoreFailure) -> Row {
        try decoding(key) { () throws(RowProblem) in try Row(bytes) }
    }
}

/// The beginning of the keys of some rows of a table.
@usableFromInline
package struct KeyPrefix<Key: TableKey>: Sendable {
    /// The bytes with which the keys begin.
    @usableFromInline
    package let bytes: [UInt8]

    /// The keys that begin with `bytes`.
    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    @usableFromInline
    package static var all: KeyPrefix { KeyPrefix([]) }
}

/// A row without bytes, of a table whose keys hold everything.
@usableFromInline
package struct NoRow: TableRow {
    package init() {}

    @usableFromInline
    package var bytes: [UInt8] { [] }

    /// Reads a row, which has no bytes.
    @usableFromInline
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.isEmpty else { throw .undecodable }
    }
}
