package import NotificationLog

/// The payload of a frame of the log: the changes of one batch, in their order (ST-7).
///
/// A change says how the row is after it, so that a change which is made again changes nothing.
struct ChangeFrame {
    private static let format: UInt8 = 1
    private static let deletionMark: UInt8 = 0x80
    private static let frontMark: UInt8 = 0x40
    /// The keys of the trees take so many bytes.
    static let keyByteCounts = 1...511

    private var writer = ByteWriter(capacity: 1_024)

    var isEmpty: Bool { writer.bytes.isEmpty }
    var payload: [UInt8] { writer.bytes }

    /// Adds a change behind all others; nil is a deletion.
    ///
    /// - Returns: The offset of the row.
    @discardableResult
    mutating func append(_ key: [UInt8], _ row: [UInt8]?, in table: Int) -> Int {
        if isEmpty { writer.put(Self.format) }
        writer.put(UInt8(table) | (row == nil ? Self.deletionMark : 0))
        writer.putVarint(UInt64(key.count))
        writer.put(bytes: key)
        guard let row else { return writer.count }
        writer.putVarint(UInt64(row.count))
        writer.put(bytes: row)
        return writer.count - row.count
    }

    /// Adds a front behind all changes: it deletes the rows of a table that come before a key and
    /// were written up to here.
    ///
    /// `rowCount` is how many of them have no deletion of their own.
    mutating func append(front key: [UInt8], _ rowCount: Int, in table: Int) {
        if isEmpty { writer.put(Self.format) }
        writer.put(UInt8(table) | Self.frontMark)
        writer.putVarint(UInt64(key.count))
        writer.put(bytes: key)
        writer.putVarint(UInt64(rowCount))
    }

    var byteCount: Int { writer.count }

    /// Copies bytes of the payload.
    func bytes(_ count: Int, at offset: Int) -> [UInt8] {
        Array(writer.bytes[offset..<offset + count])
    }

    /// Reads the changes of a payload, each with the offset of its row, and the fronts.
    static func read(
        _ payload: [UInt8],
        _ body: (_ table: Int, _ key: [UInt8], _ change: Change, _ offset: Int) -> Void,
        front: (_ table: Int, _ key: [UInt8], _ rowCount: Int) -> Void
    ) throws(RowProblem) {
        var reader = ByteReader(payload)
        guard try reader.number(UInt8.self) == format else { throw .undecodable }
        while !reader.isAtEnd {
            let mark = try reader.number(UInt8.self)
            let table = Int(mark & ~(deletionMark | frontMark))
            guard TableName.allCases.indices.contains(table) else { throw .undecodable }
            let key = try reader.bytes(try reader.count())
            guard keyByteCounts.contains(key.count) else { throw .undecodable }
            guard mark & frontMark == 0 else {
                let rowCount = try reader.varint()
                guard mark & deletionMark == 0, !TableName.isCounted[table],
                    (1...UInt64(UInt32.max)).contains(rowCount)
                else { throw .undecodable }
                front(table, key, Int(rowCount))
                continue
            }
            guard mark & deletionMark == 0 else {
                body(table, key, .deletion, reader.offset)
                continue
            }
            let count = try reader.count()
            let offset = reader.offset
            body(table, key, .put(try reader.bytes(count)), offset)
        }
    }
}

/// Which log goes with the trees of a store.
package struct LogRow: TableRow, Equatable {
    package let id: LogID

    package init(_ id: LogID) { self.id = id }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 16)
        writer.put(id.high)
        writer.put(id.low)
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        id = LogID(high: try reader.number(), low: try reader.number())
        guard reader.isAtEnd else { throw .undecodable }
    }
}

/// The last frame of the log of which all changes are in the trees.
package struct MergedRow: TableRow, Equatable {
    package let mark: LogMark

    package init(upTo mark: LogMark) { self.mark = mark }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 32)
        writer.put(mark.generation)
        writer.put(mark.offset)
        writer.put(mark.byteCount)
        writer.put(mark.number)
        writer.put(mark.checksum)
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        mark = LogMark(
            generation: try reader.number(),
            offset: try reader.number(),
            byteCount: try reader.number(),
            number: try reader.number(),
            checksum: try reader.number()
        )
        guard reader.isAtEnd, mark.number < 1 << 62, mark.generation < 1 << 62 else {
            throw .undecodable
        }
    }
}
