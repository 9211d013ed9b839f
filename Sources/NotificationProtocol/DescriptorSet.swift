/// The descriptors of all services and messages, for reflection.
public enum DescriptorSet {
    /// A serialized `google.protobuf.FileDescriptorSet` that holds the files of `belfry.v1` and those
    /// that they import, without comments.
    ///
    /// Decoded at the first use, in less than a millisecond, and kept.
    public static let bytes: [UInt8] = decode(base64)

    /// Decodes base64 that a generator wrote: the standard alphabet, padded, without white space.
    private static func decode(_ text: String) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count / 4 * 3)
        var bits: UInt32 = 0
        var bitCount = 0
        for character in text.utf8 {
            guard let value = value(of: character) else {
                precondition(character == UInt8(ascii: "="), "not base64")
                break
            }
            bits = bits << 6 | value
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            }
        }
        return bytes
    }

    /// The six bits that a character of the standard alphabet stands for.
    private static func value(of character: UInt8) -> UInt32? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(character - UInt8(ascii: "A"))
        case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(character - UInt8(ascii: "a")) + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(character - UInt8(ascii: "0")) + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}
