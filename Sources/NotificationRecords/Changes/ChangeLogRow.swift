/// A row of the log of changes: some changes of one batch, in their order.
package struct ChangeLogRow: TableRow {
    struct Entry: Equatable {
        var table: LaggingTable
        var key: [UInt8]
        var change: Change
    }

    let entries: [Entry]

    private static let deletionMark: UInt8 = 0x80
    /// From so many bytes on a row takes no further change: two rows of the size fill a page.
    private static let fullByteCount = 1_700

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: Self.fullByteCount)
        for entry in entries { Self.write(entry, to: &writer) }
        return writer.sealed()
    }

    private static func write(_ entry: Entry, to writer: inout ByteWriter) {
        switch entry.change {
        case .put(let row):
            writer.put(entry.table.rawValue)
            writer.putVarint(UInt64(entry.key.count))
            writer.put(bytes: entry.key)
            writer.putVarint(UInt64(row.count))
            writer.put(bytes: row)
        case .deletion:
            writer.put(entry.table.rawValue | deletionMark)
            writer.putVarint(UInt64(entry.key.count))
            writer.put(bytes: entry.key)
        }
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        var entries: [Entry] = []
        while !reader.isAtEnd {
            let mark = try reader.number(UInt8.self)
            guard let table = LaggingTable(rawValue: mark & ~Self.deletionMark) else {
                throw .undecodable
            }
            let key = try reader.bytes(try reader.count())
            guard (1...511).contains(key.count) else { throw .undecodable }
            let isDeletion = mark & Self.deletionMark != 0
            let change: Change =
                isDeletion ? .deletion : .put(try reader.bytes(try reader.count()))
            entries.append(Entry(table: table, key: key, change: change))
        }
        self.entries = entries
    }

    /// The rows of the log that one batch writes.
    struct Rows {
        private var full: [[UInt8]] = []
        private var last: ByteWriter?
        private(set) var changeCount = 0

        /// Adds a change behind all others.
        mutating func append(_ entry: Entry) {
            var writer =
                last.take()
                ?? ByteWriter(rowCapacity: ChangeLogRow.fullByteCount)
            ChangeLogRow.write(entry, to: &writer)
            changeCount += 1
            if writer.bytes.count < ChangeLogRow.fullByteCount {
                last = writer
            } else {
                full.append(writer.sealed())
            }
        }

        var bytes: [[UInt8]] { last.map { full + [$0.sealed()] } ?? full }
    }
}
