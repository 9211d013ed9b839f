/// Bytes that are not a protobuf message.
struct ProtoError: Error {}

/// Reads protobuf's wire format field by field, in the order of the bytes.
///
/// Every length is checked against what is left, since the bytes come from outside.
struct ProtoReader {
    /// One field.
    ///
    /// A value read as another type than it has is that type's default.
    struct Field {
        fileprivate enum Value {
            case varint(UInt64)
            case fixed
            case data(ArraySlice<UInt8>)
        }

        let number: Int
        fileprivate let value: Value

        var integer: Int64 {
            if case .varint(let value) = value { Int64(bitPattern: value) } else { 0 }
        }

        var string: String { String(decoding: data, as: UTF8.self) }

        var data: ArraySlice<UInt8> { if case .data(let value) = value { value } else { [] } }

        /// A reader of the message inside; nil if the field has another wire type.
        var message: ProtoReader? {
            if case .data(let value) = value { ProtoReader(value) } else { nil }
        }
    }

    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Reads the next field; nil at the end.
    mutating func next() throws(ProtoError) -> Field? {
        guard !rest.isEmpty else { return nil }
        let key = try varint()
        guard let number = Int(exactly: key >> 3), number > 0 else { throw ProtoError() }
        switch key & 7 {
        case 0: return Field(number: number, value: .varint(try varint()))
        case 1: _ = try take(8)
        case 2: return Field(number: number, value: .data(try take(try varint())))
        case 5: _ = try take(4)
        default: throw ProtoError()
        }
        return Field(number: number, value: .fixed)
    }

    private mutating func take(_ count: UInt64) throws(ProtoError) -> ArraySlice<UInt8> {
        guard let count = Int(exactly: count), count <= rest.count else { throw ProtoError() }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private mutating func varint() throws(ProtoError) -> UInt64 {
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard let byte = rest.popFirst() else { throw ProtoError() }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw ProtoError()
    }
}
