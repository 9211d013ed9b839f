extension Rule {
    /// A sentence that begins with one of these has no subject, and its reader has to guess it.
    static let riddles: Set<Substring> = ["What", "Who"]

    static let publicDeclarationsAreDescribed = eachFile(of: { $0.isOwnSwift }) { file in
        file.code.indices.filter { index in
            file.code[index].declaresForPrograms && !file.hasDescription(above: index)
        }.map { index in
            file.violation(line: index + 1, "has no documentation comment")
        }
    }

    static let commentsHaveSubjects = eachFile(of: { $0.isOwnSwift }) { file in
        file.comments.compactMap { comment in
            let riddle = comment.sentences.first { sentence in
                riddles.contains(sentence.prefix { $0.isLetter })
            }
            return riddle.map { file.violation(line: comment.line, "has no subject: \($0)") }
        }
    }

    /// A sentence that is true of two declarations tells nothing of either.
    static let descriptionsAreSaidOnce = Rule { tree in
        var places: [Substring: [Violation]] = [:]
        for file in tree.files where file.isOwnSwift {
            for comment in file.comments where comment.isDocumentation {
                let summary = comment.summary
                places[summary, default: []].append(
                    file.violation(line: comment.line, "is said more than once: \(summary)")
                )
            }
        }
        return places.values.filter { $0.count > 1 }.flatMap { $0 }.sorted { one, other in
            (one.path, one.line) < (other.path, other.line)
        }
    }
}

extension SourceFile {
    /// Whether a documentation comment ends above a line and the attributes above it.
    fileprivate func hasDescription(above index: Int) -> Bool {
        let above = lines[..<index].map { $0.drop { $0.isWhitespace } }
        return above.last { !$0.hasPrefix("@") }?.hasPrefix("///") ?? false
    }
}

extension String {
    private static let declarationKinds: Set<Substring> = [
        "actor", "associatedtype", "class", "enum", "func", "init", "init?", "let", "macro",
        "protocol", "struct", "subscript", "typealias", "var",
    ]

    /// Whether the line declares something that programs see; an override is described where its
    /// declaration was inherited from.
    fileprivate var declaresForPrograms: Bool {
        guard hasWord("public") else { return false }
        let words = split { $0.isWhitespace || $0 == "(" || $0 == "<" }
        guard let access = words.firstIndex(of: "public"),
            let kind = words.firstIndex(where: Self.declarationKinds.contains)
        else { return false }
        return access < kind && !words.contains("override")
    }
}
