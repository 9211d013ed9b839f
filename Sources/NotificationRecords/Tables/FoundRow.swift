/// A row as a check or a repair finds it.
@usableFromInline
package enum FoundRow<Row> {
    /// There is no row.
    case missing
    /// The row does not decode.
    case damaged
    /// The row.
    case row(Row)

    /// The row, where it decodes.
    package var row: Row? {
        if case .row(let row) = self { return row }
        return nil
    }

    /// Whether there is no row.
    package var isMissing: Bool {
        if case .missing = self { return true }
        return false
    }
}
