/// Finds functions and how many lines they have, from the line of their keyword or name to that of
/// their closing brace.
///
/// It reads masked code, and knows only the needed parts of the languages: brackets, and the
/// beginnings of functions.
struct FunctionScanner {
    /// A function with a body.
    struct Function: Equatable {
        let name: String
        let line: Int
        let lineCount: Int
    }

    let code: [UInt8]

    init(code: [String]) {
        self.code = Array(code.joined(separator: "\n").utf8)
    }

    /// The functions, initialisers, subscripts, computed properties and observers of Swift code.
    func swiftFunctions() -> [Function] {
        var functions: [Function] = []
        var index = 0
        while let word = nextWord(from: &index) {
            let text = String(decoding: code[word], as: UTF8.self)
            guard Self.swiftKeywords.contains(text), !isMember(word) else { continue }
            guard let body = swiftBody(from: word.upperBound, isProperty: text == "var"),
                let end = closingBracket(of: body)
            else { continue }
            functions.append(function(swiftName(of: word), from: word.lowerBound, to: end))
        }
        return functions
    }

    private static let swiftKeywords: Set<String> = [
        "func", "init", "deinit", "subscript", "var", "didSet", "willSet",
    ]

    /// The word behind `func` or `var`, an operator, too; otherwise the keyword itself.
    private func swiftName(of keyword: Range<Int>) -> String {
        let text = String(decoding: code[keyword], as: UTF8.self)
        guard text == "func" || text == "var" else { return text }
        let name = code[keyword.upperBound...].drop(while: isSpace)
            .prefix { !isSpace($0) && !"(<:".utf8.contains($0) }
        return String(decoding: name, as: UTF8.self)
    }

    /// Where the body of a declaration opens, or nil if it has none.
    func swiftBody(from start: Int, isProperty: Bool) -> Int? {
        var depth = 0
        var lastCharacter = UInt8(ascii: " ")
        for index in start..<code.count {
            let character = code[index]
            switch character {
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"):
                depth -= 1
                if depth < 0 { return nil }
            case UInt8(ascii: "{") where depth == 0: return index
            case UInt8(ascii: "}") where depth == 0, UInt8(ascii: ";") where depth == 0: return nil
            case UInt8(ascii: "=") where depth == 0 && isProperty: return nil
            case UInt8(ascii: "\n") where depth == 0:
                if !continues(after: index, last: lastCharacter) { return nil }
            default: break
            }
            if !isSpace(character) { lastCharacter = character }
        }
        return nil
    }

    /// Whether a declaration goes on behind the end of a line.
    private func continues(after newline: Int, last: UInt8) -> Bool {
        if ",:&<>".utf8.contains(last) { return true }
        let rest = code[newline...].drop(while: isSpace)
        let beginnings = ["{", "->", ">", "&", ":", ",", "where ", "throws", "rethrows", "async"]
        return beginnings.contains { rest.starts(with: $0.utf8) }
    }

    /// Whether a word is a member's name, such as `init` in `super.init`.
    func isMember(_ word: Range<Int>) -> Bool {
        guard let before = code[..<word.lowerBound].last else { return false }
        return before == UInt8(ascii: ".") || before == UInt8(ascii: "`")
    }
}

extension FunctionScanner {
    func function(_ name: String, from start: Int, to end: Int) -> Function {
        let first = lineNumber(at: start)
        return Function(name: name, line: first, lineCount: lineNumber(at: end) - first + 1)
    }

    func lineNumber(at index: Int) -> Int {
        code[..<index].count { $0 == UInt8(ascii: "\n") } + 1
    }

    /// Where the bracket that opens at a place closes; nil if none opens there.
    func closingBracket(of open: Int) -> Int? {
        let closing: UInt8
        switch code[open] {
        case UInt8(ascii: "{"): closing = UInt8(ascii: "}")
        case UInt8(ascii: "("): closing = UInt8(ascii: ")")
        case UInt8(ascii: "["): closing = UInt8(ascii: "]")
        default: return nil
        }
        var depth = 0
        for index in open..<code.count {
            if code[index] == code[open] { depth += 1 }
            if code[index] == closing {
                depth -= 1
                if depth == 0 { return index }
            }
        }
        return nil
    }

    private func nextWord(from index: inout Int) -> Range<Int>? {
        while index < code.count, !isIdentifier(code[index]) { index += 1 }
        let start = index
        while index < code.count, isIdentifier(code[index]) { index += 1 }
        return start < index ? start..<index : nil
    }
}

func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 10 || byte == 9 }

func isIdentifier(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "_") || byte >= 128 || (48...57).contains(byte)
        || (97...122).contains(byte | 32)
}
