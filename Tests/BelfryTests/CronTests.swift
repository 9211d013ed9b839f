internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

struct CronTests {
    private func rule(_ text: String) throws -> CronRule {
        try CronRule(CronExpression.parse(text))
    }

    /// The trigger, as systemd writes calendar events and days of the week.
    private func text(_ rule: CronRule) -> String {
        switch rule {
        case .grid(let minutes, let offset): return "every \(minutes) minutes, \(offset) past"
        case .calendar(let trigger):
            let date = trigger.dateComponents
            func part(_ isSet: Bool, _ value: Int32) -> String { isSet ? "\(value)" : "*" }
            let days = (date.hasWeekday ? [date.weekday] : trigger.weekdays)
                .map(WeekdayText.short).joined(separator: ",")
            let policy = trigger.shortMonthPolicy == .skip ? " skip" : ""
            return "\(days) \(part(date.hasMonth, date.month))-\(part(date.hasDay, date.day)) "
                + "\(part(date.hasHour, date.hour)):\(date.minute):\(date.second)" + policy
        }
    }

    @Test(
        "An expression that one trigger can do",
        arguments: [
            ("0 9 * * 1-5", "Mon,Tue,Wed,Thu,Fri *-* 9:0:0"), ("30 18 * * *", " *-* 18:30:0"),
            ("0 9 * * MON,thu", "Mon,Thu *-* 9:0:0"), ("0 9 * * 7", "Sun *-* 9:0:0"),
            ("0 9 * * 5-7", "Sun,Fri,Sat *-* 9:0:0"), ("0 9 * * 0-7", " *-* 9:0:0"),
            ("0 9 * * */2", "Sun,Tue,Thu,Sat *-* 9:0:0"), ("0 9 * dec mon", "Mon 12-* 9:0:0"),
            ("0 0 31 * *", " *-31 0:0:0 skip"), ("5 4 1 1 *", " 1-1 4:5:0 skip"),
            ("15 * * * *", " *-* *:15:0"), ("15 * * * 6", "Sat *-* *:15:0"),
            ("*/15 * * * *", "every 15 minutes, 0 past"), ("* * * * *", "every 1 minutes, 0 past"),
            ("5,35 * * * *", "every 30 minutes, 5 past"),
            ("10/20 * * * *", "every 20 minutes, 10 past"), ("@daily", " *-* 0:0:0"),
            ("@weekly", "Sun *-* 0:0:0"), ("@monthly", " *-1 0:0:0 skip"),
            ("@hourly", " *-* *:0:0"), ("0 0-0/5 * * *", " *-* 0:0:0"),
        ]
    )
    func parsed(expression: String, expected: String) throws {
        #expect(text(try rule(expression)) == expected)
    }

    @Test(
        "What takes more than one trigger, or is no expression, tells what would do",
        arguments: [
            ("0 9,18 * * *", "2 hours of a day and a request has one"),
            ("0 */2 * * *", "12 hours of a day"), ("* 9 * * *", "60 minutes of an hour"),
            ("*/15 * * * 1-5", "4 minutes of an hour"), ("0,10 * * * *", "2 minutes of an hour"),
            ("0 9 1,15 * *", "2 days of a month"), ("0 9 1 1,7 *", "2 months of a year"),
            ("0 9 13 * 5", "two requests"), ("0 9 * 12 *", "--every day with --from"),
            ("0 9 * *", "five fields"), ("", "five fields"), ("@reboot", "five fields"),
            ("0 0 9 * * 1-5", "five fields"), ("60 9 * * *", "'60' is no minute"),
            ("0 24 * * *", "'24' is no hour"), ("0 9 0 * *", "'0' is no day of the month"),
            ("0 9 * 13 *", "'13' is no month"), ("0 9 * * 8", "'8' is no day of the week"),
            ("0 9 * * mon-", "'' is no day of the week"), ("0 9 * * 5-1", "'5-1' is no day"),
            ("*/0 * * * *", "'*/0' is no minute"), ("1/2/3 * * * *", "'1/2/3' is no minute"),
            ("1,,2 * * * *", "'' is no minute"), ("-5 * * * *", "'' is no minute"),
            ("9999999999999 * * * *", "is no minute"), ("0 9 L * *", "'l' is no day of the month"),
        ]
    )
    func refused(expression: String, says: String) {
        #expect {
            try rule(expression)
        } throws: { error in
            (error as? TextProblem)?.description.contains(says) == true
        }
    }
}
