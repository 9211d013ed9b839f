/// Tells code from comments and strings, so that rules do not trip over words inside them.
///
/// Blanked bytes become spaces and line ends stay, so that places do not move. Code inside of a
/// string's interpolation is code. Regex literals are not known.
struct Masking {
    /// The text without comments and contents of strings.
    private(set) var code: [UInt8]
    /// The text without the contents of strings.
    private(set) var prose: [UInt8]

    private let text: [UInt8]
    private let language: SourceFile.Language
    private var index = 0

    static func mask(
        _ text: String,
        as language: SourceFile.Language
    ) -> (code: String, prose: String) {
        var masking = Masking(text: Array(text.utf8), language: language)
        masking.scanCode(insideInterpolation: false)
        return (
            String(decoding: masking.code, as: UTF8.self),
            String(decoding: masking.prose, as: UTF8.self)
        )
    }

    private init(text: [UInt8], language: SourceFile.Language) {
        self.text = text
        self.language = language
        code = text
        prose = text
    }

    private func starts(with token: String) -> Bool {
        text[index...].starts(with: token.utf8)
    }

    /// Passes over bytes and blanks them, in code or in both.
    private mutating func skip(_ count: Int, keepingProse: Bool) {
        for position in index..<min(index + count, text.count) where text[position] != newline {
            code[position] = space
            if !keepingProse { prose[position] = space }
        }
        index += count
    }

    private mutating func scanCode(insideInterpolation: Bool) {
        var depth = 0
        while index < text.count {
            if starts(with: "//") {
                while index < text.count, text[index] != newline { skip(1, keepingProse: true) }
            } else if starts(with: "/*") {
                scanBlockComment()
            } else if language == .c, starts(with: "R\"") {
                scanRawCString()
            } else if let hashes = hashesBeforeQuote() {
                scanString(hashes: hashes)
            } else if language == .c, text[index] == singleQuote, !followsDigit {
                scanCharacter()
            } else {
                if text[index] == openParenthesis { depth += 1 }
                if text[index] == closeParenthesis {
                    if insideInterpolation, depth == 0 { return }
                    depth -= 1
                }
                index += 1
            }
        }
    }

    private mutating func scanBlockComment() {
        var depth = 0
        repeat {
            if starts(with: "/*"), language == .swift || depth == 0 {
                depth += 1
                skip(2, keepingProse: true)
            } else if starts(with: "*/") {
                depth -= 1
                skip(2, keepingProse: true)
            } else {
                skip(1, keepingProse: true)
            }
        } while depth > 0 && index < text.count
    }

    /// How many `#` come before the quote that opens a string here, or nil.
    private func hashesBeforeQuote() -> Int? {
        var position = index
        if language == .swift {
            while position < text.count, text[position] == hash { position += 1 }
        }
        guard position < text.count, text[position] == doubleQuote else { return nil }
        return position - index
    }

    /// Passes over a string, whose quotes stay.
    private mutating func scanString(hashes: Int) {
        index += hashes
        let isMultiline = language == .swift && starts(with: "\"\"\"")
        let quote = isMultiline ? "\"\"\"" : "\""
        let end = quote + String(repeating: "#", count: hashes)
        let escape = "\\" + String(repeating: "#", count: hashes)
        index += quote.utf8.count
        while index < text.count, !starts(with: end) {
            if !isMultiline, text[index] == newline { return }
            if language == .swift, starts(with: escape + "(") {
                skip(escape.utf8.count, keepingProse: false)
                index += 1
                scanCode(insideInterpolation: true)
                index += 1
            } else if starts(with: escape) {
                skip(escape.utf8.count + 1, keepingProse: false)
            } else {
                skip(1, keepingProse: false)
            }
        }
        index += end.utf8.count
    }

    private mutating func scanRawCString() {
        index += 2
        let delimiter = text[index...].prefix { $0 != openParenthesis }
        let end = ")" + String(decoding: delimiter, as: UTF8.self) + "\""
        while index < text.count, !starts(with: end) { skip(1, keepingProse: false) }
        index += end.utf8.count
    }

    private mutating func scanCharacter() {
        index += 1
        while index < text.count, text[index] != singleQuote, text[index] != newline {
            skip(text[index] == backslash ? 2 : 1, keepingProse: false)
        }
        index += 1
    }

    /// Whether the byte before is part of a number, as in `1'000`.
    private var followsDigit: Bool {
        index > 0 && (digits.contains(text[index - 1]) || hexLetters.contains(text[index - 1] | 32))
    }
}

private let newline = UInt8(ascii: "\n")
private let space = UInt8(ascii: " ")
private let hash = UInt8(ascii: "#")
private let backslash = UInt8(ascii: "\\")
private let doubleQuote = UInt8(ascii: "\"")
private let singleQuote = UInt8(ascii: "'")
private let openParenthesis = UInt8(ascii: "(")
private let closeParenthesis = UInt8(ascii: ")")
private let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
private let hexLetters = UInt8(ascii: "a")...UInt8(ascii: "f")
