/// Bytes that are not a protobuf message.
package struct ProtoError: Error {}

/// Reads protobuf's wire format field by field, in the order of the bytes.
///
/// Every length is checked against what is left, since the bytes come from outside.
package struct ProtoReader {
    /// One field.
    ///
    /// A number read from a field of another wire type is 0, and bytes are none.
    package struct Field {
        fileprivate enum Value {
            case varint(UInt64)
            case fixed
            case data(ArraySlice<UInt8>)
        }

        package let number: Int
        fileprivate let value: Value

        package var integer: Int64 {
            if case .varint(let value) = value { Int64(bitPattern: value) } else { 0 }
        }

        /// Its text; nil if the field has another wire type, and so is one that nobody knows.
        package var text: String? {
            get throws(ProtoError) {
                guard case .data(let value) = value else { return nil }
                guard let text = String(validating: value, as: UTF8.self) else {
                    throw ProtoError()
                }
                return text
            }
        }

        package var data: ArraySlice<UInt8> {
            if case .data(let value) = value { value } else { [] }
        }

        /// A reader of the message inside; nil if the field has another wire type.
        package var message: ProtoReader? {
            if case .data(let value) = value { ProtoReader(value) } else { nil }
        }
    }

    private var rest: ArraySlice<UInt8>

    package init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    package init(_ bytes: [UInt8]) { rest = bytes[...] }

    /// Reads the next field; nil at the end.
    package mutating func next() throws(ProtoError) -> Field? {
        guard !rest.isEmpty else { return nil }
        let key = try varint()
        let number = Int(key >> 3)
        guard key <= UInt32.max, number > 0 else { throw ProtoError() }
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
