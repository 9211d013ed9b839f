internal import NotificationCore
internal import Testing

@Suite("Plural rules of CLDR (L10N-5)")
struct PluralRuleTests {
    /// The numbers of ``PluralVectors``: all up to 1,000, thousands and millions, powers of ten and
    /// the numbers after them.
    static let numbers: [UInt64] = {
        var powers: [UInt64] = [1_000]
        for _ in 4...19 { powers.append(powers[powers.count - 1] * 10) }
        var numbers = Array(0...1_000 as ClosedRange<UInt64>)
        numbers += (2...100).map { 1_000 * $0 }
        numbers += (1...101).map { 1_000_000 * $0 }
        numbers += powers.dropFirst()
        numbers += powers.map { $0 + 1 }
        return numbers
    }()

    private static let letters: [Character: PluralCategory] = [
        "z": .zero, "o": .one, "t": .two, "f": .few, "m": .many, "x": .other,
    ]

    /// The categories of all numbers, of a line of runs such as `x1 o1 x1232`.
    private static func categories(_ runs: String) throws -> [PluralCategory] {
        try runs.split(separator: " ").flatMap { run in
            let category = try #require(run.first.flatMap { letters[$0] })
            return Array(repeating: category, count: try #require(Int(run.dropFirst())))
        }
    }

    @Test("Every language tells every number as CLDR does", arguments: PluralVectors.all.indices)
    func vectors(index: Int) throws {
        let vector = PluralVectors.all[index]
        let expected = try Self.categories(vector.categories)
        #expect(expected.count == Self.numbers.count)
        for language in vector.languages.split(separator: " ").map(String.init) {
            let rule = PluralRule(language: language)
            let wrong = zip(Self.numbers, expected).filter { rule.category(of: $0) != $1 }
            #expect(wrong.isEmpty, "\(language): \(wrong.prefix(5))")
        }
    }

    @Test("Every rule is some language's")
    func complete() {
        let languages = PluralVectors.all.flatMap { $0.languages.split(separator: " ") }
        let rules = Set(languages.map { PluralRule(language: String($0)) })
        #expect(rules == Set(PluralRule.allCases))
    }

    @Test(
        "A language has the rule of its tag, else of what it is a form of, else none",
        arguments: [
            ("en-GB", .english), ("EN", .english), ("pt", .french), ("pt-BR", .french),
            ("pt-PT", .italian), ("PT-pt-x-a", .italian), ("pt-AO", .italian), ("pt-US", .french),
            ("sr-Latn-RS", .serbian), ("zh-Hant", .japanese), ("tlh", .japanese), ("", .japanese),
            // Tags of before, which CLDR still takes.
            ("iw", .hebrew), ("sh", .serbian), ("mo", .romanian), ("tl", .filipino),
            ("ji", .english),
        ] as [(String, PluralRule)]
    )
    func language(tag: String, rule: PluralRule) {
        #expect(PluralRule(language: tag) == rule)
    }

    @Test("The greatest number has a category in every language")
    func greatest() {
        let categories = PluralRule.allCases.map { $0.category(of: .max) }
        // 18446744073709551615 ends in 15.
        #expect(Set(categories) == [.other, .many, .few, .zero, .one])
    }
}
