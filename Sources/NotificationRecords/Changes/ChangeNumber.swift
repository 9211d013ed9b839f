internal import NotificationCore

/// The number of a row of the log of changes, counted from 1; 0 is before all rows.
package struct ChangeNumber: SerialNumber, TableKey {
    package let rawValue: UInt64

    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

/// Which changes are in the trees of their tables: all up to a row of the log.
package struct MergedRow: TableRow {
    /// The last row whose changes are in the trees.
    package var number: ChangeNumber

    /// Says that the changes up to `number` are in the trees.
    package init(upTo number: ChangeNumber) { self.number = number }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 8)
        writer.put(number)
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        number = try reader.serial()
        guard reader.isAtEnd else { throw .undecodable }
    }
}
