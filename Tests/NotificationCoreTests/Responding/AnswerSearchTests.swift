internal import NotificationCore
internal import Testing

@Suite("What became of a notification that is waited for (RSP-10)")
struct AnswerSearchTests {
    /// Facts in the order of the events, and what follows from them.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let facts: [AnswerFact]
        let isThere: Bool
        let outcome: AnswerOutcome?

        init(
            _ name: String,
            _ facts: [AnswerFact],
            isThere: Bool = false,
            _ outcome: AnswerOutcome?
        ) {
            testDescription = name
            self.facts = facts
            self.isThere = isThere
            self.outcome = outcome
        }
    }

    private static func answer(_ action: String, to delivery: DeliveryNumber) -> Answer {
        Answer(actionIdentifier: action, userText: nil, delivery: delivery)
    }

    @Test(
        "The first of its deliveries that is answered or gone decides",
        arguments: [
            Row("it waits for its time", [], isThere: true, nil),
            Row("it is in the list", [.delivered(3)], isThere: true, nil),
            Row("another takes its place before it fires", [], .unanswered(.replaced)),
            Row("it is removed before it fires", [.passed(.removed)], .unanswered(.removed)),
            Row("it is missed", [.passed(.missed)], .unanswered(.missed)),
            Row("its banner is gone", [.delivered(3)], .unanswered(.expired)),
            Row(
                "it is dismissed",
                [.delivered(3), .left(3, .dismissed)],
                .unanswered(.dismissed)
            ),
            Row(
                "another is dismissed",
                [.delivered(3), .left(4, .dismissed)],
                isThere: true,
                nil
            ),
            Row(
                "it is answered, which takes it from the list first",
                [.delivered(3), .left(3, .dismissed), .answered(answer("yes", to: 3))],
                .answered(answer("yes", to: 3))
            ),
            Row(
                "another is answered",
                [.delivered(3), .answered(answer("yes", to: 2))],
                isThere: true,
                nil
            ),
            Row(
                "an answer to the request before comes behind its delivery",
                [.answered(answer("no", to: 2)), .delivered(3), .answered(answer("yes", to: 3))],
                .answered(answer("yes", to: 3))
            ),
            Row(
                "of two answers the first counts",
                [.delivered(3), .answered(answer("a", to: 3)), .answered(answer("b", to: 3))],
                .answered(answer("a", to: 3))
            ),
            Row(
                "one that repeats is dismissed, and waits for its next time",
                [.delivered(3), .left(3, .dismissed)],
                isThere: true,
                .unanswered(.dismissed)
            ),
            Row(
                "one that repeats comes again unanswered, and is then answered",
                [.delivered(3), .delivered(5), .answered(answer("yes", to: 5))],
                isThere: true,
                .answered(answer("yes", to: 5))
            ),
            Row(
                "a later request of its identifier takes its place",
                [.delivered(3), .left(3, .replaced), .delivered(3)],
                .unanswered(.replaced)
            ),
        ]
    )
    func outcome(row: Row) {
        var search = AnswerSearch()
        for fact in row.facts { search.note(fact) }
        #expect(search.outcome(isThere: row.isThere) == row.outcome)
    }

    @Test("Every cause of a removal is a reason", arguments: 1...5 as ClosedRange<UInt8>)
    func reasons(number: UInt8) throws {
        let cause = try #require(RemovalReason(rawValue: number))
        #expect(NoAnswerReason.allCases.contains(NoAnswerReason(cause)))
    }
}
