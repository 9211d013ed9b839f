internal import Faults
internal import NotificationCore

/// Bytes that the scanner leaves to the full decoder: they are unusual, or wrong.
struct Unfamiliar: Error {}

/// Reads the fields of a message in protobuf's binary form where they lie.
///
/// It reads less than there may be: an unusual form is ``Unfamiliar``, as a wrong one is. Where it
/// gives a value, the full decoder gives the same. After ``nextField()`` comes one call of a method
/// that reads the field's value.
struct WireScanner {
    private enum Form: UInt8 {
        case varint = 0
        case fixed64 = 1
        case bytes = 2
    }

    private let bytes: [UInt8]
    private var offset: Int
    private let end: Int
    private var form = Form.varint

    init(_ bytes: [UInt8]) { self.init(bytes, 0..<bytes.count) }

    private init(_ bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    /// Whether the message has no more bytes.
    var isAtEnd: Bool { offset == end }

    /// Reads the number of the next field; nil at the end of the message.
    ///
    /// - Throws: ``Unfamiliar`` for a number or a form that no field of an `Add` has.
    mutating func nextField() throws(Unfamiliar) -> Int? {
        guard !isAtEnd else { return nil }
        var tag = Int(try byte())
        if tag >= 0x80 {
            let high = Int(try byte())
            guard high < 0x80 else { throw Unfamiliar() }
            tag = tag & 0x7F | high << 7
        }
        guard let form = Form(rawValue: UInt8(tag & 7)) else { throw Unfamiliar() }
        self.form = form
        return tag >> 3
    }

    /// Reads a varint field, of which the field's type takes the low bits.
    mutating func number() throws(Unfamiliar) -> UInt64 {
        guard form == .varint else { throw Unfamiliar() }
        return try varint()
    }

    /// Reads an enumeration's field, whose numbers are the core's.
    mutating func choice<Choice: RawRepresentable<UInt8>>() throws(Unfamiliar) -> Choice {
        guard let number = UInt8(exactly: Int32(truncatingIfNeeded: try number())),
            let choice = Choice(rawValue: number)
        else { throw Unfamiliar() }
        return choice
    }

    mutating func double() throws(Unfamiliar) -> Double {
        guard form == .fixed64, end - offset >= 8 else { throw Unfamiliar() }
        var bits: UInt64 = 0
        for index in (offset..<offset + 8).reversed() { bits = bits << 8 | UInt64(bytes[index]) }
        offset += 8
        return Double(bitPattern: bits)
    }

    /// Reads a text, which is UTF-8.
    mutating func text() throws(Unfamiliar) -> String {
        let range = try range()
        if Fault.scannedTextNotChecked.isPlanted {
            return String(decoding: bytes[range], as: UTF8.self)
        }
        do {
            return String(copying: try UTF8Span(validating: bytes.span.extracting(range)))
        } catch {
            throw Unfamiliar()
        }
    }

    /// Reads a message's frame, to scan its fields.
    mutating func message() throws(Unfamiliar) -> WireScanner { WireScanner(bytes, try range()) }

    /// Reads numbers of a list, packed or the next one alone, and gives each to `body`.
    mutating func numbers(_ body: (UInt64) throws(Unfamiliar) -> Void) throws(Unfamiliar) {
        guard form == .bytes else { return try body(try number()) }
        var packed = try message()
        while !packed.isAtEnd { try body(try packed.varint()) }
    }

    private mutating func byte() throws(Unfamiliar) -> UInt8 {
        guard offset < end else { throw Unfamiliar() }
        defer { offset += 1 }
        return bytes[offset]
    }

    private mutating func varint() throws(Unfamiliar) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            let byte = try byte()
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw Unfamiliar()
    }

    private mutating func range() throws(Unfamiliar) -> Range<Int> {
        guard form == .bytes else { throw Unfamiliar() }
        let count = try varint()
        guard count <= UInt64(end - offset) else { throw Unfamiliar() }
        defer { offset += Int(count) }
        return offset..<offset + Int(count)
    }
}
