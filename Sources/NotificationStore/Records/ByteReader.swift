internal import LMDB

/// Reads what ``ByteWriter`` wrote, and throws `corrupted` where it cannot have been written so.
struct ByteReader {
    private let bytes: [UInt8]
    /// Where what is next begins.
    private(set) var offset: Int

    init(_ bytes: [UInt8], from offset: Int = 0) {
        self.bytes = bytes
        self.offset = offset
    }

    static let corrupted = LMDBError(
        code: LMDBError.invalidEntry,
        operation: "a row does not decode"
    )

    var isAtEnd: Bool { offset == bytes.count }

    /// The bytes that are not yet read.
    var rest: [UInt8] { Array(bytes[offset...]) }

    mutating func number<Number: FixedWidthInteger>(
        _: Number.Type = Number.self
    ) throws(LMDBError) -> Number {
        let end = offset + Number.bitWidth / 8
        guard end <= bytes.count else { throw Self.corrupted }
        var value: Number = 0
        while offset < end {
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

    /// Reads a varint that counts something.
    mutating func count() throws(LMDBError) -> Int {
        guard let count = Int(exactly: try varint()) else { throw Self.corrupted }
        return count
    }

    mutating func text() throws(LMDBError) -> String {
        let count = try count()
        guard count <= bytes.count - offset else { throw Self.corrupted }
        defer { offset += count }
        return String(decoding: bytes[offset..<offset + count], as: UTF8.self)
    }

    /// Reads so many bytes as they are.
    mutating func bytes(_ count: Int) throws(LMDBError) -> [UInt8] {
        guard count <= bytes.count - offset else { throw Self.corrupted }
        defer { offset += count }
        return Array(bytes[offset..<offset + count])
    }

    mutating func optional<Value>(
        _ read: (inout ByteReader) throws(LMDBError) -> Value
    ) throws(LMDBError) -> Value? {
        try bool() ? try read(&self) : nil
    }

    /// Reads a stored enumeration; a number that it does not have is corruption.
    mutating func choice<Choice: RawRepresentable>(
        _: Choice.Type = Choice.self
    ) throws(LMDBError) -> Choice where Choice.RawValue == UInt8 {
        guard let value = Choice(rawValue: try number()) else { throw Self.corrupted }
        return value
    }
}
