/// Checks that a text is one JSON object (RFC 8259), without building it.
///
/// The user info is kept byte for byte, so the check gives a verdict and builds no value.
struct JSONObjectCheck {
    /// A problem of a text, with its place in the text.
    struct Fault: Error, CustomStringConvertible {
        let problem: String
        let offset: Int

        var description: String { "must be one JSON object: \(problem) at byte \(offset)" }
    }

    private var offset = 0
    private var depth = 0

    /// Throws where `text` is not one JSON object with nothing but white space around it.
    ///
    /// - Complexity: O(bytes); its recursion is bounded by ``Limits/userInfoDepth``.
    static func check(_ text: String) throws(Fault) {
        let bytes = text.utf8Span.span
        var check = JSONObjectCheck()
        check.skipSpace(bytes)
        guard check.peek(bytes) == UInt8(ascii: "{") else {
            throw check.fault("it does not begin with {")
        }
        try check.value(bytes)
        check.skipSpace(bytes)
        guard check.offset == bytes.count else { throw check.fault("text follows it") }
    }

    private func fault(_ problem: String) -> Fault { Fault(problem: problem, offset: offset) }

    private func peek(_ bytes: Span<UInt8>) -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace(_ bytes: Span<UInt8>) {
        while let byte = peek(bytes), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            offset += 1
        }
    }

    private mutating func take(_ character: Unicode.Scalar, _ bytes: Span<UInt8>) -> Bool {
        guard peek(bytes) == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func value(_ bytes: Span<UInt8>) throws(Fault) {
        skipSpace(bytes)
        switch peek(bytes) {
        case UInt8(ascii: "{"): try container(closedBy: "}", keyed: true, bytes)
        case UInt8(ascii: "["): try container(closedBy: "]", keyed: false, bytes)
        case UInt8(ascii: "\""): try string(bytes)
        case UInt8(ascii: "t"): try word("true", bytes)
        case UInt8(ascii: "f"): try word("false", bytes)
        case UInt8(ascii: "n"): try word("null", bytes)
        default: try number(bytes)
        }
    }

    private mutating func container(
        closedBy end: Unicode.Scalar,
        keyed: Bool,
        _ bytes: Span<UInt8>
    ) throws(Fault) {
        depth += 1
        guard depth <= Limits.userInfoDepth else {
            throw fault("it nests deeper than \(Limits.userInfoDepth)")
        }
        offset += 1
        skipSpace(bytes)
        if !take(end, bytes) {
            repeat {
                if keyed {
                    skipSpace(bytes)
                    try string(bytes)
                    skipSpace(bytes)
                    guard take(":", bytes) else { throw fault("a : is missing") }
                }
                try value(bytes)
                skipSpace(bytes)
            } while take(",", bytes)
            guard take(end, bytes) else { throw fault("a , or \(end) is missing") }
        }
        depth -= 1
    }

    private mutating func word(_ word: String, _ bytes: Span<UInt8>) throws(Fault) {
        for byte in word.utf8 {
            guard peek(bytes) == byte else { throw fault("no JSON value") }
            offset += 1
        }
    }

    private mutating func string(_ bytes: Span<UInt8>) throws(Fault) {
        guard take("\"", bytes) else { throw fault("a string is missing") }
        while true {
            skipPlainText(bytes)
            guard let byte = peek(bytes) else { throw fault("a string does not end") }
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): try escape(bytes)
            default: throw fault("a control character in a string")
            }
        }
    }

    /// Passes the bytes of a string that stand for themselves.
    private mutating func skipPlainText(_ bytes: Span<UInt8>) {
        // Most bytes are passed here: an index that counts from 0 is not checked below it.
        let rest = bytes.extracting(droppingFirst: offset)
        var count = 0
        while count < rest.count {
            let byte = rest[count]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { break }
            count += 1
        }
        offset += count
    }

    private mutating func escape(_ bytes: Span<UInt8>) throws(Fault) {
        let byte = peek(bytes)
        offset += 1
        switch byte {
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                guard let digit = peek(bytes), Character(Unicode.Scalar(digit)).isHexDigit else {
                    throw fault("\\u needs four hexadecimal digits")
                }
                offset += 1
            }
        case let byte?:
            guard "\"\\/bfnrt".utf8.contains(byte) else { throw fault("no such escape") }
        case nil: throw fault("a string does not end")
        }
    }

    private mutating func number(_ bytes: Span<UInt8>) throws(Fault) {
        _ = take("-", bytes)
        if !take("0", bytes) { try digits(bytes) }
        if take(".", bytes) { try digits(bytes) }
        if take("e", bytes) || take("E", bytes) {
            if !take("+", bytes) { _ = take("-", bytes) }
            try digits(bytes)
        }
    }

    private mutating func digits(_ bytes: Span<UInt8>) throws(Fault) {
        let start = offset
        while let byte = peek(bytes), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            offset += 1
        }
        guard offset > start else { throw fault("no JSON value") }
    }
}
