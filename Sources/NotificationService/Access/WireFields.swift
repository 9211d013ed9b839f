internal import NotificationCore

/// Reads the fields of a message in protobuf's binary form, without its type.
struct WireFields {
    /// The value of a field.
    enum Value {
        /// A number, in whatever form.
        case number(UInt64)
        /// Bytes: a text, a message or packed numbers.
        case bytes(ArraySlice<UInt8>)
    }

    private var rest: ArraySlice<UInt8>

    /// Reads the bytes of a message.
    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next field; nil at the end.
    ///
    /// - Throws: ``AccessRefusal/malformed`` where the bytes are no fields, and for groups, which
    ///   the contract does not have.
    mutating func next() throws(AccessRefusal) -> (number: UInt64, value: Value)? {
        guard !rest.isEmpty else { return nil }
        let tag = try varint()
        guard tag >> 3 > 0 else { throw .malformed }
        switch tag & 7 {
        case 0: return (tag >> 3, .number(try varint()))
        case 1: return (tag >> 3, .number(try fixed(8)))
        case 2: return (tag >> 3, .bytes(try bytes(try varint())))
        case 5: return (tag >> 3, .number(try fixed(4)))
        default: throw .malformed
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
