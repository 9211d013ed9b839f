/// A row as a check or a repair finds it.
@usableFromInline
package enum FoundRow<Row> {
    case missing
    /// The row does not decode; a check reports this only where it walks the row's table.
    case damaged
    case row(Row)

    /// The row, where it decodes.
    package var row: Row? {
        if case .row(let row) = self { return row }
        return nil
    }

    package var isMissing: Bool {
        if case .missing = self { return true }
        return false
    }
}
