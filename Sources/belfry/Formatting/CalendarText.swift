internal import NotificationProtocol

/// Describes the dates of a calendar trigger in words.
enum CalendarText {
    /// Gives for example "every weekday at 09:00", "on 24 Dec 2026 at 18:00", "every last Fri of
    /// the month at 16:00 (Europe/Rome)".
    static func describe(_ calendar: Belfry_V1_CalendarTrigger, _ repeats: Bool) -> String {
        let date = calendar.dateComponents
        let zone = date.timeZone.isEmpty ? "" : " (\(date.timeZone))"
        guard !isUnusual(date), let days = days(calendar, repeats), let time = time(date) else {
            return pattern(date) + (repeats ? ", repeating" : "")
        }
        return [days, time].filter { !$0.isEmpty }.joined(separator: " ") + zone
    }

    /// Whether a component has no words here.
    static func isUnusual(_ date: Belfry_V1_DateComponents) -> Bool {
        date.hasEra || date.hasQuarter || date.hasWeekOfMonth || date.hasWeekOfYear
            || date.hasYearForWeekOfYear || date.hasDayOfYear || date.hasIsLeapMonth
            || !date.calendar.isEmpty
    }

    /// The days that match; `nil` where they have no words here.
    private static func days(_ calendar: Belfry_V1_CalendarTrigger, _ repeats: Bool) -> String? {
        let date = calendar.dateComponents
        let weekdays = date.hasWeekday ? [date.weekday] : calendar.weekdays
        let month = date.hasMonth ? MonthText.short(date.month) : ""
        switch (date.hasYear, date.hasDay, weekdays.isEmpty) {
        case (true, true, true) where date.hasMonth: return "on \(date.day) \(month) \(date.year)"
        case (false, true, true):
            guard !date.hasMonth else {
                return (repeats ? "every " : "on ") + "\(date.day) \(month)"
            }
            let isLast = date.day == 31 && calendar.shortMonthPolicy == .lastDay
            let name = isLast ? "last day" : "day \(date.day)"
            return (repeats ? "every " : "on ") + "\(name) of the month"
        case (false, false, true):
            guard !date.hasMonth, !date.hasWeekdayOrdinal else { return nil }
            return date.hasHour && repeats ? "every day" : repeats ? "every hour" : ""
        case (false, false, false):
            var text = names(weekdays)
            if date.hasWeekdayOrdinal {
                guard let ordinal = ordinal(date.weekdayOrdinal) else { return nil }
                text = "\(ordinal) \(text) of the month"
            }
            let within = date.hasMonth ? " in \(month)" : ""
            return (repeats ? "every " : "on ") + text + within
        default: return nil
        }
    }

    static func names(_ weekdays: [Belfry_V1_Weekday]) -> String {
        let days = weekdays.sorted { $0.rawValue < $1.rawValue }
        switch days {
        case WeekdayText.weekdays: return "weekday"
        case WeekdayText.weekend: return "weekend"
        default: return days.map(WeekdayText.short).joined(separator: ", ")
        }
    }

    static func ordinal(_ number: Int32) -> String? {
        let names = ["first", "second", "third", "fourth", "fifth"]
        guard number != 0, abs(Int(number)) <= names.count else { return nil }
        guard number < 0 else { return names[Int(number) - 1] }
        return number == -1 ? "last" : "\(names[Int(-number) - 1])-last"
    }

    /// The times of a day that match; `nil` where they have no words here.
    private static func time(_ date: Belfry_V1_DateComponents) -> String? {
        let seconds = date.second == 0 ? "" : ":\(padded(date.second))"
        if date.hasHour { return "at \(padded(date.hour)):\(padded(date.minute))\(seconds)" }
        guard date.hasMinute else { return date.hasSecond ? nil : "at 00:00" }
        return "at minute \(date.minute)" + seconds
    }

    /// Writes the usual components as systemd writes calendar events, with a star for any value;
    /// other components become an ellipsis.
    private static func pattern(_ date: Belfry_V1_DateComponents) -> String {
        func part(_ isSet: Bool, _ value: Int32) -> String { isSet ? padded(value) : "*" }
        let day = [
            date.hasYear ? String(date.year) : "*", part(date.hasMonth, date.month),
            part(date.hasDay, date.day),
        ].joined(separator: "-")
        // When a time is set in part, larger parts match any value and smaller parts are 0.
        let hasTime = date.hasHour || date.hasMinute || date.hasSecond
        let time = [
            part(date.hasHour || !hasTime, date.hour),
            part(date.hasMinute || !hasTime || date.hasHour, date.minute),
            part(true, date.second),
        ].joined(separator: ":")
        var words = [day, time]
        if date.hasWeekday { words.insert(WeekdayText.short(date.weekday), at: 0) }
        if isUnusual(date) || date.hasWeekdayOrdinal { words.append("…") }
        if !date.timeZone.isEmpty { words.append(date.timeZone) }
        return words.joined(separator: " ")
    }

    private static func padded(_ value: Int32) -> String {
        value < 10 && value >= 0 ? "0\(value)" : "\(value)"
    }
}
