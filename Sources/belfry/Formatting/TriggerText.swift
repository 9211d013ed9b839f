internal import Foundation
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

    /// Gives "every 2 weeks from Tue 1 Dec 10:00", "by FREQ=… from …", "by cron 0 9 * * 1-5".
    private static func recurring(
        _ recurrence: Belfry_V1_RecurrenceTrigger,
        _ repeats: Bool,
        _ dates: DateText
    ) -> String {
        guard repeats else { return "once" }
        let zone = recurrence.timeZone
        let place = zone.isEmpty ? "" : " (\(zone))"
        guard case .rule(let rule) = recurrence.text else {
            return recurrence.cron.isEmpty
                ? "on \(counted(recurrence.addedDates.count, "date"))"
                : "by cron \(recurrence.cron)" + place
        }
        let start =
            startDate(recurrence.start, TimeZone(identifier: zone) ?? dates.zone)
            .map { " from " + plain($0, zone, dates) } ?? place
        return (stepOfRule(rule).map { "every " + $0 } ?? "by \(rule)") + start
    }

    /// Gives the steps of a rule that has nothing else; nil for other rules.
    private static func stepOfRule(_ rule: String) -> String? {
        let units = ["DAILY": "day", "WEEKLY": "week", "MONTHLY": "month", "YEARLY": "year"]
        var unit: String?
        var count = 1
        for part in rule.split(separator: ";") {
            let pair = part.split(separator: "=")
            switch pair.first {
            case "FREQ": unit = pair.last.flatMap { units[String($0)] }
            case "INTERVAL": count = pair.last.flatMap { Int($0) } ?? 1
            case "RSCALE", "SKIP": break
            default: return nil
            }
        }
        return unit.map { counted(count, $0) }
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
