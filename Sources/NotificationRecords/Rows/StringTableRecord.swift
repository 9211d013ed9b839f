internal import BelfryLMDB
package import NotificationCore

/// The texts of an app in one language as the `string_tables` table keeps them; the key holds the
/// app and the language.
///
/// After the version and the number of texts come the places of the texts, four bytes each, in the
/// order of the keys' bytes; then the texts themselves. So one text is found by binary search in
/// the mapped bytes, which reads only some keys of the other texts.
package struct StringTableRecord: TableRow, Sendable {
    package let bytes: [UInt8]

    package init(_ strings: [ExactText: LocalizedString]) { bytes = Self.bytes(of: strings) }

    /// Takes a row as it is: its texts are read one at a time.
    package init(_ bytes: [UInt8]) throws(RowProblem) { self.bytes = bytes }

    /// Bytes before the places.
    private static let headBytes = 5
    /// Bytes of a place, and of the length before a key.
    private static let numberBytes = 4

    private static func bytes(of strings: [ExactText: LocalizedString]) -> [UInt8] {
        let strings = strings.sorted { $0.key < $1.key }
        let texts = strings.map { Self.entry($0.key.text, $0.value) }
        var place = headBytes + texts.count * numberBytes
        let end = place + texts.reduce(0) { $0 + $1.count }
        var writer = ByteWriter(rowCapacity: end)
        writer.put(UInt32(texts.count))
        for text in texts {
            writer.put(UInt32(place))
            place += text.count
        }
        for text in texts { writer.put(bytes: text) }
        return writer.sealed()
    }

    private static func entry(_ key: String, _ string: LocalizedString) -> [UInt8] {
        var writer = ByteWriter(capacity: 16 + key.utf8.count + string.byteCount)
        writer.put(UInt32(key.utf8.count))
        writer.put(bytes: key.utf8)
        switch string {
        case .text(let text):
            writer.put(UInt8(1))
            writer.put(text)
        case .plural(let forms):
            writer.put(UInt8(2))
            for form in forms.all { writer.put(form) }
        }
        return writer.bytes
    }

    // MARK: One of them

    /// Finds the text of a key in a record; nil where the record has no such key.
    ///
    /// The checksum covers the whole record, and is not checked when one text is read.
    ///
    /// - Complexity: O(log *n*) comparisons of keys; allocates only for the text that is found.
    package static func string(
        _ key: [UInt8],
        in record: RawSpan
    ) throws(RowProblem) -> LocalizedString? {
        let record = record.extracting(0..<(try end(of: record)))
        let count = try count(in: record)
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            let entry = try entry(middle, of: count, in: record)
            let keyCount = try keyCount(of: entry, in: record)
            let keyStart = entry.lowerBound + numberBytes
            let common = (0..<min(keyCount, key.count)).first { key[$0] != record[keyStart + $0] }
            if let common {
                let isBefore = key[common] < record[keyStart + common]
                if isBefore { high = middle } else { low = middle + 1 }
            } else if key.count < keyCount {
                high = middle
            } else if key.count > keyCount {
                low = middle + 1
            } else {
                let rest = record.extracting(keyStart + keyCount..<entry.upperBound)
                var reader = ByteReader([UInt8](copying: rest))
                return try string(&reader)
            }
        }
        return nil
    }

    /// How many texts a record has; its checksum is not checked.
    package static func textCount(of record: RawSpan) throws(RowProblem) -> Int {
        try count(in: record.extracting(0..<(try end(of: record))))
    }

    /// The end of a record's texts: before its checksum.
    private static func end(of record: RawSpan) throws(RowProblem) -> Int {
        guard record.byteCount >= headBytes + RowChecksum.byteCount,
            record[0] == RowVersion.current
        else { throw .undecodable }
        return record.byteCount - RowChecksum.byteCount
    }

    private static func count(in record: RawSpan) throws(RowProblem) -> Int {
        let count = Int(record.bigEndian(UInt32.self, at: 1))
        guard count <= (record.byteCount - headBytes) / numberBytes else {
            throw .undecodable
        }
        return count
    }

    /// The place of a text and its key.
    private static func entry(
        _ index: Int,
        of count: Int,
        in record: RawSpan
    ) throws(RowProblem) -> Range<Int> {
        func place(_ index: Int) -> Int {
            Int(record.bigEndian(UInt32.self, at: headBytes + index * numberBytes))
        }
        let start = place(index)
        let end = index + 1 < count ? place(index + 1) : record.byteCount
        guard headBytes + count * numberBytes <= start, start + numberBytes <= end,
            end <= record.byteCount
        else { throw .undecodable }
        return start..<end
    }

    private static func keyCount(
        of entry: Range<Int>,
        in record: RawSpan
    ) throws(RowProblem) -> Int {
        let count = Int(record.bigEndian(UInt32.self, at: entry.lowerBound))
        guard count <= entry.count - numberBytes else { throw .undecodable }
        return count
    }

    private static func string(_ reader: inout ByteReader) throws(RowProblem) -> LocalizedString {
        switch try reader.number(UInt8.self) {
        case 1: .text(try reader.text())
        case 2:
            .plural(
                PluralForms(
                    zero: try reader.text(),
                    one: try reader.text(),
                    two: try reader.text(),
                    few: try reader.text(),
                    many: try reader.text(),
                    other: try reader.text()
                )
            )
        default: throw .undecodable
        }
    }

    // MARK: All of them

    /// Reads a whole record, whose texts have to follow each other in the order of their keys.
    package static func strings(
        _ bytes: [UInt8]
    ) throws(RowProblem) -> [(key: [UInt8], LocalizedString)] {
        var reader = try ByteReader(row: bytes)
        let count = Int(try reader.number(UInt32.self))
        // A damaged count could ask for more memory than there is.
        guard count <= bytes.count / numberBytes else { throw .undecodable }
        var places: [Int] = []
        for _ in 0..<count { places.append(Int(try reader.number(UInt32.self))) }
        var strings: [(key: [UInt8], LocalizedString)] = []
        for place in places {
            guard place == reader.offset else { throw .undecodable }
            let key = try reader.bytes(Int(try reader.number(UInt32.self)))
            let isNext = strings.last.map { $0.key.lexicographicallyPrecedes(key) } ?? true
            guard isNext else { throw .undecodable }
            strings.append((key, try string(&reader)))
        }
        guard reader.isAtEnd else { throw .undecodable }
        return strings
    }
}
