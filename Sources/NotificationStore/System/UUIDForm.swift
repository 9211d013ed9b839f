/// UUIDs as text, as RFC 9562 writes them.
package enum UUIDForm {
    private static let groups = [8, 4, 4, 4, 12]

    /// The text of sixteen bytes.
    package static func text(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (place, byte) in bytes.enumerated() {
            if place == 4 || place == 6 || place == 8 || place == 10 {
                text.append(UInt8(ascii: "-"))
            }
            text.appendHexadecimal(byte)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The sixteen bytes of a UUID's text, in capitals or not; nil for any other text.
    package static func bytes(of text: String) -> [UInt8]? {
        guard text.utf8.count == 36 else { return nil }
        let parts = text.utf8.split(
            separator: UInt8(ascii: "-"),
            omittingEmptySubsequences: false
        )
        guard parts.map(\.count) == groups else { return nil }
        let nibbles = parts.joined().compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard nibbles.count == 32 else { return nil }
        return stride(from: 0, to: 32, by: 2).map { UInt8(nibbles[$0] << 4 | nibbles[$0 + 1]) }
    }
}
