extension String {
    /// The text as Apple's system displays a body: `%%` is `%`, other printf escapes are gone.
    ///
    /// Removing escapes takes `% o` out of `50% off` too, so only ``Profile/ios`` does it (D-12). A
    /// `%` that begins no escape stays.
    ///
    /// - Complexity: O(bytes).
    var withoutPrintfEscapes: String {
        guard utf8.contains(UInt8(ascii: "%")) else { return self }
        var result: [UInt8] = []
        var rest = Array(utf8)[...]
        while let byte = rest.first {
            if rest.starts(with: "%%".utf8) {
                result.append(byte)
                rest = rest.dropFirst(2)
            } else if byte == UInt8(ascii: "%"), let end = PrintfEscape.end(in: rest) {
                rest = rest[end...]
            } else {
                result.append(byte)
                rest = rest.dropFirst()
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}

/// The grammar of an escape: `%`, position, flags, width, precision, length, conversion.
enum PrintfEscape {
    /// Gives the end of the escape at the beginning of `bytes`; nil where there is no escape.
    static func end(in bytes: ArraySlice<UInt8>) -> Int? {
        var rest = bytes.dropFirst()
        let position = rest.drop(while: isDigit)
        if position.startIndex > rest.startIndex, position.first == UInt8(ascii: "$") {
            rest = position.dropFirst()
        }
        rest = rest.drop { "-+ #0'".utf8.contains($0) }
        rest = number(rest)
        if rest.first == UInt8(ascii: ".") { rest = number(rest.dropFirst()) }
        rest = rest.drop { "hlqLztj".utf8.contains($0) }
        guard let conversion = rest.first, "@diouxXeEfFgGaAcCsSpnDUO".utf8.contains(conversion)
        else { return nil }
        return rest.startIndex + 1
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        bytes.first == UInt8(ascii: "*") ? bytes.dropFirst() : bytes.drop(while: isDigit)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
