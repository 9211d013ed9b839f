/// Writes protobuf's wire format, for the few standard messages that this target speaks itself.
///
/// Fields whose value is the default are left out, as proto3 has it.
package struct ProtoWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Writes an `int32`, `int64`, `bool` or enum field.
    package mutating func integer(_ number: Int, _ value: Int64) {
        guard value != 0 else { return }
        element(number, value)
    }

    /// Writes one element of a repeated integer field, which counts also when it is zero.
    package mutating func element(_ number: Int, _ value: Int64) {
        key(number, wireType: 0)
        varint(UInt64(bitPattern: value))
    }

    /// Writes a `string` field.
    package mutating func string(_ number: Int, _ value: String) {
        guard !value.isEmpty else { return }
        data(number, Array(value.utf8))
    }

    /// Writes a `bytes` field, also when it is empty: an element of a repeated field counts.
    package mutating func data(_ number: Int, _ value: [UInt8]) {
        key(number, wireType: 2)
        varint(UInt64(value.count))
        bytes += value
    }

    /// Writes a message field with what `body` writes.
    package mutating func message(_ number: Int, _ body: (inout ProtoWriter) -> Void) {
        var inner = ProtoWriter()
        body(&inner)
        data(number, inner.bytes)
    }

    private mutating func key(_ number: Int, wireType: UInt64) {
        varint(UInt64(number) << 3 | wireType)
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }
}
