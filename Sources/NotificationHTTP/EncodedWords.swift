internal import BelfryGRPC
internal import Foundation

/// The encoded words of RFC 2047, in which clients send what is not ASCII in a header.
enum EncodedWords {
    /// Gives a text with its encoded words decoded; all else stays as it is.
    ///
    /// - Throws: INVALID_ARGUMENT for a character set that is not known, and for bytes that are
    ///   none of their set.
    static func decode(_ text: String, in name: String) throws(Status) -> String {
        let form = #/=\?([A-Za-z0-9_.:*-]+)\?([bBqQ])\?([!-~&&[^?]]*)\?=/#
        var decoded = ""
        var rest = text[...]
        var followsWord = false
        while let match = rest.firstMatch(of: form) {
            let between = rest[..<match.range.lowerBound]
            // Drop white space between two encoded words, which only separates them.
            if !followsWord || !between.allSatisfy(\.isWhitespace) { decoded += between }
            guard let bytes = bytes(match.3, isBase64: match.2 == "b" || match.2 == "B"),
                let word = string(bytes, set: match.1)
            else {
                throw .refused("\(name): an encoded word is no UTF-8, US-ASCII or ISO-8859-1")
            }
            decoded += word
            rest = rest[match.range.upperBound...]
            followsWord = true
        }
        return decoded + rest
    }

    private static func bytes(_ text: Substring, isBase64: Bool) -> [UInt8]? {
        if isBase64 {
            let digits = text.prefix { $0 != "=" }
            let padding = String(repeating: "=", count: (4 - digits.count % 4) % 4)
            return Data(base64Encoded: digits + padding).map { [UInt8]($0) }
        }
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "_"): bytes.append(UInt8(ascii: " "))
            case UInt8(ascii: "="):
                guard let digits = String(rest.prefix(2)), digits.count == 2,
                    let value = UInt8(digits, radix: 16)
                else { return nil }
                bytes.append(value)
                rest = rest.dropFirst(2)
            default: bytes.append(byte)
            }
        }
        return bytes
    }

    private static func string(_ bytes: [UInt8], set: Substring) -> String? {
        // A language may follow the name of the set.
        switch set.prefix(while: { $0 != "*" }).lowercased() {
        case "utf-8", "utf8", "us-ascii", "ascii": String(validating: bytes, as: UTF8.self)
        case "iso-8859-1", "latin1":
            bytes.reduce(into: "") { text, byte in
                text.unicodeScalars.append(Unicode.Scalar(byte))
            }
        default: nil
        }
    }
}
