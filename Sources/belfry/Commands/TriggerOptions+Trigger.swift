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
            trigger.repeats = true
            trigger.recurrence.cron = cron
            trigger.recurrence.timeZone = local.zoneName
        } else if let rrule {
            trigger = recurring(rrule, from: start(local), local)
        } else if var at, at.offset != nil, let nanosecond = at.time?.nanosecond {
            at.time?.nanosecond = 0
            trigger.at.seconds = Int64(local.instant(at).seconds)
            trigger.at.nanos = nanosecond
        } else if let at, !at.laterTimes.isEmpty {
            let dates = at.each.map(local.start).sorted()
            trigger.repeats = true
            trigger.recurrence.start = dates[0]
            trigger.recurrence.addedDates = Array(dates.dropFirst())
            trigger.recurrence.timeZone = local.zoneName
        } else if let at, let time = at.time {
            trigger.calendar.dateComponents = once(at, time, local)
        } else if let delay {
            trigger.timeInterval.interval = Google_Protobuf_Duration(rounding: delay)
        } else {
            return nil
        }
        if limits.isSet {
            let bounds = limits.limits(local, isAnchored: trigger.isAnchored)
            if bounds != .init() { trigger.limits = bounds }
        }
        return trigger
    }

    /// Gives the flag that set a field of the request, such as "request.trigger.limits.end_at";
    /// `nil` where none of them did.
    func flag(ofField path: String) -> String? {
        if path.hasSuffix(".time_zone"), zone != nil { return "--zone" }
        let repetition = cron != nil ? "--cron" : rrule != nil ? "--rrule" : "--every"
        let flags = [
            ("request.trigger.limits.start_at", "--from"),
            ("request.trigger.limits.end_at", "--until"),
            ("request.trigger.limits.max_occurrences", "--times"),
            ("request.trigger.limits.skip_dates", "--skip"),
            ("request.trigger.time_interval", every == nil ? "--in" : "--every"),
            ("request.trigger.anchored_interval.anchor", limits.from == nil ? "--at" : "--from"),
            ("request.trigger.anchored_interval", repetition),
            ("request.trigger.recurrence.start", limits.from == nil ? "--at" : "--from"),
            ("request.trigger.recurrence", repetition),
            ("request.trigger.calendar", every == nil ? "--at" : "--every"),
            ("request.trigger.at", "--at"),
            ("request.trigger.location", place.beacon == nil ? "--near" : "--beacon"),
        ]
        return flags.first { path.hasPrefix($0.0) }?.1
    }

    private func repeating(_ every: Recurrence, _ local: LocalTime) -> Belfry_V1_Trigger {
        var trigger = Belfry_V1_Trigger()
        trigger.repeats = true
        var calendar = Belfry_V1_CalendarTrigger()
        if let at, !at.laterTimes.isEmpty, let rule = DayTimes(at).rule(every) {
            return recurring(rule, from: start(at, every, local), local)
        }
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
            // The same as steps of days, and plain to read in a list.
            break
        case .step(1, .year) where at?.day?.isOfYear == true && limits.from == nil:
            // The same as a day of each year, which February 29 is in a common year too.
            if case .dayOfYear(let month, let day)? = at?.day {
                calendar.set(day: day)
                calendar.dateComponents.month = month
            }
        case .step(let count, let unit):
            return recurring(Self.rule(count, unit), from: start(local), local)
        case .weeks(let count, let weekdays):
            let days = weekdays.map(\.ruleName).joined(separator: ",")
            let rule = "FREQ=WEEKLY;INTERVAL=\(count);BYDAY=\(days)"
            return recurring(rule, from: firstStart(weekdays, local), local)
        case .monthly(let parts):
            return recurring("FREQ=MONTHLY;" + parts, from: firstStart([], local), local)
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

    private func recurring(
        _ rule: String,
        from start: String,
        _ local: LocalTime
    ) -> Belfry_V1_Trigger {
        var trigger = Belfry_V1_Trigger()
        trigger.repeats = true
        trigger.recurrence.rule = rule
        trigger.recurrence.start = start
        trigger.recurrence.timeZone = local.zoneName
        return trigger
    }

    /// Gives the rule of steps; in a month without the start's day its last day counts.
    static func rule(_ count: Int32, _ unit: Belfry_V1_CalendarUnit) -> String {
        let interval = count == 1 ? "" : ";INTERVAL=\(count)"
        return switch unit {
        case .week: "FREQ=WEEKLY" + interval
        case .month: "RSCALE=GREGORIAN;FREQ=MONTHLY\(interval);SKIP=BACKWARD"
        case .year: "RSCALE=GREGORIAN;FREQ=YEARLY\(interval);SKIP=BACKWARD"
        case .day, .unspecified, .UNRECOGNIZED: "FREQ=DAILY" + interval
        }
    }

    /// The local time from which a recurrence counts.
    private func start(_ local: LocalTime) -> String {
        if let delay {
            let (seconds, _) = delay.components
            return local.start(local.now + TimeInterval(seconds))
        }
        if var from = limits.from {
            from.time = from.time ?? at?.time
            return local.start(from)
        }
        return at.map(local.start) ?? local.start(local.now)
    }

    /// The local time from which days of the week or the month count: the first of some weekdays
    /// from the first day on, so that every second week begins with it.
    private func firstStart(_ weekdays: [Belfry_V1_Weekday], _ local: LocalTime) -> String {
        let time = at?.time ?? .midnight
        if let from = limits.from {
            return local.start(When(day: from.day ?? .today, time: from.time ?? time))
        }
        let days = weekdays.isEmpty ? [Day.today] : weekdays.map { Day.weekday($0) }
        return days.map { local.start(When(day: $0, time: time)) }.min() ?? local.start(local.now)
    }

    /// The local time from which several times of a day count: the first of a day of which one is
    /// still to come.
    private func start(_ at: When, _ every: Recurrence, _ local: LocalTime) -> String {
        var day = at.last
        if var from = limits.from {
            // A start with a time of its own leaves out the times before it.
            guard from.time == nil else { return local.start(from) }
            from.time = day.time
            day = from
        }
        if limits.from == nil, let days = every.weekdays {
            let texts = days.map { local.start(When(day: .weekday($0), time: day.time)) }
            return firstTime(of: texts.min() ?? local.start(day), at)
        }
        return firstTime(of: local.start(day), at)
    }

    /// Gives the first time of the day of a local time.
    private func firstTime(of start: String, _ at: When) -> String {
        let time = at.time ?? .midnight
        func padded(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return start.prefix(9) + padded(time.hour) + padded(time.minute) + padded(time.second)
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

extension Belfry_V1_Trigger {
    /// Whether the trigger has a first instant of its own, which no limit has to name.
    fileprivate var isAnchored: Bool {
        switch kind {
        case .anchoredInterval: true
        case .recurrence(let recurrence): !recurrence.start.isEmpty
        default: false
        }
    }
}

extension Day {
    fileprivate var isOfYear: Bool {
        if case .dayOfYear = self { true } else { false }
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
    /// Makes the trigger match on some days of the week.
    fileprivate mutating func set(_ weekdays: [Belfry_V1_Weekday]) {
        switch weekdays.count {
        case 1: dateComponents.weekday = weekdays[0]
        // Every day needs no rule.
        case 7: break
        default: self.weekdays = weekdays
        }
    }

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
