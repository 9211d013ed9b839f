/// UUIDs as text, as RFC 9562 writes them.
package enum UUIDForm {
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
        var bytes: [UInt8] = []
        bytes.reserveCapacity(16)
        var high: UInt8?
        for (place, character) in text.utf8.enumerated() {
            if place == 8 || place == 13 || place == 18 || place == 23 {
                guard character == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = UInt8(hexadecimalDigit: character) else { return nil }
            if let first = high.take() {
                bytes.append(first << 4 | digit)
            } else {
                high = digit
            }
        }
        return bytes
    }
}

extension UInt8 {
    /// The value of a hexadecimal digit; nil for any other character.
    fileprivate init?(hexadecimalDigit character: UInt8) {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): self = character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): self = character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): self = character - UInt8(ascii: "A") + 10
        default: return nil
        }
    }
}
