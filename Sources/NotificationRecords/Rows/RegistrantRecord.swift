/// What a caller has registered, as the `registrants` table keeps it.
package struct RegistrantRecord: TableRow, Equatable {
    /// The apps, each counted for each of its devices.
    package var apps = 0

    private static let version: UInt8 = 1

    /// The row of a caller that has registered nothing.
    package init() {}

    /// The row as it is in the file.
    package var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 24)
        writer.put(apps)
        return writer.sealed()
    }

    /// Reads a row of this version or of an older version.
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        _ = try reader.version(upTo: Self.version)
        apps = try reader.number()
        guard reader.isAtEnd else { throw .undecodable }
    }
}
