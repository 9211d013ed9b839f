internal import NotificationCore
internal import Testing

@Suite("String tables (L10N-5)")
struct StringTableTests {
    private static func table(
        _ strings: [ExactText: LocalizedString] = [:],
        app: String = "org.example.app",
        language: String = "en"
    ) -> StringTable {
        StringTable(app: app, language: language, strings: strings)
    }

    private static func many(_ count: Int) -> [ExactText: LocalizedString] {
        Dictionary(uniqueKeysWithValues: (0..<count).map { (ExactText("\($0)"), .text("")) })
    }

    private static let large = String(repeating: "x", count: 1024 * 1024 - 1)

    @Test(
        "What is taken",
        arguments: [
            table(), table(many(10_000)), table(["k": .text(large)]), table(["k": .text("")]),
            table(["k": .plural(PluralForms(other: "x"))], language: "pt-BR"),
        ]
    )
    func taken(table: StringTable) throws {
        try table.validate()
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let table: StringTable
        let path: FieldPath
        let reason: Reason

        init(_ name: String, _ table: StringTable, _ path: FieldPath, _ reason: Reason) {
            testDescription = name
            self.table = table
            self.path = path
            self.reason = reason
        }
    }

    @Test(
        "What is refused, by the path of the field",
        arguments: [
            Case("no app", table(app: ""), [.app], .appIDInvalid),
            Case("no app's name", table(app: "a/b"), [.app], .appIDInvalid),
            Case("no language", table(language: ""), [.language], .languageInvalid),
            Case("no language's tag", table(language: "en_US"), [.language], .languageInvalid),
            Case("too many texts", table(many(10_001)), [.strings], .stringTableTooLarge),
            Case(
                "too many bytes",
                table(["kk": .text(large)]),
                [.strings],
                .stringTableTooLarge
            ),
            Case(
                "too many bytes in forms",
                table(["k": .plural(PluralForms(zero: large, other: "x"))]),
                [.strings],
                .stringTableTooLarge
            ),
            Case(
                "a key of nothing",
                table(["": .text("x"), "a": .text("x")]),
                .value(of: "", in: .strings),
                .localizationKeyInvalid
            ),
            Case(
                "a key that is too long",
                table([ExactText(String(repeating: "k", count: 1_025)): .text("x")]),
                .value(of: String(repeating: "k", count: 1_025), in: .strings),
                .localizationKeyInvalid
            ),
            Case(
                "a plural text without other",
                table(["a": .text(""), "b": .plural(PluralForms(one: "x", other: ""))]),
                .value(of: "b", in: .strings).appending(.plural, .other),
                .pluralInvalid
            ),
            Case(
                "the first of two by their bytes",
                table([
                    "é": .plural(PluralForms(other: "")), "z": .plural(PluralForms(other: "")),
                ]),
                .value(of: "z", in: .strings).appending(.plural, .other),
                .pluralInvalid
            ),
        ]
    )
    func refused(row: Case) throws {
        let refusal = try #require(throws: Refusal.self) { try row.table.validate() }
        #expect(refusal.kind == .invalidArgument)
        #expect(refusal.reason == row.reason)
        #expect(refusal.fields.map(\.path) == [row.path])
    }

    @Test("A form that is empty is that of all other numbers", arguments: PluralCategory.allCases)
    func forms(category: PluralCategory) {
        let all = PluralForms(zero: "z", one: "o", two: "t", few: "f", many: "m", other: "x")
        #expect(all[category] == (category == .other ? "x" : String(category.rawValue.prefix(1))))
        #expect(PluralForms(other: "x")[category] == "x")
    }
}
