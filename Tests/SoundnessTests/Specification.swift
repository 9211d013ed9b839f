/// What there is to cover: the specification's rules, and the rows of its tables.
///
/// The specification is not part of the package, so what it holds is counted here.
enum Specification {
    /// The families of rules, each from 1 to its greatest number.
    private static let families = [
        ("M-", 9), ("P-", 1), ("C-", 2), ("R-", 1), ("K-", 10), ("S-", 2), ("A-", 11), ("ADD-", 12),
        ("LIM-", 3), ("TI-", 3), ("CAL-", 13), ("V", 28), ("LOC-", 6), ("DT-", 5), ("DEL-", 3),
        ("FG-", 9), ("LK-", 5), ("NC-", 8), ("B-", 6), ("SND-", 5), ("ATT-", 10), ("GRP-", 5),
        ("SUM-", 14), ("G", 10),
        ("INT-", 4), ("SSM-", 3), ("FOC-", 5), ("RSP-", 9), ("COM-", 4), ("D-", 27),
    ]

    /// The rules that have names.
    static let rules = Set(
        families.flatMap { family, last in (1...last).map { "\(family)\($0)" } }
    )

    /// The tables whose rows have no names, and how many rows each has.
    static let tables: [(section: String, rows: Int)] = [
        ("2.1", 10), ("2.2", 5), ("2.3", 3), ("2.4", 3), ("2.5", 3), ("2.6", 4), ("2.7", 6),
        ("2.8", 6), ("2.9", 12), ("2.10", 4), ("2.11", 6), ("2.12", 6), ("3.1", 16), ("3.2", 3),
        ("3.3", 2), ("3.4", 4), ("3.5", 6), ("3.6", 6), ("3.7", 7), ("3.9", 13), ("3.11", 15),
        ("3.12", 3), ("4", 8), ("6.2", 8), ("6.3", 4), ("7.2", 5), ("7.3.2", 6), ("7.4", 12),
        ("8", 16), ("9", 5), ("10", 13), ("13", 7), ("14", 3), ("16.1", 4), ("17", 5),
    ]

    /// The samples that Apple walks through.
    static let samples: Set<String> = [
        "ask and check", "add in five seconds", "update pending", "update delivered", "remove",
        "will present with alert", "will present with none", "register actions",
        "receive default", "receive custom", "receive dismiss", "receive text",
        "threaded messages", "unthreaded reminder",
    ]
}
