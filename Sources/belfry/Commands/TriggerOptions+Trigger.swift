internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

extension TriggerOptions {
    /// Gives the trigger of the options, by the present moment and the zone of local times; `nil`
    /// means now.
    func trigger(_ local: LocalTime) -> Belfry_V1_Trigger? {
        var trigger = Belfry_V1_Trigger()
        if let region = place.region {
            trigger.location.region = region
            trigger.repeats = every == .crossing
        } else if let every {
            trigger = repeating(every, local)
        } else if let cron {
            trigger = matching(cron, local)
        } else if var at, at.offset != nil, let nanosecond = at.time?.nanosecond {
            at.time?.nanosecond = 0
            trigger.at.seconds = Int64(local.instant(at).seconds)
            trigger.at.nanos = nanosecond
        } else if let at, let time = at.time {
            trigger.calendar.dateComponents = once(at, time, local)
        } else if let delay {
            trigger.timeInterval.interval = Google_Protobuf_Duration(rounding: delay)
        } else {
            return nil
        }
        if limits.isSet {
            let isAnchored = if case .anchoredInterval = trigger.kind { cron == nil } else { false }
            let bounds = limits.limits(local, isAnchored: isAnchored)
            if bounds != .init() { trigger.limits = bounds }
        }
        return trigger
    }

    /// Gives the flag that set a field of the request, such as "request.trigger.limits.end_at";
    /// `nil` where none of them did.
    func flag(ofField path: String) -> String? {
        if path.hasSuffix(".time_zone"), zone != nil { return "--zone" }
        let repetition = cron == nil ? "--every" : "--cron"
        let flags = [
            ("request.trigger.limits.start_at", "--from"),
            ("request.trigger.limits.end_at", "--until"),
            ("request.trigger.limits.max_occurrences", "--times"),
            ("request.trigger.limits.skip_dates", "--skip"),
            ("request.trigger.time_interval", every == nil ? "--in" : "--every"),
            ("request.trigger.anchored_interval.anchor", limits.from == nil ? "--at" : "--from"),
            ("request.trigger.anchored_interval", repetition),
            ("request.trigger.calendar", every == nil && cron == nil ? "--at" : repetition),
            ("request.trigger.at", "--at"),
            ("request.trigger.location", place.beacon == nil ? "--near" : "--beacon"),
        ]
        return flags.first { path.hasPrefix($0.0) }?.1
    }

    private func repeating(_ every: Recurrence, _ local: LocalTime) -> Belfry_V1_Trigger {
        var trigger = Belfry_V1_Trigger()
        trigger.repeats = true
        var calendar = Belfry_V1_CalendarTrigger()
        switch every {
        case .interval(let interval):
            let length = Google_Protobuf_Duration(rounding: interval)
            if let anchor = anchor(local) {
                trigger.anchoredInterval.anchor = Google_Protobuf_Timestamp(date: anchor)
                trigger.anchoredInterval.interval = length
                trigger.anchoredInterval.timeZone = zoneOfSkippedDays(local)
            } else {
                trigger.timeInterval.interval = length
            }
            return trigger
        case .step(1, .day) where at != nil && at?.day == nil:
            // Take a calendar trigger: it is the same as a grid of days, and plain to read in a
            // list.
            break
        case .step(let count, let unit):
            let anchor = anchor(local) ?? Date(timeIntervalSince1970: local.now.seconds)
            trigger.anchoredInterval.anchor = Google_Protobuf_Timestamp(date: anchor)
            trigger.anchoredInterval.calendarStep.count = count
            trigger.anchoredInterval.calendarStep.unit = unit
            trigger.anchoredInterval.timeZone = local.zoneName
            // Set a policy only for months and years: days and weeks come to no month that is too
            // short.
            if unit == .month || unit == .year {
                trigger.anchoredInterval.shortMonthPolicy = .lastDay
            }
            return trigger
        case .weekdays(let weekdays): calendar.set(weekdays)
        case .ordinal(let ordinal, let weekday):
            calendar.dateComponents.weekday = weekday
            calendar.dateComponents.weekdayOrdinal = ordinal
        case .dayOfMonth(let day): calendar.set(day: day)
        case .dayOfYear(let month, let day):
            calendar.set(day: day)
            calendar.dateComponents.month = month
        case .crossing: break
        }
        calendar.dateComponents.set(at?.time ?? .midnight)
        calendar.dateComponents.timeZone = local.zoneName
        trigger.calendar = calendar
        return trigger
    }

    /// The zone in which days are skipped; empty where none is, as an interval needs no zone.
    private func zoneOfSkippedDays(_ local: LocalTime) -> String {
        limits.skip.isEmpty ? "" : local.zoneName
    }

    /// The first instant of a grid; `nil` where the options name none.
    private func anchor(_ local: LocalTime) -> Date? {
        if let delay {
            let (seconds, attoseconds) = delay.components
            return local.now + TimeInterval(seconds) + TimeInterval(attoseconds) / 1e18
        }
        if var from = limits.from {
            from.time = from.time ?? at?.time
            return local.instant(from)
        }
        if let at { return local.instant(at) }
        // Anchor at now where dates are bounded: elapsed time has no dates, and a grid has.
        return limits.boundsDates ? local.now : nil
    }

    private func matching(_ cron: CronRule, _ local: LocalTime) -> Belfry_V1_Trigger {
        var trigger = Belfry_V1_Trigger()
        trigger.repeats = true
        switch cron {
        case .calendar(var calendar):
            calendar.dateComponents.timeZone = local.zoneName
            trigger.calendar = calendar
        case .grid(let minutes, let offset):
            // Count from the full hours of the zone, which need not be those of UTC.
            let minute = Date(timeIntervalSince1970: (local.now.seconds / 60).rounded(.down) * 60)
            let hour = minute - TimeInterval(local.minute(minute)) * 60
            let anchor = hour + TimeInterval(offset) * 60
            trigger.anchoredInterval.anchor = Google_Protobuf_Timestamp(date: anchor)
            trigger.anchoredInterval.interval.seconds = Int64(minutes) * 60
            trigger.anchoredInterval.timeZone = zoneOfSkippedDays(local)
        }
        return trigger
    }

    private func once(
        _ at: When,
        _ time: TimeOfDay,
        _ local: LocalTime
    ) -> Belfry_V1_DateComponents {
        var components = Belfry_V1_DateComponents()
        if let day = at.day { components.set(local.date(day, time)) }
        components.set(time)
        components.timeZone = local.zoneName
        return components
    }
}

extension Belfry_V1_DateComponents {
    fileprivate mutating func set(_ time: TimeOfDay) {
        hour = time.hour
        minute = time.minute
        second = time.second
        if time.nanosecond > 0 { nanosecond = time.nanosecond }
    }

    fileprivate mutating func set(_ date: Belfry_V1_LocalDate) {
        year = date.year
        month = date.month
        day = date.day
    }
}

extension Belfry_V1_CalendarTrigger {
    /// Makes the trigger match on a day of the month, which is the last where a month is shorter.
    fileprivate mutating func set(day: Int32) {
        dateComponents.day = day
        if day > 28 { shortMonthPolicy = .lastDay }
    }
}

extension Date {
    /// Whole seconds since 1970.
    fileprivate var seconds: TimeInterval { timeIntervalSince1970.rounded(.down) }
}
