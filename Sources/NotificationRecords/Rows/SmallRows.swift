// Rows without a version: each has one form, which the size of the row tells.

/// The format of a store, which is written alike in every format.
package struct FormatRow: TableRow {
    /// The number of the format; nil in a store from before the first release, whose row is a
    /// number of four bytes without a name before it.
    package let version: UInt32?
    package let bytes: [UInt8]

    private static let name = Array("belfry".utf8)

    package init(version: UInt32) {
        self.version = version
        var writer = ByteWriter(capacity: 10)
        writer.put(bytes: Self.name)
        writer.put(version)
        bytes = writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        self.bytes = bytes
        guard bytes.count != 4 else {
            version = nil
            return
        }
        var reader = ByteReader(bytes)
        guard try reader.bytes(Self.name.count) == Self.name else { throw .undecodable }
        version = try reader.number()
        guard reader.isAtEnd else { throw .undecodable }
    }
}

/// A secret of a store.
package struct SecretRow: TableRow {
    package static let byteCount = 32
    package let bytes: [UInt8]

    private init(drawn bytes: [UInt8]) { self.bytes = bytes }

    /// Draws a secret from the system's random numbers.
    package static func random() -> Self {
        Self(drawn: (0..<byteCount).map { _ in .random(in: 0...UInt8.max) })
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count == Self.byteCount else { throw .undecodable }
        self.bytes = bytes
    }
}

/// The fingerprint of the rules of a zone.
package struct ZoneVersionRow: TableRow, Equatable {
    package let fingerprint: UInt128

    package init(fingerprint: UInt128) { self.fingerprint = fingerprint }

    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 16)
        writer.put(fingerprint)
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count == 16 else { throw .undecodable }
        var reader = ByteReader(bytes)
        fingerprint = try reader.number()
    }
}
