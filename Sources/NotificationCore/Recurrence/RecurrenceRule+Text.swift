extension RecurrenceRule {
    /// Gives the recurrence rule of RFC 5545 with the times of a crontab; nil where none has them:
    /// where days match by either field, or are the nearest workday.
    ///
    /// - Throws: The fault of the crontab.
    package static func text(ofCron cron: String) throws(RecurrenceTextFault) -> String? {
        let rule = try RecurrenceRule(cron: cron)
        guard !rule.days.areEither, rule.days.nearestWorkdays == 0 else { return nil }
        func numbers(_ bits: UInt64) -> [Int] { (0..<64).filter { bits >> UInt64($0) & 1 != 0 } }
        func part(_ name: String, _ numbers: [Int], of count: Int = .max) -> String? {
            guard !numbers.isEmpty, numbers.count < count else { return nil }
            return ";\(name)=" + numbers.map(String.init).joined(separator: ",")
        }
        let monthDays = numbers(UInt64(rule.days.monthDays))
        let daysFromEnd = numbers(UInt64(rule.days.monthDaysFromEnd)).map { -$0 }
        let weekdays = rule.days.weekdays.weekdays
        let days =
            (weekdays.count == 7 ? [] : weekdays.map { weekdayNames[$0 - 1] })
            + rule.days.ordinalWeekdays.map { "\($0.ordinal)\(weekdayNames[$0.weekday - 1])" }
        let parts = [
            "FREQ=" + (rule.days.ordinalWeekdays.isEmpty ? "DAILY" : "MONTHLY"),
            part("BYMONTH", numbers(UInt64(rule.days.months)), of: 12),
            monthDays.count == 31 ? nil : part("BYMONTHDAY", monthDays + daysFromEnd),
            days.isEmpty ? nil : ";BYDAY=" + days.joined(separator: ","),
            part("BYHOUR", numbers(UInt64(rule.times.hours))),
            part("BYMINUTE", numbers(rule.times.minutes)),
            part("BYSECOND", numbers(rule.times.seconds)),
        ]
        return parts.compactMap(\.self).joined()
    }

    static let weekdayNames = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
}
