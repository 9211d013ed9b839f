internal import Testing

@testable internal import NotificationClient

struct IdempotencyKeyTests {
    @Test("A key is a version 7 UUID with its fields in their places")
    func fields() {
        // The example of RFC 9562, appendix A.6.
        let text = IdempotencyKey.text(
            milliseconds: 0x017F_22E2_79B0,
            count: 0xCC3,
            random: 0x18C4_DC0C_0C07_398F
        )
        #expect(text == "017f22e2-79b0-7cc3-98c4-dc0c0c07398f")
    }

    @Test("Keys sort in the order of their making, also within one second")
    func order() {
        let keys = (0..<10_000).map { _ in IdempotencyKey.make() }
        #expect(keys == keys.sorted())
        #expect(Set(keys).count == keys.count)
    }

    @Test("A place moves on through a full millisecond and through a clock that goes back")
    func advance() {
        var place = IdempotencyKey.Position()
        #expect(place.advance(toSecond: 10) == (10_000, 0))
        #expect(place.advance(toSecond: 10) == (10_000, 1))
        for _ in 2...0xfff { _ = place.advance(toSecond: 9) }
        #expect(place.advance(toSecond: 9) == (10_001, 0))
        #expect(place.advance(toSecond: 11) == (11_000, 0))
    }
}
