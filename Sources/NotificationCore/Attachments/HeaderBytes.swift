/// Bytes of a file from outside: whatever they hold, nothing beyond their end is read.
struct HeaderBytes {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    var count: Int { bytes.count }

    /// The big-endian number at `offset`; nil where the bytes end before it does.
    func number<Number: FixedWidthInteger>(
        _: Number.Type = Number.self,
        at offset: Int
    ) -> Number? {
        let size = Number.bitWidth / 8
        guard let range = range(at: offset, count: size) else { return nil }
        var value: Number = 0
        for byte in bytes[range] { value = value << 8 | Number(truncatingIfNeeded: byte) }
        return value
    }

    /// The little-endian number at `offset`; nil where the bytes end before it does.
    func littleEndian<Number: FixedWidthInteger>(
        _: Number.Type = Number.self,
        at offset: Int
    ) -> Number? {
        number(Number.self, at: offset)?.byteSwapped
    }

    /// The four characters at `offset`, such as a chunk's name; nil where the bytes end before.
    func text(at offset: Int) -> String? {
        range(at: offset, count: 4).map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    func hasText(_ text: String, at offset: Int) -> Bool {
        guard let range = range(at: offset, count: text.utf8.count) else { return false }
        return bytes[range].elementsEqual(text.utf8)
    }

    func starts(with prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }

    private func range(at offset: Int, count: Int) -> Range<Int>? {
        guard offset >= 0, offset <= bytes.count, count <= bytes.count - offset else { return nil }
        return offset..<offset + count
    }
}
