/// The greatest number of an event or of a delivery of apps that were unregistered, as the
/// `ended_numbers` table keeps it.
package struct EndedNumbersRecord: TableRow, Equatable {
    /// The number, which leaves room for all that follow.
    package let greatest: UInt64

    package init(greatest: UInt64) { self.greatest = greatest }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 16)
        writer.put(greatest)
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        greatest = try reader.number()
        guard reader.isAtEnd, greatest < .max / 2 else { throw .undecodable }
    }
}
