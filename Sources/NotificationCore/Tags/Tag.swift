/// The form of a tag, which a provider sets on the registration of a device (AZ-2).
///
/// Case matters (D-13). Tags are ASCII, so equal texts are the same bytes.
package enum Tag {
    /// Bytes of a tag (AZ-2).
    package static let byteLimit = 120
    /// Tags of one device (AZ-2).
    package static let countLimit = 60

    /// Whether `text` is 1-120 of `A-Z a-z 0-9 _ @ # . : -`.
    package static func isTag(_ text: String) -> Bool {
        CenterName.isName(text, atMost: byteLimit, extra: "_@#.:-")
    }

    /// Whether a byte may stand in a tag.
    static func isByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "_@#.:-".utf8.contains(byte)
        }
    }
}
