internal import Foundation
internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf

/// The dates of a request as a calendar says them: a start, a rule and dates.
struct WrittenRecurrence: Equatable {
    var place: CalendarMoment.Place
    /// The local time of the start, in seconds since 1970.
    var start: Int
    var rule: String?
    var added: [RecurrenceMoment] = []
    var excluded: [RecurrenceMoment] = []

    /// How many occurrences beside those of the server are left out one by one.
    private static let skipLimit = 16

    /// Gives what the clock of a place shows at an instant, in seconds since 1970.
    ///
    /// `device` is the zone of what floats.
    static func local(_ instant: Int, in place: CalendarMoment.Place, _ device: TimeZone) -> Int {
        let zone: TimeZone
        switch place {
        case .utc: return instant
        case .floating: zone = device
        case .zone(let named): zone = named
        }
        return instant + zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
    }

    /// Gives the place that a trigger's zone names; nil where the zone is not known here.
    static func place(_ zone: String) -> CalendarMoment.Place? {
        switch zone {
        case "": .floating
        case "UTC", "Etc/UTC": .utc
        default: TimeZone(databaseName: zone).map { .zone($0) }
        }
    }

    // MARK: Of triggers

    /// Finds how a calendar says a repeating trigger; nil where it cannot.
    ///
    /// - Parameters:
    ///   - trigger: The trigger.
    ///   - first: The next date, in seconds since 1970.
    ///   - device: The device's zone.
    init?(_ trigger: Belfry_V1_Trigger, first: Int, device: TimeZone) {
        switch trigger.kind {
        case .timeInterval(let interval):
            guard let rule = Self.rule(every: interval.interval) else { return nil }
            self.init(place: .utc, start: first, rule: rule)
        case .anchoredInterval(let grid):
            guard let written = Self.grid(grid, first, device) else { return nil }
            self = written
        case .calendar(let calendar):
            guard let place = Self.place(calendar.dateComponents.timeZone),
                let rule = Self.rule(calendar)
            else { return nil }
            self.init(place: place, start: Self.local(first, in: place, device), rule: rule)
            let date = calendar.dateComponents
            if date.hasHour {
                // A time that the clock skipped is that of the others.
                start = start.flooredDivision(by: .secondsPerDay) * .secondsPerDay
                start += Int((date.hour * 60 + date.minute) * 60 + date.second)
            }
        case .recurrence(let recurrence):
            guard let written = Self.recurrence(recurrence, first, device) else { return nil }
            self = written
        case .location, .push, .at, nil: return nil
        }
        guard bound(trigger.limits, device) else { return nil }
    }

    init(place: CalendarMoment.Place, start: Int, rule: String? = nil) {
        self.place = place
        self.start = start
        self.rule = rule
    }

    private static func rule(every interval: Google_Protobuf_Duration) -> String? {
        guard interval.nanos == 0, interval.seconds > 0 else { return nil }
        let units: [(Int64, String)] = [
            (86_400, "DAILY"), (3_600, "HOURLY"), (60, "MINUTELY"), (1, "SECONDLY"),
        ]
        guard let (length, name) = units.first(where: { interval.seconds % $0.0 == 0 }) else {
            return nil
        }
        return "FREQ=\(name);INTERVAL=\(interval.seconds / length)"
    }

    private static func grid(
        _ grid: Belfry_V1_AnchoredIntervalTrigger,
        _ first: Int,
        _ device: TimeZone
    ) -> WrittenRecurrence? {
        guard case .calendarStep(let step) = grid.step else {
            return rule(every: grid.interval).map {
                WrittenRecurrence(place: .utc, start: first, rule: $0)
            }
        }
        guard let place = place(grid.timeZone), grid.anchor.nanos == 0 else { return nil }
        let frequency: String
        switch step.unit {
        case .day: frequency = "FREQ=DAILY"
        case .week: frequency = "FREQ=WEEKLY"
        case .month: frequency = "FREQ=MONTHLY"
        case .year: frequency = "FREQ=YEARLY"
        case .unspecified, .UNRECOGNIZED: return nil
        }
        let rule = frequency + (step.count == 1 ? "" : ";INTERVAL=\(step.count)")
        let isLong = step.unit == .month || step.unit == .year
        guard let skipping = isLong ? skipping(grid.shortMonthPolicy, rule) : rule else {
            return nil
        }
        let start = local(Int(grid.anchor.seconds), in: place, device)
        return WrittenRecurrence(place: place, start: start, rule: skipping)
    }

