/// A row that begins with its version and ends with its checksum: between them is its value.
package protocol SealedRow: TableRow, Coded {
    /// About how many bytes the value takes.
    var expectedByteCount: Int { get }
}

extension SealedRow {
    package var expectedByteCount: Int { 64 }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: expectedByteCount)
        write(to: &writer)
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        try self.init(&reader)
        guard reader.isAtEnd else { throw .undecodable }
    }
}
