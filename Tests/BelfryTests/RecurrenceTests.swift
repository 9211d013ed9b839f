internal import NotificationProtocol
internal import Testing

@testable internal import belfry

struct RecurrenceTests {
    @Test(
        "How often something comes, in words",
        arguments: [
            ("2h", .interval(.seconds(7_200))), ("1.5h", .interval(.seconds(5_400))),
            ("90 minutes", .interval(.seconds(5_400))), ("hour", .interval(.seconds(3_600))),
            ("minute", .interval(.seconds(60))), ("1d12h", .interval(.seconds(129_600))),
            ("day", .step(1, .day)), ("3 days", .step(3, .day)), ("3days", .step(3, .day)),
            ("2w", .step(2, .week)), ("other week", .step(2, .week)), ("Month", .step(1, .month)),
            ("6 months", .step(6, .month)), ("year", .step(1, .year)), ("1d", .step(1, .day)),
            ("monday", .weekdays([.monday])), ("mondays", .weekdays([.monday])),
            ("thursday,monday", .weekdays([.monday, .thursday])),
            ("mon and thu", .weekdays([.monday, .thursday])),
            ("weekday", .weekdays([.monday, .tuesday, .wednesday, .thursday, .friday])),
            ("weekend", .weekdays([.sunday, .saturday])),
            ("mon-wed", .weekdays([.monday, .tuesday, .wednesday])),
            ("sat-mon", .weekdays([.sunday, .monday, .saturday])),
            ("last friday", .ordinal(-1, .friday)), ("first monday", .ordinal(1, .monday)),
            ("2nd tuesday of the month", .ordinal(2, .tuesday)),
            ("second last friday", .ordinal(-2, .friday)),
            ("last day of the month", .dayOfMonth(31)), ("first day", .dayOfMonth(1)),
            ("15th", .dayOfMonth(15)), ("24 dec", .dayOfYear(month: 12, day: 24)),
            ("february 29", .dayOfYear(month: 2, day: 29)), ("crossing", .crossing),
            ("daily", .step(1, .day)), ("weekly", .step(1, .week)), ("monthly", .step(1, .month)),
            ("yearly", .step(1, .year)), ("hourly", .interval(.seconds(3_600))),
            ("fortnight", .step(2, .week)), ("other tuesday", .weeks(2, [.tuesday])),
            ("2 weeks on tuesday and thursday", .weeks(2, [.tuesday, .thursday])),
            ("last working day", .monthly("BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1")),
            ("2nd workday of the month", .monthly("BYDAY=MO,TU,WE,TH,FR;BYSETPOS=2")),
            ("first monday and third friday", .monthly("BYDAY=1MO,3FR")),
            ("P1D", .step(1, .day)), ("P2W", .step(2, .week)), ("p3m", .step(3, .month)),
            ("P1Y", .step(1, .year)), ("PT90M", .interval(.seconds(5_400))),
            ("P1DT2H", .interval(.seconds(93_600))), ("other day", .step(2, .day)),
            ("fortnightly", .step(2, .week)),
            ("other tue and thu", .weeks(2, [.tuesday, .thursday])),
            ("third friday and first monday", .monthly("BYDAY=3FR,1MO")),
        ] as [(String, Recurrence)]
    )
    func parsed(text: String, expected: Recurrence) throws {
        #expect(try Recurrence.parse(text) == expected)
    }

    @Test(
        "A text that says nothing tells what to write",
        arguments: [
            ("", "write 2h"), ("often", "write 2h"), ("5", "write 2h"), ("monday 9:00", "write 2h"),
            ("last", "write 2h"), ("last month", "write 2h"), ("sixth monday", "write 2h"),
            ("last last friday", "write 2h"), ("2026-12-24", "write 2h"), ("d", "write 2h"),
            ("59s", "60s or more"), ("0 days", "1 to 1,000"), ("1001 days", "1 to 1,000"),
            ("32nd", "31 days"), ("0th", "31 days"), ("31 nov", "no day 31 nov"),
            ("other", "write 2h"), ("2 days on tuesday", "write 2h"), ("first working", "write 2h"),
            ("first monday third", "write 2h"), ("mon-", "write 2h"), ("mon--fri", "write 2h"),
            ("99999999999 days", "1 to 1,000"), ("P", "write 2h"), ("PT", "write 2h"),
            ("P1H", "write 2h"), ("PT1D", "write 2h"), ("P0D", "1 to 1,000"), ("PT59S", "60s or"),
            ("P1M2D", "write 2h"), ("-P1D", "write 2h"),
        ]
    )
    func refused(text: String, says: String) {
        #expect {
            try Recurrence.parse(text)
        } throws: { error in
            (error as? TextProblem)?.description.contains(says) == true
        }
    }
}
