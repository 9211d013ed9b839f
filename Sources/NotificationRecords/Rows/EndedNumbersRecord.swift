/// The greatest number of an event or of a delivery of apps that were unregistered, as the
/// `ended_numbers` table keeps it.
package struct EndedNumbersRecord: TableRow, Equatable {
    /// The number, which leaves room for all that follow.
    package let greatest: UInt64

    private static let version: UInt8 = 1

    /// The row of a number.
    package init(greatest: UInt64) { self.greatest = greatest }

    /// The row as it is in the file.
    package var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 16)
        writer.put(greatest)
        return writer.sealed()
    }

    /// Reads a row of this version or of an older version.
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        _ = try reader.version(upTo: Self.version)
        greatest = try reader.number()
        guard reader.isAtEnd, greatest < .max / 2 else { throw .undecodable }
    }
}
