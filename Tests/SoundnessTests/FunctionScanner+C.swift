extension FunctionScanner {
    /// The functions of C and C++ code; a lambda belongs to the function around it.
    ///
    /// The text between the last `;`, brace or label and an opening brace is the brace's header: it
    /// tells a function from a namespace, a type or a list of values.
    func cFunctions() -> [Function] {
        var functions: [Function] = []
        var headerStart = 0
        var index = 0
        while index < code.count {
            switch code[index] {
            case UInt8(ascii: "#") where isFirstOnLine(index):
                index = endOfDirective(from: index)
                headerStart = index
            case UInt8(ascii: ";"), UInt8(ascii: "}"):
                headerStart = index + 1
            case UInt8(ascii: ":") where Self.accessLabels.contains(header(headerStart, index)):
                headerStart = index + 1
            case UInt8(ascii: "{"):
                let header = header(headerStart, index)
                let end = closingBracket(of: index)
                if let end, initializesMember(header, precededBy: code[index - 1]) {
                    index = end
                } else if let end, opensFunction(header) {
                    let start = code[headerStart...].firstIndex { !isSpace($0) } ?? index
                    functions.append(function(cName(header), from: start, to: end))
                    index = end
                    headerStart = end + 1
                } else {
                    headerStart = index + 1
                }
            default: break
            }
            index += 1
        }
        return functions
    }

    private static let accessLabels: Set<String> = ["public", "protected", "private"]
    private static let qualifiers: Set<Substring> = [
        "const", "noexcept", "override", "final", "try", "&", "&&",
    ]

    /// The text of a header without the space around it.
    private func header(_ start: Int, _ end: Int) -> String {
        let text = code[start..<end].drop(while: isSpace)
        let last = text.lastIndex { !isSpace($0) } ?? text.startIndex - 1
        return String(decoding: text[...last], as: UTF8.self)
    }

    /// Whether a header ends in a list of parameters, and what may follow one.
    private func opensFunction(_ header: String) -> Bool {
        guard let parenthesis = header.lastIndex(of: ")") else { return false }
        let tail = header[header.index(after: parenthesis)...].drop { $0.isWhitespace }
        // A constructor's last member may be initialised in braces.
        if tail.hasPrefix("->") || header.last == "}" { return true }
        return tail.split { $0.isWhitespace }.allSatisfy(Self.qualifiers.contains)
    }

    /// Whether the brace behind a header initialises a member, as in `Call() : state_{0} {`.
    private func initializesMember(_ header: String, precededBy byte: UInt8) -> Bool {
        guard isIdentifier(byte) else { return false }
        // A colon behind a list of parameters, not one of a qualified name.
        return header.indices.contains { index in
            header[index] == ":" && header[..<index].last { !$0.isWhitespace } == ")"
        }
    }

    private func cName(_ header: String) -> String {
        let beforeParameters = header.prefix { $0 != "(" }
        let name = beforeParameters.split { $0.isWhitespace || $0 == "*" || $0 == "&" }.last
        return name.map(String.init) ?? ""
    }

    private func isFirstOnLine(_ index: Int) -> Bool {
        guard let before = code[..<index].last(where: { $0 != 32 && $0 != 9 }) else { return true }
        return before == UInt8(ascii: "\n")
    }

    /// The end of a preprocessor's line, which a backslash continues.
    private func endOfDirective(from start: Int) -> Int {
        var index = start
        while index < code.count {
            if code[index] == UInt8(ascii: "\n"), code[index - 1] != UInt8(ascii: "\\") { break }
            index += 1
        }
        return index
    }
}
