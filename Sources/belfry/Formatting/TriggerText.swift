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
        let zone = TimeZone(identifier: grid.timeZone) ?? dates.zone
        let anchor = DateText(now: dates.now, zone: zone).plain(grid.anchor.date)
        let place = grid.timeZone.isEmpty ? "" : " (\(grid.timeZone))"
        return "every \(step(grid)) from \(anchor)\(place)"
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
