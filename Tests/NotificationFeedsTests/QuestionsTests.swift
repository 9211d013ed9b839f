internal import NotificationCore
internal import NotificationStore
internal import Testing

@testable internal import NotificationFeeds

@Suite("Questions to a subscriber (RSP-7)")
struct QuestionsTests {
    private static func ends(_ numbers: ClosedRange<UInt64>) -> [CallbackEnd] {
        numbers.map { CallbackEnd(callback: CallbackNumber(rawValue: $0), outcome: .completed) }
    }

    @Test("An end during the making of a message is told after it, and no other is kept for it")
    func partTold() throws {
        var questions = Questions(newest: 3)
        #expect(questions.begin()?.upTo == 3)
        questions.commit(newest: 3, ended: Self.ends(1...2))
        // The message has room for one of them.
        questions.noteAsked(upTo: 1, told: [1])
        #expect(questions.takeEnds().map(\.callback) == [1])
        questions.commit(newest: 9, ended: Self.ends(2...9))
        #expect(questions.endedMeanwhile.isEmpty)
        #expect(questions.begin()?.after == 1)
        questions.commit(newest: 10, ended: Self.ends(10...10))
        questions.noteAsked(upTo: 9, told: [])
        #expect(questions.takeEnds().isEmpty)
    }
}
