internal import Faults
package import NotificationCore

/// Which of 64 requests that follow each other are released: no row refers to them any more, and
/// their records are still to be deleted.
package struct ReleasedRow: TableRow, Equatable, Sendable {
    /// A bit for each request, the lowest one for the first request.
    private var bits: UInt64 = 0

    package init() {}

    package var isEmpty: Bool { bits == 0 }

    /// Whether a request is released.
    ///
    /// - Parameter request: One of the requests of the row.
    /// - Returns: Whether its bit is set.
    package func contains(_ request: RequestNumber) -> Bool { bits & Self.bit(of: request) != 0 }

    package mutating func insert(_ request: RequestNumber) {
        let isWrong = Fault.releasedRecordDeletedWhileTold.isPlanted
        bits |= Self.bit(of: isWrong ? request.next : request)
    }

    /// The released requests, in the order of their numbers.
    ///
    /// - Parameter key: The key of the row.
    /// - Returns: At most 64 requests.
    package func requests(at key: ReleasedKey) -> [RequestNumber] {
        key.requests.filter { contains($0) }
    }

    private static func bit(of request: RequestNumber) -> UInt64 {
        1 << (request.rawValue % ReleasedKey.requestsPerRow)
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 16)
        writer.put(bits)
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        bits = try reader.number()
        guard reader.isAtEnd, bits != 0 else { throw .undecodable }
    }
}

/// The released records of a store, and how far their deletion has come.
package struct ReleasedRecords: Coded, Equatable {
    package var count = 0
    /// The bytes of their rows.
    package var byteCount = 0
    /// The row of the table `released` after which the deletion goes on; nil is the front.
    package var position: ReleasedKey?
    /// Whether all are to be deleted, however few they are.
    package var deletesAll = false

    /// Begins without records, as in a new store.
    package init() {}

    package func write(to writer: inout ByteWriter) {
        writer.put(count)
        writer.put(byteCount)
        writer.put(position) { $0.put($1.number) }
        writer.put(deletesAll)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        count = try reader.number()
        byteCount = try reader.number()
        position = try reader.optional { reader throws(RowProblem) in
            ReleasedKey(number: try reader.number())
        }
        deletesAll = try reader.bool()
    }
}
