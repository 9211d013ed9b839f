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

    private let bytes: [UInt8]
    private var offset = 0
    private var depth = 0

    /// Throws where `text` is not one JSON object with nothing but white space around it.
    ///
    /// - Complexity: O(bytes); its recursion is bounded by ``Limits/userInfoDepth``.
    static func check(_ text: String) throws(Fault) {
        var check = JSONObjectCheck(bytes: Array(text.utf8))
        check.skipSpace()
        guard check.peek() == UInt8(ascii: "{") else {
            throw check.fault("it does not begin with {")
        }
        try check.value()
        check.skipSpace()
        guard check.offset == check.bytes.count else { throw check.fault("text follows it") }
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private func fault(_ problem: String) -> Fault { Fault(problem: problem, offset: offset) }

    private func peek() -> UInt8? { offset < bytes.count ? bytes[offset] : nil }

    private mutating func skipSpace() {
        while let byte = peek(), byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 {
            offset += 1
        }
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard peek() == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }

    private mutating func value() throws(Fault) {
        skipSpace()
        switch peek() {
        case UInt8(ascii: "{"): try container(closedBy: "}", keyed: true)
        case UInt8(ascii: "["): try container(closedBy: "]", keyed: false)
        case UInt8(ascii: "\""): try string()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
    }

    private mutating func container(closedBy end: Unicode.Scalar, keyed: Bool) throws(Fault) {
        depth += 1
        guard depth <= Limits.userInfoDepth else {
            throw fault("it nests deeper than \(Limits.userInfoDepth)")
        }
        offset += 1
        skipSpace()
        if !take(end) {
            repeat {
                if keyed {
                    skipSpace()
                    try string()
                    skipSpace()
                    guard take(":") else { throw fault("a : is missing") }
                }
                try value()
                skipSpace()
            } while take(",")
            guard take(end) else { throw fault("a , or \(end) is missing") }
        }
        depth -= 1
    }

    private mutating func word(_ word: String) throws(Fault) {
        for byte in word.utf8 {
            guard peek() == byte else { throw fault("no JSON value") }
            offset += 1
        }
    }

    private mutating func string() throws(Fault) {
        guard take("\"") else { throw fault("a string is missing") }
        while let byte = peek() {
            offset += 1
            switch byte {
            case UInt8(ascii: "\""): return
            case UInt8(ascii: "\\"): try escape()
            case 0..<0x20: throw fault("a control character in a string")
            default: break
            }
        }
        throw fault("a string does not end")
    }

    private mutating func escape() throws(Fault) {
        let byte = peek()
        offset += 1
        switch byte {
        case UInt8(ascii: "u"):
            for _ in 0..<4 {
                guard let digit = peek(), Character(Unicode.Scalar(digit)).isHexDigit else {
                    throw fault("\\u needs four hexadecimal digits")
                }
                offset += 1
            }
        case let byte?:
            guard "\"\\/bfnrt".utf8.contains(byte) else { throw fault("no such escape") }
        case nil: throw fault("a string does not end")
        }
    }

    private mutating func number() throws(Fault) {
        _ = take("-")
        if !take("0") { try digits() }
        if take(".") { try digits() }
        if take("e") || take("E") {
            if !take("+") { _ = take("-") }
            try digits()
        }
    }

    private mutating func digits() throws(Fault) {
        let start = offset
        while let byte = peek(), (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) {
            offset += 1
        }
        guard offset > start else { throw fault("no JSON value") }
    }
}