    /// Adds to a rule what a month without its day has; nil where no rule says it.
    private static func skipping(_ policy: Belfry_V1_ShortMonthPolicy, _ rule: String) -> String? {
        switch policy {
        case .nextDaySameTime: "RSCALE=GREGORIAN;\(rule);SKIP=FORWARD"
        case .lastDay: "RSCALE=GREGORIAN;\(rule);SKIP=BACKWARD"
        case .skip: rule
        case .nextDayMidnight, .UNRECOGNIZED: nil
        }
    }

    private static func rule(_ calendar: Belfry_V1_CalendarTrigger) -> String? {
        let date = calendar.dateComponents
        guard !CalendarText.isUnusual(date), !date.hasYear else { return nil }
        let weekdays = (date.hasWeekday ? [date.weekday] : calendar.weekdays).map(\.ruleName)
        let days = weekdays.joined(separator: ",")
        let month = date.hasMonth ? ";BYMONTH=\(date.month)" : ""
        let hasDays = date.hasDay || !weekdays.isEmpty || date.hasMonth
        guard date.hasHour || !date.hasMinute && !date.hasSecond else {
            guard !hasDays, date.hasMinute else { return nil }
            return "FREQ=HOURLY;BYMINUTE=\(date.minute);BYSECOND=\(date.second)"
        }
        switch (date.hasDay, weekdays.isEmpty, date.hasWeekdayOrdinal) {
        case (false, true, false) where !date.hasMonth: return "FREQ=DAILY"
        case (false, false, false):
            return (date.hasMonth ? "FREQ=YEARLY" : "FREQ=WEEKLY") + month + ";BYDAY=\(days)"
        case (false, false, true) where weekdays.count == 1:
            return "FREQ=MONTHLY\(month);BYDAY=\(date.weekdayOrdinal)\(days)"
        case (true, true, false):
            let frequency = date.hasMonth ? "FREQ=YEARLY" : "FREQ=MONTHLY"
            let rule = "\(frequency)\(month);BYMONTHDAY=\(date.day)"
            let shortest = date.hasMonth ? MonthText.length(of: date.month, in: 2_027) : 28
            return date.day <= shortest ? rule : skipping(calendar.shortMonthPolicy, rule)
        case (true, false, false) where date.day <= 28:
            return "FREQ=MONTHLY\(month);BYMONTHDAY=\(date.day);BYDAY=\(days)"
        default: return nil
        }
    }

    private static func recurrence(
        _ recurrence: Belfry_V1_RecurrenceTrigger,
        _ first: Int,
        _ device: TimeZone
    ) -> WrittenRecurrence? {
        guard let place = place(recurrence.timeZone) else { return nil }
        var written = WrittenRecurrence(place: place, start: local(first, in: place, device))
        written.added = recurrence.addedDates.compactMap { RecurrenceMoment($0) }
        written.excluded = recurrence.excludedDates.compactMap { RecurrenceMoment($0) }
        if case .cron(let cron) = recurrence.text {
            guard let rule = try? RecurrenceRule.text(ofCron: cron) else { return nil }
            written.rule = rule
            return written
        }
        if case .local(let start) = RecurrenceMoment(recurrence.start) {
            written.start = start
        } else {
            // Dates alone: the first of them is where a calendar begins.
            guard case .local(let start) = written.added.first, recurrence.rule.isEmpty else {
                return nil
            }
            written.start = start
            written.added.removeFirst()
        }
        guard case .rule(let text) = recurrence.text else { return written }
        let isNamed = text.uppercased().hasPrefix("RRULE:")
        written.rule = isNamed ? String(text.dropFirst(6)) : text
        written.beginAtOccurrence()
        return written
    }

