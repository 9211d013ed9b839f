internal import NotificationCore

/// Reads the fields of a message in protobuf's binary form, without its type.
struct WireFields {
    enum Value {
        /// A number, in whatever form.
        case number(UInt64)
        /// Bytes: a text, a message or packed numbers.
        case bytes(ArraySlice<UInt8>)
        /// A group, which no message of the contract has.
        case group
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// How deep groups may be in each other, as in the library that the handlers read with.
    private static let groupDepth = 100

    /// The next field; nil at the end.
    ///
    /// - Throws: ``AccessRefusal/malformed`` where the bytes are no fields.
    mutating func next() throws(AccessRefusal) -> (number: UInt64, value: Value)? {
        guard !rest.isEmpty else { return nil }
        let (number, form) = try tag()
        guard form == 3 else { return (number, try value(form)) }
        try skipGroup(number)
        return (number, .group)
    }

    private mutating func tag() throws(AccessRefusal) -> (number: UInt64, form: UInt64) {
        let tag = try varint()
        guard tag >> 3 > 0, tag <= UInt32.max else { throw .malformed }
        return (tag >> 3, tag & 7)
    }

    private mutating func value(_ form: UInt64) throws(AccessRefusal) -> Value {
        switch form {
        case 0: return .number(try varint())
        case 1: return .number(try fixed(8))
        case 2: return .bytes(try bytes(try varint()))
        case 5: return .number(try fixed(4))
        default: throw .malformed
        }
    }

    private mutating func skipGroup(_ number: UInt64) throws(AccessRefusal) {
        var open = [number]
        while let innermost = open.last {
            let (number, form) = try tag()
            switch form {
            case 3:
                guard open.count < Self.groupDepth else { throw .malformed }
                open.append(number)
            case 4:
                guard number == innermost else { throw .malformed }
                open.removeLast()
            default: _ = try value(form)
            }
        }
    }

    private mutating func varint() throws(AccessRefusal) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst() else { throw .malformed }
            value |= UInt64(byte & 0x7f) << shift
            if byte < 0x80 { return value }
        }
        throw .malformed
    }

    private mutating func fixed(_ count: UInt64) throws(AccessRefusal) -> UInt64 {
        try bytes(count).reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func bytes(_ count: UInt64) throws(AccessRefusal) -> ArraySlice<UInt8> {
        guard count <= UInt64(rest.count) else { throw .malformed }
        defer { rest = rest.dropFirst(Int(count)) }
        return rest.prefix(Int(count))
    }
}
