internal import Testing

@testable internal import belfry

@Suite("Keys of a terminal")
struct KeyTests {
    @Test(
        "Bytes become keys",
        arguments: [
            ("jq", [.character("j"), .character("q")]),
            ("\u{1B}[A\u{1B}OB", [.up, .down]),
            ("\u{1B}[5~\u{1B}[6~\u{1B}[H\u{1B}[4~", [.pageUp, .pageDown, .home, .end]),
            ("\u{1B}[1;5C\u{1B}[200~x", [.wordRight, .character("x")]),
            ("\u{1B}[C\u{1B}OD\u{1B}[3~", [.right, .left, .delete]),
            ("\u{1B}[1;5D\u{1B}[1;3D\u{1B}[1;3C", [.wordLeft, .wordLeft, .wordRight]),
            ("\u{1B}b\u{1B}f", [.wordLeft, .wordRight]),
            ("\r\n\u{7F}\u{08}", [.enter, .enter, .backspace, .backspace]),
            ("\u{03}\u{15}\u{01}", [.interrupt, .eraseLine]),
            ("\u{1B}", [.escape]),
            ("\u{1B}\u{1B}", [.escape, .escape]),
            ("\u{1B}xj", [.character("j")]),
            ("é👍", [.character("é"), .character("👍")]),
        ] as [(String, [Key])]
    )
    func decode(_ text: String, _ expected: [Key]) {
        var whole = KeyDecoder()
        #expect(whole.decode(Array(text.utf8)) == expected)
    }

    @Test("A key whose bytes come apart is one key")
    func parts() {
        var decoder = KeyDecoder()
        #expect(decoder.decode([0x1B, 0x5B]) == [])
        #expect(decoder.decode([0x41]) == [.up])
        #expect(decoder.decode([0xF0, 0x9F]) == [])
        #expect(decoder.decode([0x91, 0x8D]) == [.character("👍")])
    }

    @Test("Bytes that are no text are passed over")
    func broken() {
        var decoder = KeyDecoder()
        #expect(
            decoder.decode([0xFF, 0xC3, 0x6A, 0x80, 0xED, 0xA0, 0x80, 0x6B]) == [
                .character("j"), .character("k"),
            ]
        )
    }
}
