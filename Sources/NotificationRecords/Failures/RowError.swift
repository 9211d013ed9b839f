/// The damage of a row that LMDB could read.
@usableFromInline
package enum RowProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// No program of Belfry wrote these bytes.
    case undecodable
    /// The row's checksum is wrong: the row is not as it was written, although it may still decode.
    case changed
    /// A row that another row names does not exist.
    case missing
    case disagrees

    @usableFromInline
    package var description: String {
        switch self {
        case .undecodable: "a row does not decode"
        case .changed: "a row's checksum is wrong"
        case .missing: "a row is not there"
        case .disagrees: "a row is not what another one says"
        }
    }
}

/// A damaged row that LMDB could read: it is missing, does not decode, or disagrees with another
/// row.
@usableFromInline
package struct RowError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The table; nil where no single row is known.
    package let table: TableName?
    /// The row's key, as it is in the file; empty where no single row is known.
    package let key: [UInt8]
    package let problem: RowProblem

    /// Names a row and what is wrong with it.
    @usableFromInline
    package init(_ problem: RowProblem, table: TableName? = nil, key: [UInt8] = []) {
        self.problem = problem
        self.table = table
        self.key = key
    }

    /// The problem for a person, without the key, so that it may be logged.
    @usableFromInline
    package var description: String { problem.description }
}
