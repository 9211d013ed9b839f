public import BelfryLMDB
public import NotificationCore

/// Writes a persisted record: big-endian numbers, and text with its length before it.
///
/// Its generic methods are inlinable: other targets write replies and keys, in each call.
@usableFromInline
package struct ByteWriter {
    @usableFromInline
    package internal(set) var bytes: [UInt8]

    /// Begins with room for some bytes.
    package init(capacity: Int = 64) {
        bytes = []
        bytes.reserveCapacity(capacity)
    }

    /// Begins a row with its version; ``sealed()`` ends the row.
    package init(rowCapacity capacity: Int) {
        self.init(capacity: 1 + capacity + RowChecksum.byteCount)
        put(RowVersion.current)
    }

    /// The row that was written, with its checksum.
    package consuming func sealed() -> [UInt8] {
        put(RowChecksum.of(bytes, count: bytes.count))
        return bytes
    }

    /// Writes a big-endian integer.
    @inlinable
    package mutating func put(_ value: some FixedWidthInteger) {
        bytes.append(bigEndian: value)
    }

    @inlinable
    package mutating func put(_ number: some SerialNumber) { put(number.rawValue) }

    @usableFromInline
    package mutating func put(_ value: Bool) { bytes.append(value ? 1 : 0) }

    package mutating func put(_ value: Double) { put(value.bitPattern) }

    /// Writes seven bits in each byte, the lowest first: most counts and lengths are one byte.
    package mutating func putVarint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Writes a text with its length before it.
    package mutating func put(_ text: String) {
        putVarint(UInt64(text.utf8.count))
        // Most texts of a request are empty.
        if !text.isEmpty { bytes.append(contentsOf: text.utf8) }
    }

    /// How many bytes were written.
    var count: Int { bytes.count }

    /// Writes a number in place of one that was written before.
    mutating func replace(_ number: UInt32, at place: Int) {
        for offset in 0..<4 {
            bytes[place + offset] = UInt8(truncatingIfNeeded: number >> UInt32(24 - 8 * offset))
        }
    }

    /// Writes bytes without their number, which the reader has to know.
    @inlinable
    package mutating func put(bytes: some Sequence<UInt8>) { self.bytes.append(contentsOf: bytes) }

    /// Writes the bytes of an array without a reference to it, which the hot path would count.
    @usableFromInline
    package mutating func put(bytes: [UInt8]) {
        self.bytes.append(copying: bytes, 0..<bytes.count)
    }

    /// Writes whether there is a value, then the value.
    @inlinable
    package mutating func put<Value>(_ value: Value?, _ write: (inout ByteWriter, Value) -> Void) {
        put(value != nil)
        if let value { write(&self, value) }
    }
}
