// A refusal names its problem by type; NotificationService alone knows the words that the contract
// has for it. Targets below it have none of these words in a text.

extension Rule {
    /// The targets below `NotificationService`.
    static let targetsBelowTheWire = [
        "NotificationCore", "NotificationFeeds", "NotificationRecords", "NotificationStore",
    ]

    static let wireWordsAreTheServices = eachFile(
        of: { $0.isOwnSwift && targetsBelowTheWire.contains($0.target ?? "") }
    ) { file in
        file.texts.enumerated().flatMap { index, text in
            WireWords.package.words(in: text).map { word in
                file.violation(
                    line: index + 1,
                    "names \(word) of the wire: name it by type, and let the service write the name"
                )
            }
        }
    }
}

/// The words of the contract by which a text below the service would give itself away.
struct WireWords {
    let fields: Set<String>
    let rpcs: Set<String>

    /// The words of the package's own contract.
    static let package = WireWords(SourceTree.package.files.filter { $0.isIn("Protos/belfry") })

    init(_ protos: [SourceFile]) {
        let lines = protos.flatMap(\.lines).map { line in
            line.split { " (".contains($0) }.map(String.init)
        }
        // `repeated string app_ids = 3;` and `rpc Add(AddRequest) returns (AddResponse);`
        let fields = lines.compactMap { words -> String? in
            guard let equals = words.firstIndex(of: "="), equals > 1 else { return nil }
            return words[equals - 1]
        }
        self.fields = Set(fields.filter { $0.first?.isLowercase ?? false })
        rpcs = Set(lines.filter { $0.first == "rpc" }.compactMap { $0.dropFirst().first })
    }

    /// Finds fields of two words or more, paths of fields, and rpcs of two words or more.
    func words(in text: String) -> [String] {
        text.split { !($0.isLetter || $0.isNumber || "_.".contains($0)) }
            .map { $0.split(separator: ".").map(String.init) }
            .filter { parts in
                if parts.count > 1 { return parts.allSatisfy(fields.contains) }
                guard let word = parts.first else { return false }
                let isLong = word.contains("_") || word.dropFirst().contains { $0.isUppercase }
                return isLong && (fields.contains(word) || rpcs.contains(word))
            }
            .map { $0.joined(separator: ".") }
    }
}

extension SourceFile {
    /// The contents of strings, with all else blanked.
    fileprivate var texts: [String] {
        zip(lines, prose).map { line, prose in
            let bytes = zip(line.utf8, prose.utf8).map { $0 == $1 ? UInt8(ascii: " ") : $0 }
            return String(decoding: bytes, as: UTF8.self)
        }
    }
}
