internal import NotificationCore
internal import Testing

@Suite("Language tags (L10N-4, D-10)")
struct LanguageTagTests {
    @Test(
        "Where a text is looked for",
        arguments: [
            ([], "en", ["en"]),
            (["de"], "en", ["de", "en"]),
            (["pt-BR"], "en", ["pt-br", "pt", "en"]),
            (["zh-Hant-TW"], "en", ["zh-hant-tw", "zh-hant", "zh", "en"]),
            (["pt-BR", "fr", "pt"], "en", ["pt-br", "pt", "fr", "en"]),
            (["PT-br"], "EN-us", ["pt-br", "pt", "en-us", "en"]),
            (["fr", "en-GB"], "fr-CA", ["fr", "en-gb", "en", "fr-ca"]),
            // RFC 4647 3.4: a part of one letter goes with what it introduces.
            (["de-x-home"], "en", ["de-x-home", "de", "en"]),
            (
                ["zh-Hant-CN-x-private1-private2"], "zh",
                [
                    "zh-hant-cn-x-private1-private2", "zh-hant-cn-x-private1", "zh-hant-cn",
                    "zh-hant", "zh",
                ]
            ),
            (["de-x-a-b"], "en", ["de-x-a-b", "de", "en"]),
        ] as [([String], String, [String])]
    )
    func chain(languages: [String], development: String, expected: [String]) {
        #expect(LanguageTag.chain(of: languages, development: development) == expected)
    }

    @Test(
        "What is a tag",
        arguments: [
            ("en", true), ("pt-BR", true), ("zh-Hant-TW", true), ("es-419", true), ("gsw", true),
            ("a", false), ("", false), ("1a", false), ("en-", false), ("-en", false),
            ("en--US", false), ("en_US", false), ("abcdefghi", false), ("en-abcdefghi", false),
            ("é", false), (String(repeating: "ab-", count: 11) + "ab", true),
            (String(repeating: "ab-", count: 11) + "abc", false),
        ]
    )
    func form(tag: String, isTag: Bool) {
        #expect(LanguageTag.isWellFormed(tag) == isTag)
    }
}
