internal import Foundation
internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf

/// Describes a trigger in words.
enum TriggerText {
    /// Gives for example "once", "every 1h", "every Mon, Thu at 09:00 (Europe/Rome), 10 times".
    static func describe(_ trigger: Belfry_V1_Trigger, _ dates: DateText) -> String {
        let text =
            switch trigger.kind {
            case .timeInterval(let interval):
                trigger.repeats
                    ? "every " + DurationText.format(Duration(interval.interval)) : "once"
            case .anchoredInterval(let grid): anchored(grid, trigger.repeats, dates)
            case .recurrence(let recurrence): recurring(recurrence, trigger.repeats, dates)
            case .calendar(let calendar): CalendarText.describe(calendar, trigger.repeats)
            case .location(let location): region(location.region, trigger.repeats)
            case .at: "once"
            case .push: "push"
            case nil: ""
            }
        return ([text] + limits(trigger.limits, dates)).joined(separator: ", ")
    }

    private static func anchored(
        _ grid: Belfry_V1_AnchoredIntervalTrigger,
        _ repeats: Bool,
        _ dates: DateText
    ) -> String {
        guard repeats else { return "once" }
        let anchor = plain(grid.anchor.date, grid.timeZone, dates)
        return "every \(step(grid)) from \(anchor)"
    }

    private static func plain(_ date: Date, _ zone: String, _ dates: DateText) -> String {
        let place = zone.isEmpty ? "" : " (\(zone))"
        return DateText(now: dates.now, zone: TimeZone(identifier: zone) ?? dates.zone).plain(date)
            + place
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
        return counted(Int(step.count), unit)
    }

    private static func counted(_ count: Int, _ unit: String) -> String {
        count == 1 ? unit : "\(count) \(unit)s"
    }

    /// Gives "every 2 weeks from Tue 1 Dec 10:00", "every weekday at 09:00, 18:00", "by FREQ=… from
    /// …", "by cron */20 * * * *".
    private static func recurring(
        _ recurrence: Belfry_V1_RecurrenceTrigger,
        _ repeats: Bool,
        _ dates: DateText
    ) -> String {
        guard repeats else { return "once" }
        let zone = recurrence.timeZone
        let place = zone.isEmpty ? "" : " (\(zone))"
        let exceptions =
            (recurrence.text == nil || recurrence.addedDates.isEmpty
                ? "" : ", and on \(counted(recurrence.addedDates.count, "date"))")
            + (recurrence.excludedDates.isEmpty
                ? "" : ", but on \(counted(recurrence.excludedDates.count, "date"))")
        guard case .rule(let rule) = recurrence.text else {
            guard recurrence.cron.isEmpty else {
                let rule = try? RecurrenceRule.text(ofCron: recurrence.cron)
                let words = rule.flatMap { RuleText($0, start: "")?.words }
                return (words ?? "by cron \(recurrence.cron)") + place + exceptions
            }
            let count = recurrence.addedDates.count + (recurrence.start.isEmpty ? 0 : 1)
            return "on \(counted(count, "date"))" + place + exceptions
        }
        let text = RuleText(rule, start: recurrence.start)
        let words = text?.words
        guard words == nil || text?.needsStart == true else {
            return (words ?? "") + place + exceptions
        }
        let start =
            startDate(recurrence.start, TimeZone(identifier: zone) ?? dates.zone)
            .map { " from " + plain($0, zone, dates) } ?? place
        return (words ?? "by \(rule)") + start + exceptions
    }

    private static func startDate(_ text: String, _ zone: TimeZone) -> Date? {
        let digits = text.filter(\.isNumber).compactMap(\.wholeNumberValue)
        guard digits.count >= 14 else { return nil }
        func number(_ places: Range<Int>) -> Int { digits[places].reduce(0) { $0 * 10 + $1 } }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar.date(
            from: DateComponents(
                year: number(0..<4),
                month: number(4..<6),
                day: number(6..<8),
                hour: number(8..<10),
                minute: number(10..<12),
                second: number(12..<14)
            )
        )
    }

    private static func region(_ region: Belfry_V1_Region, _ repeats: Bool) -> String {
        let isOnEntry = !region.hasNotifyOnEntry || region.notifyOnEntry
        let isOnExit = !region.hasNotifyOnExit || region.notifyOnExit
        let act =
            switch (isOnEntry, isOnExit) {
            case (true, true): "crossing"
            case (false, true): "leaving"
            default: "entering"
            }
        return "on \(act) \(region.identifier)" + (repeats ? ", every time" : "")
    }

    private static func limits(
        _ limits: Belfry_V1_RecurrenceLimits,
        _ dates: DateText
    ) -> [String] {
        var texts: [String] = []
        if limits.hasStartAt { texts.append("from " + dates.plain(limits.startAt.date)) }
        if limits.hasEndAt {
            let end = Date(timeIntervalSince1970: TimeInterval(limits.endAt.seconds))
            let isDay = dates.time(end) == "23:59:59"
            texts.append("until " + (isDay ? dates.day(end) : dates.plain(end)))
        }
        let times = limits.maxOccurrences
        if times > 0 { texts.append(times == 1 ? "1 time" : "\(times) times") }
        let days = limits.skipDates.count
        if days > 0 { texts.append(days == 1 ? "but 1 day" : "but \(days) days") }
        return texts
    }
}
