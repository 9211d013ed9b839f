internal import Testing

@testable internal import belfry

struct TableTests {
    private let plain = Style(isTerminal: false, environment: [:])

    @Test("Columns line up, and no line ends with spaces")
    func alignment() {
        var table = Table(header: ["NAME", "NEXT", "TITLE"])
        table.append([Table.Cell("tea"), Table.Cell("in 5m"), Table.Cell("Tea")])
        table.append([Table.Cell("stand-up"), Table.Cell("-"), Table.Cell("")])
        #expect(
            table.lines(plain) == [
                "NAME      NEXT   TITLE",
                "tea       in 5m  Tea",
                "stand-up  -",
            ]
        )
    }

    @Test("Colours do not disturb the columns")
    func colors() {
        let style = Style(isTerminal: true, environment: ["TERM": "xterm"])
        var table = Table(header: ["A", "B"])
        table.append([Table.Cell("x", .red), Table.Cell("y")])
        #expect(
            table.lines(style) == [
                "\u{1B}[2mA\u{1B}[0m  \u{1B}[2mB\u{1B}[0m", "\u{1B}[31mx\u{1B}[0m  y",
            ]
        )
    }

    @Test(
        "Colours are for terminals whose owner does not refuse them",
        arguments: [
            (true, [:], true), (false, [:], false), (true, ["NO_COLOR": "1"], false),
            (true, ["NO_COLOR": ""], true), (true, ["TERM": "dumb"], false),
        ] as [(Bool, [String: String], Bool)]
    )
    func choice(isTerminal: Bool, environment: [String: String], isColored: Bool) {
        #expect(Style(isTerminal: isTerminal, environment: environment).isColored == isColored)
    }

    @Test("A title cannot command the terminal that shows it")
    func controlCharacters() {
        #expect(Table.Cell("a\u{1B}[31mb\nc\u{202E}d\u{2028}").text == "a [31mb c d ")
    }

    @Test("A long title is cut off with an ellipsis")
    func truncation() {
        #expect("12345".truncated(to: 5) == "12345")
        #expect("123456".truncated(to: 5) == "1234…")
    }
}
