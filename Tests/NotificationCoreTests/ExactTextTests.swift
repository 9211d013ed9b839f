internal import NotificationCore
internal import Testing

@Suite("Texts are the same where their bytes are")
struct ExactTextTests {
    private static let composed = "\u{E9}"
    private static let decomposed = "e\u{301}"

    /// One letter with a megabyte of marks: Swift's own equality takes minutes for it.
    private static let marks =
        String(decoding: [0x65], as: UTF8.self)
        + String(repeating: "\u{323}\u{301}", count: 250_000)

    @Test("Texts that look alike are not the same")
    func operators() {
        let (one, other) = (Self.composed, Self.decomposed)
        #expect(!(one == other))
        #expect(one != other)
        #expect(Optional(one) != Optional(other))
        #expect(Optional(one) == Optional(one))
        #expect(other < one)
        #expect(one > other)
        switch other {
        case "\u{E9}": Issue.record("a case of other bytes was taken")
        default: break
        }
    }

    @Test("A key is its bytes")
    func key() {
        let keys: Set<ExactText> = [ExactText(Self.composed), ExactText(Self.decomposed)]
        #expect(keys.count == 2)
        #expect(keys.contains("\u{E9}"))
        #expect(ExactText(Self.decomposed) < ExactText(Self.composed))
    }

    @Test("A megabyte of marks is compared and hashed at once", .timeLimit(.minutes(1)))
    func marks() {
        let (one, other) = (Self.marks + "a", Self.marks + "b")
        #expect(one != other)
        #expect(one < other)
        #expect(!(one == "gregorian"))
        let keys: Set<ExactText> = [ExactText(one), ExactText(other), ExactText(one)]
        #expect(keys.count == 2)
    }
}
