internal import BelfryLMDB
package import NotificationCore

/// Reads the bytes of a ``ByteWriter``, and throws ``RowProblem/undecodable`` for bytes
/// that it cannot have written.
package struct ByteReader {
    private let bytes: [UInt8]
    private var place: Int
    /// The end of the bytes that may be read.
    private let end: Int

    package init(_ bytes: [UInt8], from offset: Int = 0) {
        self.bytes = bytes
        place = offset
        end = bytes.count
    }

    /// Reads a row of ``ByteWriter/init(rowCapacity:)``: checks its checksum and its version.
    package init(row bytes: [UInt8]) throws(RowProblem) {
        self.bytes = bytes
        place = 1
        end = bytes.count - RowChecksum.byteCount
        guard end > 0 else { throw .undecodable }
        var checksum = ByteReader(bytes, from: end)
        guard try checksum.number() == RowChecksum.of(bytes, count: end) else {
            throw .changed
        }
        guard bytes[0] == RowVersion.current else { throw .undecodable }
    }

    package var offset: Int { place }

    package var isAtEnd: Bool { place == end }

    package var rest: [UInt8] { Array(bytes[place..<end]) }

    /// Reads all bytes up to the end.
    package mutating func takeRest() -> [UInt8] {
        defer { place = end }
        return rest
    }

    /// Reads a big-endian integer.
    package mutating func number<Number: FixedWidthInteger>(
        _: Number.Type = Number.self
    ) throws(RowProblem) -> Number {
        let next = place + Number.bitWidth / 8
        guard next <= end else { throw .undecodable }
        defer { place = next }
        // Safety: every byte of an array of bytes is initialized.
        let span = unsafe bytes.span.bytes
        switch Number.bitWidth {
        case 8: return Number(truncatingIfNeeded: span[place])
        case 32: return Number(truncatingIfNeeded: span.bigEndian(UInt32.self, at: place))
        case 64: return Number(truncatingIfNeeded: span.bigEndian(UInt64.self, at: place))
        default:
            var value: Number = 0
            for offset in place..<next {
                value = (value << 8) | Number(truncatingIfNeeded: span[offset])
            }
            return value
        }
    }

    package mutating func serial<Number: SerialNumber>(
        _: Number.Type = Number.self
    ) throws(RowProblem) -> Number {
        Number(rawValue: try number())
    }

    package mutating func bool() throws(RowProblem) -> Bool {
        switch try number(UInt8.self) {
        case 0: false
        case 1: true
        default: throw .undecodable
        }
    }

    package mutating func double() throws(RowProblem) -> Double {
        Double(bitPattern: try number())
    }

    /// Reads a number with seven bits in each byte.
    package mutating func varint() throws(RowProblem) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64 {
            let byte = try number(UInt8.self)
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw .undecodable
    }

    package mutating func count() throws(RowProblem) -> Int {
        guard let count = Int(exactly: try varint()) else { throw .undecodable }
        return count
    }

    /// Reads a text with its length before it.
    package mutating func text() throws(RowProblem) -> String {
        let count = try count()
        guard count > 0 else { return "" }
        guard count <= end - place else { throw .undecodable }
        defer { place += count }
        return String(decoding: bytes[place..<place + count], as: UTF8.self)
    }

    package mutating func bytes(_ count: Int) throws(RowProblem) -> [UInt8] {
        guard count <= end - place else { throw .undecodable }
        defer { place += count }
        return Array(bytes[place..<place + count])
    }

    /// Reads a value, or nil where none was written.
    package mutating func optional<Value>(
        _ read: (inout ByteReader) throws(RowProblem) -> Value
    ) throws(RowProblem) -> Value? {
        try bool() ? try read(&self) : nil
    }

    /// Reads a stored enumeration; an unknown number is corruption.
    package mutating func choice<Choice: RawRepresentable>(
        _: Choice.Type = Choice.self
    ) throws(RowProblem) -> Choice where Choice.RawValue == UInt8 {
        guard let value = Choice(rawValue: try number()) else { throw .undecodable }
        return value
    }
}
