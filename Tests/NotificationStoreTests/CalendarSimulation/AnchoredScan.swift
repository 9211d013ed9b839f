internal import NotificationCore

/// The next date of an anchored interval, one step after the other from the anchor on (CAL-15).
///
/// Instants are in seconds.
struct AnchoredScan {
    let trigger: AnchoredIntervalTrigger
    let zone: SimulatedZone

    func next(after: Int64) -> Int64? {
        let limits = trigger.limits
        let end = limits.endAt.map(\.wholeSeconds) ?? .max
        let start = limits.startAt.map(\.wholeSeconds) ?? .min
        var step: Int64 = 0
        while true {
            let found = instant(of: step)
            if let found, found > end { return nil }
            if let found, found > after, found >= start, !zone.skips(found, limits) { return found }
            step += 1
            // Each step is a minute at least.
            guard step < 100_000 else { return nil }
        }
    }

    private func instant(of step: Int64) -> Int64? {
        let anchor = trigger.anchor.wholeSeconds
        guard case .calendar(let count, let unit) = trigger.step else {
            guard case .interval(let nanoseconds) = trigger.step else { return nil }
            return anchor + step * nanoseconds / .nanosecondsPerSecond
        }
        let local = trigger.localAnchor.map(Int64.init) ?? anchor + zone.offset(at: anchor)
        if step == 0, local == anchor + zone.offset(at: anchor) { return anchor }
        let midnight = local.floored(by: .secondsPerDay)
        var day = midnight / .secondsPerDay
        switch unit {
        case .day: day += step * Int64(count)
        case .week: day += 7 * step * Int64(count)
        case .month, .year:
            let asked = DayScan.Day(day).day
            // The simulation's anchors are on days that every month has.
            for _ in 0..<step * Int64(count) * (unit == .year ? 12 : 1) {
                day += 28
                while DayScan.Day(day).day != asked { day += 1 }
            }
        }
        let time = day * .secondsPerDay + local - midnight
        guard zone.hasDay(from: day * .secondsPerDay) else { return nil }
        return zone.instants(of: time).first ?? zone.gap(around: time)
    }
}

extension AnchoredScan {
    /// Makes the scan of a recurrence by days or weeks, of which the simulation has no other ones;
    /// nil for another one.
    init?(of recurrence: RecurrenceTrigger, zone: SimulatedZone) {
        guard let start = recurrence.start, case .rule(let rule)? = recurrence.text,
            let count = rule.split(separator: "=").last.flatMap({ Int($0) })
        else { return nil }
        let unit: CalendarUnit
        if rule.hasPrefix("FREQ=DAILY;INTERVAL=") {
            unit = .day
        } else if rule.hasPrefix("FREQ=WEEKLY;INTERVAL=") {
            unit = .week
        } else {
            return nil
        }
        // An anchor that no zone shows at the start: the local time alone counts.
        let anchor = Int64(start - 10 * 86_400) * .nanosecondsPerSecond
        let grid = try? AnchoredIntervalTrigger(
            anchor: WallInstant(nanoseconds: anchor),
            step: .calendar(count: count, unit),
            repeats: recurrence.repeats,
            limits: recurrence.limits,
            localAnchor: start
        )
        guard let grid else { return nil }
        self.init(trigger: grid, zone: zone)
    }
}

extension SimulatedZone {
    /// Whether an instant is on a local day without an occurrence.
    func skips(_ instant: Int64, _ limits: RecurrenceLimits) -> Bool {
        let local = instant + offset(at: instant)
        return limits.skippedDays.contains(
            Int32(local.floored(by: .secondsPerDay) / .secondsPerDay)
        )
    }

    /// Until when occurrences are skipped, where the last skipped local time was known before.
    func end(ofSkipped skipped: SkippedDate) -> Int64 {
        let second = skipped.date.wholeSeconds
        let local = second + Int64(skipped.offsetSeconds)
        guard offset(at: second) != Int64(skipped.offsetSeconds) else { return second }
        return instants(of: local).first ?? gap(around: local) ?? second
    }
}

extension WallInstant {
    /// The whole seconds since 1970 of an instant of the simulation, which has no others.
    var wholeSeconds: Int64 {
        nanoseconds.floored(by: .nanosecondsPerSecond) / .nanosecondsPerSecond
    }
}
