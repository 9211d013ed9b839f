extension Sequence<UInt8> {
    /// Two digits for each byte, as `sha256sum` prints them.
    package var hexadecimal: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * underestimatedCount)
        for byte in self { digits.appendHexadecimal(byte) }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension [UInt8] {
    private static let digits = Array("0123456789abcdef".utf8)

    /// Appends the two digits of a byte, as text.
    mutating func appendHexadecimal(_ byte: UInt8) {
        append(Self.digits[Int(byte >> 4)])
        append(Self.digits[Int(byte & 0x0F)])
    }
}
