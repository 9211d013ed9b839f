internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

// When requests fire (§7.2, §7.3, CAL-11, CAL-14, CAL-15).

/// A refusal, by its reason alone.
struct Refused: Error, Equatable {
    var reason: Reason

    init(_ reason: Reason) { self.reason = reason }
}

/// The reply to an app that skipped an occurrence.
struct Skipped: Equatable {
    var date: WallInstant
    var next: WallInstant?
}

extension CenterModel {
    /// When a request fires after it did so at its due date.
    func following(_ pending: Pending) -> Int64? {
        guard let trigger = pending.request.trigger, let due = pending.due else { return nil }
        let base = pending.addedAt.nanoseconds - WallInstant.newYear.nanoseconds
        return next(trigger, base: base, after: due)
    }

    /// When a trigger fires next after an instant of the elapsed clock.
    func next(_ trigger: Trigger, base: Int64, after now: Int64) -> Int64? {
        switch trigger {
        case .timeInterval(let trigger):
            return Self.next(
                trigger.intervalNanoseconds,
                from: base + trigger.intervalNanoseconds,
                now
            )
        case .calendar(let trigger):
            return next(trigger, after: now)
        case .anchoredInterval(let trigger):
            guard case .interval(let step) = trigger.step else {
                preconditionFailure("the simulation of dates has them")
            }
            let anchor = trigger.anchor.nanoseconds - WallInstant.newYear.nanoseconds
            var found = Self.next(step, from: anchor, now)
            while isTooEarly(found, for: trigger.limits) || isSkipped(found, by: trigger.limits) {
                found += step
            }
            return isTooLate(found, for: trigger.limits) ? nil : found
        case .recurrence(let trigger):
            let scan = CronScan(of: trigger, zone: SimulatedZone(firstOffset: 0))
            let found = scan?.next(after: Self.wall(now).wholeSeconds)
            return found.map { $0 * .nanosecondsPerSecond - WallInstant.newYear.nanoseconds }
        case .at, .location: return nil
        case .push: preconditionFailure("a push is never added")
        }
    }

    /// The first step after an instant, of those that begin with `first`.
    private static func next(_ step: Int64, from first: Int64, _ now: Int64) -> Int64 {
        first > now ? first : first + ((now - first) / step + 1) * step
    }

    /// The hour alone: the clock starts at midnight, in UTC.
    private func next(_ trigger: CalendarTrigger, after now: Int64) -> Int64? {
        let day: Int64 = 86_400_000_000_000
        var found = now / day * day + Int64(trigger.dateComponents.hour ?? 0) * 3_600_000_000_000
        while found <= now || isTooEarly(found, for: trigger.limits)
            || isSkipped(found, by: trigger.limits)
        {
            found += day
        }
        return isTooLate(found, for: trigger.limits) ? nil : found
    }

    private func isTooEarly(_ instant: Int64, for limits: RecurrenceLimits) -> Bool {
        limits.startAt.map { Self.wall(instant) < $0 } ?? false
    }

    private func isTooLate(_ instant: Int64, for limits: RecurrenceLimits) -> Bool {
        limits.endAt.map { Self.wall(instant) > $0 } ?? false
    }

    private func isSkipped(_ instant: Int64, by limits: RecurrenceLimits) -> Bool {
        let day = Self.wall(instant).nanoseconds / 86_400_000_000_000
        return limits.skippedDays.contains(Int32(day))
    }

    /// The app skips the next occurrence, which does not count.
    mutating func skipNext(_ identifier: String) -> Result<Skipped, Refused> {
        guard let skipped = pending[identifier] else {
            return .failure(Refused(.requestNotPending))
        }
        guard let due = skipped.due else { return .failure(Refused(.noNextTriggerDate)) }
        let next = skipped.request.trigger?.repeats == true ? following(skipped) : nil
        pending[identifier]?.due = next
        if next == nil {
            pending[identifier] = nil
            record(.expired(identifier: identifier))
        }
        return .success(Skipped(date: Self.wall(due), next: next.map(Self.wall)))
    }

    /// The time of the wall clock at an instant of the elapsed clock.
    static func wall(_ elapsed: Int64) -> WallInstant {
        WallInstant.newYear.advanced(byNanoseconds: elapsed)
    }
}