    /// Begins a rule with its first occurrence, as calendars take the start for one.
    private mutating func beginAtOccurrence() {
        guard let search = search(),
            let first = search.nextFire(after: WallInstant(second: start - 1), in: .utc)
        else { return }
        var moved = self
        moved.start = Int(first.nanoseconds / 1_000_000_000)
        guard moved.start != start, let other = moved.search() else { return }
        // Keep the start where the rule has other times from another one.
        var (time, otherTime) = (
            WallInstant(second: start - 1), WallInstant(second: moved.start - 1)
        )
        for _ in 0..<50 {
            guard let next = search.nextFire(after: time, in: .utc) else { break }
            guard other.nextFire(after: otherTime, in: .utc) == next else { return }
            (time, otherTime) = (next, next)
        }
        self = moved
    }

    // MARK: Bounds

    /// Adds the bounds of a trigger; false where a calendar cannot say them.
    private mutating func bound(_ limits: Belfry_V1_RecurrenceLimits, _ device: TimeZone) -> Bool {
        guard limits.maxOccurrences == 0 else { return false }
        if limits.hasStartAt, start < Self.local(Int(limits.startAt.seconds), in: place, device) {
            return false
        }
        if limits.hasEndAt {
            let end = Int(limits.endAt.seconds)
            guard let rule, !rule.uppercased().contains("UNTIL="),
                !rule.uppercased().contains("COUNT=")
            else { return false }
            let until: RecurrenceMoment =
                place == .floating ? .local(Self.local(end, in: place, device)) : .instant(end)
            self.rule = "\(rule);UNTIL=\(until.text)"
        }
        guard !limits.skipDates.isEmpty else { return true }
        guard let search = search() else { return false }
        for date in limits.skipDates {
            guard
                let day = CivilDate(
                    year: Int(date.year),
                    month: Int(date.month),
                    day: Int(date.day)
                )
            else { return false }
            var time = WallInstant(second: day.daysSince1970 * .secondsPerDay - 1)
            let end = WallInstant(second: (day.daysSince1970 + 1) * .secondsPerDay)
            while let next = search.nextFire(after: time, in: .utc), next < end {
                guard excluded.count < Limits.recurrenceDates else { return false }
                excluded.append(.local(Int(next.nanoseconds / 1_000_000_000)))
                time = next
            }
        }
        return true
    }

    /// The recurrence as the core searches it; nil where it cannot.
    private func search() -> RecurrenceTrigger? {
        try? RecurrenceTrigger(
            text: rule.map { .rule($0) },
            start: start,
            addedDates: added,
            excludedDates: excluded,
            timeZone: "UTC",
            repeats: true
        )
    }

    // MARK: Comparison

    /// Leaves out the occurrences that the server does not have, such as one that is skipped.
    ///
    /// - Parameters:
    ///   - dates: The server's next dates, in seconds since 1970.
    ///   - now: The instant after which they are the next.
    ///   - device: The device's zone.
    /// - Returns: Whether the dates are those of the server.
    mutating func adjust(to dates: [Int], after now: Int, device: TimeZone) -> Bool {
        guard let search = search(), let rules = rules(device) else { return false }
        var last = WallInstant(second: now)
        var skipped: [RecurrenceMoment] = []
        for date in dates {
            while let next = search.nextFire(after: last, in: rules),
                next < WallInstant(second: date)
            {
                guard skipped.count < Self.skipLimit else { return false }
                let second = Int(next.nanoseconds / 1_000_000_000)
                skipped.append(.local(Self.local(second, in: place, device)))
                last = next
            }
            guard search.nextFire(after: last, in: rules) == WallInstant(second: date) else {
                return false
            }
            last = WallInstant(second: date)
        }
        excluded += skipped
        return excluded.count <= Limits.recurrenceDates
    }

    private func rules(_ device: TimeZone) -> ZoneRules? {
        let name: String
        switch place {
        case .utc: return .utc
        case .floating: name = device.name
        case .zone(let zone): name = zone.name
        }
        guard name != "UTC" else { return .utc }
        let path = "/usr/share/zoneinfo/" + name
        return (try? RegularFile.read(path, upToCount: 1 << 20)).flatMap {
            try? ZoneRules(tzif: $0)
        }
    }
}
