package import NotificationCore

/// The key of a row of the table `released`: 64 requests that follow each other.
@usableFromInline
package struct ReleasedKey: TableKey, Sendable {
    /// The number of the row: that of its requests, divided by 64.
    package let number: UInt64

    static let requestsPerRow: UInt64 = 64

    package init(number: UInt64) { self.number = number }

    package init(of request: RequestNumber) {
        number = request.rawValue / Self.requestsPerRow
    }

    /// The requests of the row, in the order of their numbers.
    package var requests: [RequestNumber] {
        let first = number &* Self.requestsPerRow
        return (0..<Self.requestsPerRow).map { RequestNumber(rawValue: first &+ $0) }
    }

    @usableFromInline
    package var bytes: [UInt8] {
        var writer = ByteWriter(capacity: 8)
        writer.put(number)
        return writer.bytes
    }

    @usableFromInline
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        guard bytes.count == 8 else { throw .undecodable }
        var reader = ByteReader(bytes)
        number = try reader.number()
    }
}
