extension Sequence<UInt8> {
    /// Two digits for each byte, as `sha256sum` prints them.
    var hexadecimal: String {
        map { byte in (byte < 16 ? "0" : "") + String(byte, radix: 16) }.joined()
    }
}
