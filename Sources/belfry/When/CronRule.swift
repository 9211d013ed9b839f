internal import NotificationProtocol

/// The part of a cron expression that one trigger can follow.
enum CronRule: Equatable {
    /// Dates that match, as a calendar trigger has them.
    case calendar(Belfry_V1_CalendarTrigger)
    /// Every so many minutes, `offset` minutes after each full hour.
    case grid(minutes: Int32, offset: Int32)

    /// Turns an expression into the rule of one trigger.
    ///
    /// - Throws: ``TextProblem`` where it takes more than one trigger, with the expressions that
    ///   take one each.
    init(_ cron: CronExpression) throws(TextProblem) {
        if let grid = Self.grid(cron) {
            self = grid
            return
        }
        guard cron.dayOfMonth.isAny || cron.weekday.isAny else {
            throw TextProblem(
                "cron fires on the day of the month and also on the day of the week, which takes "
                    + "two requests: one with '*' for each of the two"
            )
        }
        var trigger = Belfry_V1_CalendarTrigger()
        trigger.dateComponents.minute = try Self.only(cron.minute, "minutes", "an hour")
        if !cron.hour.isAny {
            trigger.dateComponents.hour = try Self.only(cron.hour, "hours", "a day")
        }
        trigger.dateComponents.second = 0
        if !cron.dayOfMonth.isAny {
            trigger.dateComponents.day = try Self.only(cron.dayOfMonth, "days", "a month")
            // Skip a month without the day, as crond does.
            trigger.shortMonthPolicy = .skip
        }
        if !cron.month.isAny {
            trigger.dateComponents.month = try Self.only(cron.month, "months", "a year")
            if cron.dayOfMonth.isAny && cron.weekday.isAny {
                throw TextProblem(
                    "every day of one month takes --every day with --from and --until"
                )
            }
        }
        if !cron.weekday.isAny {
            trigger.set(
                cron.weekday.numbers.compactMap { Belfry_V1_Weekday(rawValue: Int($0) + 1) }
            )
        }
        self = .calendar(trigger)
    }

    /// Gives minutes with equal distances, at any time of any day.
    private static func grid(_ cron: CronExpression) -> CronRule? {
        let isAnyDay = cron.dayOfMonth.isAny && cron.month.isAny && cron.weekday.isAny
        let minutes = cron.minute.numbers
        guard isAnyDay, cron.hour.isAny, minutes.count > 1, 60 % minutes.count == 0 else {
            return nil
        }
        let step = Int32(60 / minutes.count)
        let isEven = zip(minutes, minutes.dropFirst()).allSatisfy { $1 - $0 == step }
        return isEven ? .grid(minutes: step, offset: minutes[0]) : nil
    }

    private static func only(
        _ field: CronExpression.Field,
        _ name: String,
        _ unit: String
    ) throws(TextProblem) -> Int32 {
        guard let only = field.only else {
            throw TextProblem(
                "it names \(field.numbers.count) \(name) of \(unit) and a request has one: add a "
                    + "request for each"
            )
        }
        return only
    }
}

extension Belfry_V1_CalendarTrigger {
    /// Makes the trigger match on some days of the week.
    mutating func set(_ weekdays: [Belfry_V1_Weekday]) {
        switch weekdays.count {
        case 1: dateComponents.weekday = weekdays[0]
        // Set nothing: every day needs no rule.
        case 7: break
        default: self.weekdays = weekdays
        }
    }
}
