internal import NotificationProtocol
internal import SwiftProtobuf

/// Describes a trigger in a few words.
enum TriggerText {
    /// Gives for example "once", "every 1h" or "Mon *-*-* 08:00:00, repeating".
    static func describe(_ trigger: Belfry_V1_Trigger) -> String {
        switch trigger.kind {
        case .timeInterval(let interval):
            trigger.repeats ? "every " + DurationText.format(Duration(interval.interval)) : "once"
        case .anchoredInterval(let grid):
            trigger.repeats ? "every " + step(grid) : "once"
        case .calendar(let calendar):
            pattern(calendar.dateComponents) + (trigger.repeats ? ", repeating" : "")
        case .location(let location):
            "at " + location.region.identifier + (trigger.repeats ? ", repeating" : "")
        case .push: "push"
        case nil: ""
        }
    }

    private static func step(_ grid: Belfry_V1_AnchoredIntervalTrigger) -> String {
        guard case .calendarStep(let step) = grid.step else {
            return DurationText.format(Duration(grid.interval))
        }
        let unit =
            switch step.unit {
            case .day: "day"
            case .week: "week"
            case .month: "month"
            case .year: "year"
            case .unspecified, .UNRECOGNIZED: "step"
            }
        let count = step.count
        return count == 1 ? unit : "\(count) \(unit)s"
    }

    /// Writes the usual components as systemd writes calendar events, with a star for any value;
    /// other components become an ellipsis.
    private static func pattern(_ date: Belfry_V1_DateComponents) -> String {
        func part(_ isSet: Bool, _ value: Int32) -> String {
            guard isSet else { return "*" }
            return value < 10 ? "0\(value)" : "\(value)"
        }
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
        if date.hasWeekday { words.insert(weekday(date.weekday), at: 0) }
        let hasMore =
            date.hasEra || date.hasQuarter || date.hasWeekdayOrdinal || date.hasWeekOfMonth
            || date.hasWeekOfYear || date.hasYearForWeekOfYear || date.hasDayOfYear
            || date.hasIsLeapMonth
        if hasMore { words.append("…") }
        if !date.timeZone.isEmpty { words.append(date.timeZone) }
        return words.joined(separator: " ")
    }

    private static func weekday(_ weekday: Belfry_V1_Weekday) -> String {
        let names = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
        return names.indices.contains(weekday.rawValue - 1) ? names[weekday.rawValue - 1] : "?"
    }
}
