/// The bytes of keys that are two numbers.
///
/// Keys with a type parameter call these functions, which have none: other targets then build keys
/// without generic code.
@usableFromInline
package enum NumberPair {
    /// The bytes of a center's number and a row's number.
    @usableFromInline
    package static func bytes(_ first: UInt32, _ second: UInt64) -> [UInt8] {
        var writer = ByteWriter(capacity: 12)
        writer.put(first)
        writer.put(second)
        return writer.bytes
    }

    @usableFromInline
    package static func bytes(_ first: Int64, _ second: UInt64) -> [UInt8] {
        var writer = ByteWriter(capacity: 16)
        writer.put(first)
        writer.put(second)
        return writer.bytes
    }

    @usableFromInline
    package static func read(_ bytes: [UInt8]) throws(RowProblem) -> (UInt32, UInt64) {
        guard bytes.count == 12 else { throw .undecodable }
        var reader = ByteReader(bytes)
        return (try reader.number(), try reader.number())
    }

    @usableFromInline
    package static func read(_ bytes: [UInt8]) throws(RowProblem) -> (Int64, UInt64) {
        guard bytes.count == 16 else { throw .undecodable }
        var reader = ByteReader(bytes)
        return (try reader.number(), try reader.number())
    }
}
