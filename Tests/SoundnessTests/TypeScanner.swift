/// Finds the types of Swift code with how many stored properties and methods each declaration of
/// them adds.
///
/// It reads masked code, and knows only the needed parts of Swift: brackets, and the beginnings of
/// members. Types inside of a function are part of the function. Where one declaration makes
/// several properties it counts once: swift-format lets only a tuple do that.
struct TypeScanner {
    /// A declaration of a type, or an extension of it.
    struct Part: Equatable {
        /// The type with the types around it, as `Server.Options`.
        let name: String
        let line: Int
        let isExtension: Bool
        /// The `let`s and `var`s of an instance that are kept: neither static nor computed.
        var properties = 0
        /// The functions, initialisers and subscripts, static ones too, without the factories: a
        /// static function that returns the type itself names a value of it, as a case does.
        var methods = 0
    }

    private let code: [UInt8]
    private let functions: FunctionScanner
    private var parts: [Part] = []

    /// The types that files declare or extend, in their order.
    static func parts(of code: [String]) -> [Part] {
        var scanner = TypeScanner(code: code)
        scanner.scanMembers(in: 0..<scanner.code.count, of: nil)
        return scanner.parts.sorted { $0.line < $1.line }
    }

    private init(code: [String]) {
        functions = FunctionScanner(code: code)
        self.code = functions.code
    }

    /// Passes over the members of a type or the declarations of a file.
    private mutating func scanMembers(in range: Range<Int>, of part: Int?) {
        var index = range.lowerBound
        var isStatic = false
        while index < range.upperBound {
            guard let word = word(at: index) else {
                index = functions.closingBracket(of: index).map { $0 + 1 } ?? index + 1
                continue
            }
            index = word.upperBound
            guard !functions.isMember(word) else { continue }
            switch text(word) {
            case "static": isStatic = true
            case "class" where isModifier(word): isStatic = true
            case "struct", "class", "enum", "actor", "protocol", "extension":
                index = scanType(word, inside: part)
                isStatic = false
            case "func", "init", "subscript":
                index = scanMethod(word, isStatic: isStatic, of: part)
                isStatic = false
            case "let", "var":
                if let part, !isStatic, isStored(word) { parts[part].properties += 1 }
                isStatic = false
            default: break
            }
        }
    }

    /// Counts the members in the body of a type.
    ///
    /// - Returns: Where the body ends.
    private mutating func scanType(_ keyword: Range<Int>, inside outer: Int?) -> Int {
        let own = code[keyword.upperBound...].drop(while: isSpace)
            .prefix { isIdentifier($0) || $0 == UInt8(ascii: ".") }
        // A property may be called "actor"; a type's name begins with a capital.
        guard let first = own.first, (65...90).contains(first),
            let open = code[own.endIndex...].firstIndex(of: UInt8(ascii: "{")),
            let close = functions.closingBracket(of: open)
        else { return keyword.upperBound }
        let path = (outer.map { parts[$0].name + "." } ?? "") + String(decoding: own, as: UTF8.self)
        let isExtension = text(keyword) == "extension"
        let line = functions.lineNumber(at: keyword.lowerBound)
        parts.append(Part(name: path, line: line, isExtension: isExtension))
        scanMembers(in: open + 1..<close, of: parts.count - 1)
        return close + 1
    }

    /// Counts a method.
    ///
    /// - Returns: Where its body ends, or its keyword if it has none.
    private mutating func scanMethod(
        _ keyword: Range<Int>,
        isStatic: Bool,
        of part: Int?
    ) -> Int {
        let open = functions.swiftBody(from: keyword.upperBound, isProperty: false)
        if let part {
            let signature = keyword.upperBound..<(open ?? keyword.upperBound)
            let isFactory = isStatic && returns(parts[part].name, in: signature)
            if !isFactory { parts[part].methods += 1 }
        }
        return open.flatMap(functions.closingBracket).map { $0 + 1 } ?? keyword.upperBound
    }

    /// Whether a static function's result is `Self` or the type that it is in.
    private func returns(_ type: String, in signature: Range<Int>) -> Bool {
        let result = text(signature).split(separator: "->").last ?? ""
        let name = result.split { $0.isWhitespace || $0 == "?" }.first
        return name == "Self" || name.map { type == $0 || type.hasSuffix("." + $0) } == true
    }

    /// Whether a property is kept: it has no body, or only observers.
    private func isStored(_ keyword: Range<Int>) -> Bool {
        guard text(keyword) == "var",
            let open = functions.swiftBody(from: keyword.upperBound, isProperty: true)
        else { return true }
        let first = code[(open + 1)...].drop(while: isSpace).prefix(while: isIdentifier)
        return ["didSet", "willSet"].contains(String(decoding: first, as: UTF8.self))
    }

    /// Whether the word `class` says that a member is the type's.
    private func isModifier(_ keyword: Range<Int>) -> Bool {
        let next = code[keyword.upperBound...].drop(while: isSpace).prefix(while: isIdentifier)
        return ["func", "var", "let", "subscript", "override", "final"]
            .contains(String(decoding: next, as: UTF8.self))
    }

    private func word(at index: Int) -> Range<Int>? {
        guard isIdentifier(code[index]) else { return nil }
        return index..<(code[index...].firstIndex { !isIdentifier($0) } ?? code.count)
    }

    private func text(_ range: Range<Int>) -> String {
        String(decoding: code[range], as: UTF8.self)
    }
}
