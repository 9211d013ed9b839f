/// Lines of comment that follow one another, or the comment beside a line of code.
struct Comment: Sendable {
    /// The number of its first line, from 1.
    let line: Int
    let isDocumentation: Bool
    /// Its words, without slashes; line ends are spaces.
    let text: String

    /// The sentences, as far as a full stop and a space tell them apart; an item of a list is one.
    var sentences: [Substring] {
        var sentences: [Substring] = []
        var start = text.startIndex
        var previous: Character = " "
        for index in text.indices {
            let character = text[index]
            if character == "\n" || character == " " && ".!?".contains(previous) {
                sentences.append(text[start..<index])
                start = text.index(after: index)
            }
            previous = character
        }
        sentences.append(text[start...])
        return sentences.filter { !$0.isEmpty }
    }

    /// The first sentence, which describes a declaration.
    var summary: Substring { sentences.first ?? "" }
}

extension SourceFile {
    /// The comments of a Swift file, in their order.
    var comments: [Comment] {
        var comments: [Comment] = []
        var open: (line: Int, marker: String, words: [String])?
        func close() {
            guard let comment = open else { return }
            open = nil
            comments.append(
                Comment(
                    line: comment.line,
                    isDocumentation: comment.marker == "///",
                    text: Self.text(of: comment.words)
                )
            )
        }
        for index in prose.indices {
            guard let comment = comment(at: index) else {
                close()
                continue
            }
            let marker = comment.hasPrefix("///") ? "///" : "//"
            let words = String(comment.dropFirst(marker.count).drop { $0 == " " })
            let isAlone = code[index].allSatisfy(\.isWhitespace)
            if !isAlone || open?.marker != marker { close() }
            if open == nil { open = (index + 1, marker, []) }
            open?.words.append(words)
            if !isAlone { close() }
        }
        close()
        return comments
    }

    /// The comment on a line, with its slashes; nil where there is none.
    private func comment(at index: Int) -> String? {
        let code = Array(code[index].utf8)
        let prose = Array(prose[index].utf8)
        guard let start = zip(code, prose).enumerated().first(where: { $1.0 != $1.1 })?.offset
        else { return nil }
        return String(decoding: prose[start...], as: UTF8.self)
    }

    /// Joins lines; an empty line and an item of a list begin anew.
    private static func text(of lines: [String]) -> String {
        lines.reduce(into: "") { text, line in
            if line.isEmpty || line.hasPrefix("- ") {
                text += "\n"
            } else if let last = text.last, last != "\n" {
                text += " "
            }
            text += line
        }
    }
}
