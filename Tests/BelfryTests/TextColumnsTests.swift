internal import Testing

@testable internal import belfry

@Suite("Text in the columns of a terminal")
struct TextColumnsTests {
    @Test(
        "Text takes columns as terminals count them",
        arguments: [
            ("", 0), ("tea", 3), ("é", 1), ("e\u{301}", 1), ("茶", 2), ("ｔｅａ", 6), ("한글", 4),
            ("👍", 2), ("🇵🇹", 2), ("☎", 1), ("…", 1), ("│", 1), ("𠀀", 2),
        ]
    )
    func columns(_ text: String, _ expected: Int) {
        #expect(text.columns == expected)
    }

    @Test(
        "What is too long ends with an ellipsis",
        arguments: [
            ("tea", 3, "tea"), ("teas", 3, "te…"), ("tea", 1, "…"), ("tea", 0, ""),
            ("茶茶", 4, "茶茶"), ("茶茶", 3, "茶…"), ("茶茶", 2, "…"), ("e\u{301}e\u{301}", 1, "…"),
        ]
    )
    func fitted(_ text: String, _ limit: Int, _ expected: String) {
        #expect(text.fitted(to: limit) == expected)
        var line = ScreenLine(String(text.prefix(1)))
        line.append(String(text.dropFirst(1)), .bold)
        #expect(line.fitted(to: limit).text == expected)
    }

    @Test(
        "Lines break between words, and in a word that is longer than a line",
        arguments: [
            ("It has drawn.", 20, 2, ["It has drawn."]),
            ("It has drawn.", 6, 3, ["It has", "drawn."]),
            ("It has drawn.", 7, 2, ["It has", "drawn."]),
            ("It has drawn.", 8, 1, ["It has …"]),
            ("It has drawn now", 6, 2, ["It has", "drawn…"]),
            ("abcdefgh", 3, 3, ["abc", "def", "gh"]),
            ("茶茶茶", 3, 3, ["茶", "茶", "茶"]),
            ("茶茶", 1, 3, ["…"]),
            ("", 5, 2, [""]),
        ]
    )
    func wrapped(_ text: String, _ limit: Int, _ count: Int, _ expected: [String]) {
        #expect(text.wrapped(to: limit, lines: count) == expected)
    }
}
