/// A JSON value, as far as the payload of a push is read.
enum JSONValue: Equatable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONValue])
    /// The keys in their order. The last value of a key that comes twice counts: no table is
    /// built of keys from outside.
    case object([(key: String, value: JSONValue)])

    /// The value of an object's key; nil where there is no such key, or no object.
    subscript(key: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.key.utf8.elementsEqual(key.utf8) }?.value
    }

    /// The text; nil where it is no string.
    var text: String? {
        if case .string(let text) = self { return text }
        return nil
    }

    /// The number; nil where it is none.
    var number: Double? {
        if case .number(let number) = self { return number }
        return nil
    }

    /// Whether a flag is set: 1, true and "1" are in use (PAY-2).
    var isSet: Bool {
        switch self {
        case .bool(let bool): bool
        case .number(let number): number == 1
        case .string(let text): text == "1"
        case .null, .array, .object: false
        }
    }

    static func == (one: JSONValue, other: JSONValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.bool(let one), .bool(let other)): one == other
        case (.number(let one), .number(let other)): one == other
        case (.string(let one), .string(let other)): one.utf8.elementsEqual(other.utf8)
        case (.array(let one), .array(let other)): one == other
        case (.object(let one), .object(let other)):
            one.elementsEqual(other) { $0.key == $1.key && $0.value == $1.value }
        default: false
        }
    }
}

/// Reads a text that ``JSONObjectCheck`` found to be one JSON object, so that nothing is missing
/// and the nesting is bounded.
struct JSONReader {
    private let bytes: [UInt8]
    private var offset = 0

    /// Reads the object of a text.
    ///
    /// - Throws: What is wrong with the text.
    /// - Complexity: O(bytes); its recursion is bounded by ``Limits/userInfoDepth``.
    static func object(_ text: String) throws(JSONObjectCheck.Fault) -> JSONValue {
        try JSONObjectCheck.check(text)
        var reader = JSONReader(bytes: Array(text.utf8))
        return reader.value()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    /// The next byte that is no white space; 0 at the end, where the check let nothing end.
    private mutating func peek() -> UInt8 {
        while offset < bytes.count, [0x20, 0x0A, 0x0D, 0x09].contains(bytes[offset]) { offset += 1 }
        return offset < bytes.count ? bytes[offset] : 0
    }

    private mutating func value() -> JSONValue {
        switch peek() {
        case UInt8(ascii: "{"):
            var members: [(key: String, value: JSONValue)] = []
            items(until: UInt8(ascii: "}")) { reader in
                _ = reader.peek()
                let key = reader.string()
                _ = reader.peek()
                reader.offset += 1
                members.append((key, reader.value()))
            }
            return .object(members)
        case UInt8(ascii: "["):
            var values: [JSONValue] = []
            items(until: UInt8(ascii: "]")) { values.append($0.value()) }
            return .array(values)
        case UInt8(ascii: "\""): return .string(string())
        case UInt8(ascii: "t"): return word(.bool(true), count: 4)
        case UInt8(ascii: "f"): return word(.bool(false), count: 5)
        case UInt8(ascii: "n"): return word(.null, count: 4)
        default: return number()
        }
    }

    /// Reads what is between two brackets, with commas between.
    private mutating func items(until end: UInt8, _ item: (inout JSONReader) -> Void) {
        offset += 1
        while offset < bytes.count, peek() != end {
            item(&self)
            if peek() == UInt8(ascii: ",") { offset += 1 }
        }
        offset += 1
    }

    private mutating func word(_ value: JSONValue, count: Int) -> JSONValue {
        offset += count
        return value
    }

    private mutating func number() -> JSONValue {
        let start = offset
        while offset < bytes.count, "+-.eE0123456789".utf8.contains(bytes[offset]) { offset += 1 }
        // A number that a Double does not hold is infinite, and clamped like a large one.
        return .number(Double(String(decoding: bytes[start..<offset], as: UTF8.self)) ?? 0)
    }

    private mutating func string() -> String {
        offset += 1
        var text: [UInt8] = []
        while offset < bytes.count, bytes[offset] != UInt8(ascii: "\"") {
            let byte = bytes[offset]
            offset += 1
            if byte == UInt8(ascii: "\\") { escape(into: &text) } else { text.append(byte) }
        }
        offset += 1
        return String(decoding: text, as: UTF8.self)
    }

    private mutating func escape(into text: inout [UInt8]) {
        let byte = bytes[offset]
        offset += 1
        switch byte {
        case UInt8(ascii: "b"): text.append(0x08)
        case UInt8(ascii: "f"): text.append(0x0C)
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"): text += unit().utf8
        default: text.append(byte)
        }
    }

    /// Reads the character of a `\u` escape, or of two of them; half a pair is U+FFFD.
    private mutating func unit() -> String {
        var units = [digits()]
        if UTF16.isLeadSurrogate(units[0]), offset + 6 <= bytes.count,
            bytes[offset] == UInt8(ascii: "\\"), bytes[offset + 1] == UInt8(ascii: "u")
        {
            let before = offset
            offset += 2
            let trail = digits()
            if UTF16.isTrailSurrogate(trail) { units.append(trail) } else { offset = before }
        }
        return String(decoding: units, as: UTF16.self)
    }

    private mutating func digits() -> UInt16 {
        defer { offset += 4 }
        let text = String(decoding: bytes[offset..<min(offset + 4, bytes.count)], as: UTF8.self)
        return UInt16(text, radix: 16) ?? 0xFFFD
    }
}
