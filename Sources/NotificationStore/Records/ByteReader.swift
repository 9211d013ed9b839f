internal import BelfryLMDB

/// Reads the bytes of a ``ByteWriter``, and throws `corrupted` for bytes that it cannot have
/// written.
struct ByteReader {
    private let bytes: [UInt8]
    /// The offset of the next byte.
    private(set) var offset: Int
    /// The end of the bytes that may be read.
    private let end: Int

    init(_ bytes: [UInt8], from offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
        end = bytes.count
    }

    /// Reads a row with the checksum of ``ByteWriter/sealed()``, or an older row without a
    /// checksum.
    init(row bytes: [UInt8]) throws(LMDBError) {
        self.bytes = bytes
        offset = 0
        guard let version = bytes.first, version & RowChecksum.mark != 0 else {
            end = bytes.count
            return
        }
        end = bytes.count - RowChecksum.byteCount
        guard end > 0 else { throw Self.corrupted }
        var checksum = ByteReader(bytes, from: end)
        guard try checksum.number() == RowChecksum.of(bytes, count: end) else {
            throw Self.changed
        }
    }

    static let corrupted = LMDBError(
        code: LMDBError.invalidEntry,
        operation: "a row does not decode"
    )

    /// The row's checksum is wrong: the row is not as it was written, although it may still decode.
    static let changed = LMDBError(
        code: LMDBError.invalidEntry,
        operation: "a row's checksum is wrong"
    )

    var isAtEnd: Bool { offset == end }

    /// The bytes that are not yet read.
    var rest: [UInt8] { Array(bytes[offset..<end]) }

    /// Reads the version at the beginning of a row.
    mutating func version(upTo newest: UInt8) throws(LMDBError) -> UInt8 {
        let version = try number(UInt8.self) & ~RowChecksum.mark
        guard (1...newest).contains(version) else { throw Self.corrupted }
        return version
    }

    mutating func number<Number: FixedWidthInteger>(
        _: Number.Type = Number.self
    ) throws(LMDBError) -> Number {
        let next = offset + Number.bitWidth / 8
        guard next <= end else { throw Self.corrupted }
        var value: Number = 0
        while offset < next {
            value = (value << 8) | Number(truncatingIfNeeded: bytes[offset])
            offset += 1
        }
        return value
    }

    mutating func bool() throws(LMDBError) -> Bool {
        switch try number(UInt8.self) {
        case 0: false
        case 1: true
        default: throw Self.corrupted
        }
    }

    mutating func double() throws(LMDBError) -> Double {
        Double(bitPattern: try number())
    }

    mutating func varint() throws(LMDBError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 64 {
            let byte = try number(UInt8.self)
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw Self.corrupted
    }

    /// Reads a varint that is a count.
    mutating func count() throws(LMDBError) -> Int {
        guard let count = Int(exactly: try varint()) else { throw Self.corrupted }
        return count
    }

    mutating func text() throws(LMDBError) -> String {
        let count = try count()
        guard count <= end - offset else { throw Self.corrupted }
        defer { offset += count }
        return String(decoding: bytes[offset..<offset + count], as: UTF8.self)
    }

    /// Reads `count` bytes as they are.
    mutating func bytes(_ count: Int) throws(LMDBError) -> [UInt8] {
        guard count <= end - offset else { throw Self.corrupted }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    mutating func optional<Value>(
        _ read: (inout ByteReader) throws(LMDBError) -> Value
    ) throws(LMDBError) -> Value? {
        try bool() ? try read(&self) : nil
    }

    /// Reads a stored enumeration; an unknown number is corruption.
    mutating func choice<Choice: RawRepresentable>(
        _: Choice.Type = Choice.self
    ) throws(LMDBError) -> Choice where Choice.RawValue == UInt8 {
        guard let value = Choice(rawValue: try number()) else { throw Self.corrupted }
        return value
    }
}
