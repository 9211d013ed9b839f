// Rows without a version: each has one form, which the size of the row tells.

/// The version of a store's format.
package struct FormatRow: TableRow {
    /// The version.
    package let version: UInt32

    /// The row of a version.
    package init(version: UInt32) { self.version = version }

    /// The row as it is in the file.
    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 4)
        writer.put(version)
        return writer.bytes
    }

    /// Reads a row of this version or of an older version.
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = ByteReader(bytes)
        version = try reader.number()
    }
}

/// The secret with which a store signs its page tokens.
package struct PageTokenRow: TableRow {
    /// Bytes of a secret.
    package static let byteCount = 32
    /// The row as it is in the file.
    package let bytes: [UInt8]

    /// Reads a row of this version or of an older version.
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count == Self.byteCount else { throw .undecodable }
        self.bytes = bytes
    }
}

/// The fingerprint of the rules of a zone.
package struct ZoneVersionRow: TableRow, Equatable {
    /// The fingerprint.
    package let fingerprint: UInt128

    /// The row of a fingerprint.
    package init(fingerprint: UInt128) { self.fingerprint = fingerprint }

    /// The row as it is in the file.
    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 16)
        writer.put(fingerprint)
        return writer.bytes
    }

    /// Reads a row of this version or of an older version.
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count == 16 else { throw .undecodable }
        var reader = ByteReader(bytes)
        fingerprint = try reader.number()
    }
}
