/// The subjects to cover: the specification's rules, and the rows of its tables.
///
/// The rules are read from `Documentation/Rules`; rows that have no names there are counted here.
enum Specification {
    /// The families of rules that tests hold.
    private static let families: Set<String> = [
        "M", "P", "C", "R", "K", "S", "A", "ADD", "LIM", "TI", "CAL", "LOC", "DT", "DEL", "FG",
        "LK", "NC", "B", "SND", "ATT", "GRP", "SUM", "INT", "SSM", "FOC", "RSP", "COM", "D",
        "REG", "PAY", "BG", "L10N", "JWT", "AZ", "SNZ", "QH", "NSE", "NCE", "REC",
        "WP",
    ]

    /// The rules that have names.
    static let rules: Set<String> = {
        let documentation = SourceTree.package.files.filter { $0.isIn("Documentation/Rules") }
        let named = RuleIdentifiers(documentation).defined.filter { rule in
            families.contains(rule.split(separator: "-").first.map(String.init) ?? "")
        }
        let vectors = (1...28).map { "V\($0)" }
        return named.union(vectors).union((1...10).map { "G\($0)" })
    }()

    /// The tables whose rows have no names, and how many rows each has.
    static let tables: [(section: String, rows: Int)] = [
        ("2.1", 10), ("2.2", 5), ("2.3", 3), ("2.4", 3), ("2.5", 3), ("2.6", 4), ("2.7", 6),
        ("2.8", 6), ("2.9", 12), ("2.10", 4), ("2.11", 6), ("2.12", 6), ("3.1", 16), ("3.2", 3),
        ("3.3", 2), ("3.4", 4), ("3.5", 6), ("3.6", 6), ("3.7", 7), ("3.9", 13), ("3.11", 15),
        ("3.12", 3), ("4", 8), ("6.2", 8), ("6.3", 4), ("7.2", 5), ("7.3.2", 6), ("7.4", 12),
        ("8", 16), ("9", 5), ("10", 13), ("13", 7), ("14", 3), ("16.1", 4), ("17", 5), ("27", 6),
    ]

    /// The samples that Apple walks through.
    static let samples: Set<String> = [
        "ask and check", "add in five seconds", "update pending", "update delivered", "remove",
        "will present with alert", "will present with none", "register actions",
        "receive default", "receive custom", "receive dismiss", "receive text",
        "threaded messages", "unthreaded reminder",
    ]
}
