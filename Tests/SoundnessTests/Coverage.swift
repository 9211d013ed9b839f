/// The table of `Tests/Conformance/COVERAGE.md`: the rules, and the tests that hold them.
struct Coverage: Sendable {
    /// A line of a table.
    struct Row: Sendable {
        let cells: [String]
        let line: Int

        /// The subject of the row: a rule or a sample.
        var name: String { cells[0] }
        /// The last cell: the tests that hold the rule, or a remark.
        var answer: String { cells[cells.count - 1] }
        /// The names of the tests: the last cell's spans of code.
        var tests: [String] {
            answer.split(separator: "`", omittingEmptySubsequences: false).enumerated()
                .compactMap { $0.offset % 2 == 1 ? String($0.element) : nil }
        }
        /// Whether it says why no test can hold it.
        var isExcused: Bool { answer.hasPrefix("nothing to hold: ") }
    }

    /// The tables, told apart by their headings.
    enum Table: String, CaseIterable {
        case rules = "rule | what it says | held by"
        case samples = "sample | what the app does | held by"
        case parts = "rule | what is not there yet"
        case differences = "rule | there | here | why"
    }

    static let path = "Tests/Conformance/COVERAGE.md"

    private let rows: [Table: [Row]]
    /// Tables with another heading.
    private let strangers: [Row]

    init(text: String) {
        var rows: [Table: [Row]] = [:]
        var strangers: [Row] = []
        var table: Table?
        var isInTable = false
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            guard let cells = Self.cells(of: line) else {
                isInTable = false
                continue
            }
            let row = Row(cells: cells, line: index + 1)
            if !isInTable {
                isInTable = true
                table = Table(rawValue: cells.joined(separator: " | "))
                if table == nil { strangers.append(row) }
            } else if let table, !cells.allSatisfy({ $0 == "---" }) {
                rows[table, default: []].append(row)
            }
        }
        self.rows = rows
        self.strangers = strangers
    }

    /// The cells of a line of a table; nil where it is none.
    private static func cells(of line: Substring) -> [String]? {
        guard line.hasPrefix("| "), line.hasSuffix(" |") else { return nil }
        return line.dropFirst(2).dropLast(2).split(separator: " | ").map(String.init)
    }

    func rows(of table: Table) -> [Row] { rows[table] ?? [] }
}

extension Coverage {
    private static func violation(_ row: Row, _ message: String) -> Violation {
        Violation(path: path, line: row.line, message: "\(row.name) \(message)")
    }

    /// Where the rules and samples are not those of the specification, each once.
    var listViolations: [Violation] {
        let rules = rows(of: .rules)
        let tables = Dictionary(grouping: rules.filter(\.isOfTable), by: \.section)
        let miscounted = Specification.tables.compactMap { section, count -> String? in
            let found = tables[section]?.count ?? 0
            return found == count ? nil : "\(section) has \(count) rows, not \(found)"
        }
        let known = Set(Specification.tables.map(\.section))
        let dead = rules.filter {
            $0.isOfTable ? !known.contains($0.section) : !Specification.rules.contains($0.name)
        }
        let samples = rows(of: .samples)
        let missing =
            Specification.rules.subtracting(rules.map(\.name))
            .union(Specification.samples.subtracting(samples.map(\.name)))
        let strange = samples.filter { !Specification.samples.contains($0.name) }
        return strangers.map { Self.violation($0, "heads a table of no known kind") }
            + Table.allCases.flatMap { Self.repeated(in: rows(of: $0)) }
            + (dead + strange).map { Self.violation($0, "is not of the specification") }
            + (missing.map { "\($0) is not listed" } + miscounted).sorted().map {
                Violation(path: Self.path, line: 1, message: $0)
            }
    }

    private static func repeated(in rows: [Row]) -> [Violation] {
        var names: Set<String> = []
        return rows.filter { !names.insert($0.name).inserted }
            .map { violation($0, "is listed twice") }
    }

    /// Where a row names neither tests nor a reason, or both.
    var answerViolations: [Violation] {
        (rows(of: .rules) + rows(of: .samples)).compactMap { row in
            if row.cells.count != 3 { return Self.violation(row, "does not have three cells") }
            switch (row.isExcused, row.tests.isEmpty) {
            case (true, false): return Self.violation(row, "names a test, and says that none is")
            case (false, true): return Self.violation(row, "names no test and no reason")
            default: return nil
            }
        }
    }

    /// Where the lists at the end speak of a rule that is not there, or has no test at all.
    var remarkViolations: [Violation] {
        let rules = Dictionary(rows(of: .rules).map { ($0.name, $0) }) { first, _ in first }
        let parts = rows(of: .parts).filter { rules[$0.name]?.isExcused ?? true }
        let differences = rows(of: .differences).filter { rules[$0.name] == nil }
        return (parts + differences).map { Self.violation($0, "is no rule that a test holds") }
    }

    /// Where a test is named that is not there.
    func testViolations(in sources: [SourceFile]) -> [Violation] {
        let index = TestIndex(sources)
        return (rows(of: .rules) + rows(of: .samples)).flatMap { row in
            row.tests.compactMap { name in
                TestName(name).problem(in: index).map { Self.violation(row, "\(name): \($0)") }
            }
        }
    }
}

extension Coverage.Row {
    /// Whether it is a row of a table of the specification: `2.6 destructive`.
    fileprivate var isOfTable: Bool { name.first?.isNumber == true }
    /// The section of that table.
    fileprivate var section: String {
        name.split(separator: " ").first.map(String.init) ?? name
    }
}
