internal import NotificationCore
internal import NotificationProtocol

extension Trigger {
    /// Reads a trigger of a kind that this version supports.
    init(_ wire: Belfry_V1_Trigger) throws(Refusal) {
        switch wire.kind {
        case .timeInterval(let interval):
            let nanoseconds =
                interval.hasInterval
                ? try Int64(
                    interval.interval,
                    "time_interval.interval",
                    reason: .timeIntervalInvalid
                ) : 0
            self = .timeInterval(
                try TimeIntervalTrigger(
                    intervalNanoseconds: nanoseconds,
                    repeats: wire.repeats,
                    maxOccurrences: try wire.limitsWithoutDates.maxOccurrences
                )
            )
        case .calendar(let calendar):
            self = .calendar(
                try CalendarTrigger(
                    calendar,
                    repeats: wire.repeats,
                    limits: try RecurrenceLimits(wire.limits, repeats: wire.repeats)
                )
            )
        case .location(let location):
            guard !wire.hasLimits else {
                throw .limitsInvalid([.limits], "a region has no dates: leave the limits out")
            }
            self = .location(
                LocationTrigger(region: try Region(location.region), repeats: wire.repeats)
            )
        case .anchoredInterval(let anchored):
            self = .anchoredInterval(
                try AnchoredIntervalTrigger(
                    anchored,
                    repeats: wire.repeats,
                    limits: try RecurrenceLimits(wire.limits, repeats: wire.repeats)
                )
            )
        case .recurrence(let recurrence):
            self = .recurrence(
                try RecurrenceTrigger(
                    recurrence,
                    repeats: wire.repeats,
                    limits: try RecurrenceLimits(wire.limits, repeats: wire.repeats)
                )
            )
        case .at(let instant):
            guard !wire.repeats else {
                throw .invalid("repeats", "an instant comes once: leave it out")
            }
            guard !wire.hasLimits else {
                throw .limitsInvalid([.limits], "an instant comes once: leave the limits out")
            }
            self = .at(try WallInstant(instant, "at"))
        case .push:
            throw .triggerKind(
                "push",
                "a push trigger marks a remote notification; it is never added"
            )
        case nil:
            throw .triggerKind(
                "kind",
                "must be one known kind; leave the whole trigger out to deliver now"
            )
        }
    }
}

extension Belfry_V1_Trigger {
    init(_ trigger: Trigger) {
        self.init()
        repeats = trigger.repeats
        switch trigger {
        case .timeInterval(let interval):
            timeInterval.interval = .init(nanoseconds: interval.intervalNanoseconds)
            if let count = interval.maxOccurrences { limits.maxOccurrences = Int32(count) }
        case .calendar(let calendar):
            self.calendar = .init(calendar)
            if !calendar.limits.isEmpty { limits = .init(calendar.limits) }
        case .anchoredInterval(let anchored):
            anchoredInterval = .init(anchored)
            if !anchored.limits.isEmpty { limits = .init(anchored.limits) }
        case .recurrence(let recurrence):
            self.recurrence = .init(recurrence)
            if !recurrence.limits.isEmpty { limits = .init(recurrence.limits) }
        case .location(let trigger):
            location.region = .init(trigger.region)
        case .at(let instant): at = .init(instant)
        case .push: push = .init()
        }
    }

    /// Reads the limits of a trigger that waits for no date: only their number can be set.
    fileprivate var limitsWithoutDates: RecurrenceLimits {
        get throws(Refusal) {
            guard hasLimits else { return RecurrenceLimits() }
            let dated: [(Bool, FieldPath)] = [
                (limits.hasStartAt, [.limits, .startAt]),
                (limits.hasEndAt, [.limits, .endAt]),
                (!limits.skipDates.isEmpty, [.limits, .skipDates]),
            ]
            for (isSet, path) in dated where isSet {
                throw .limitsInvalid(
                    path,
                    "elapsed time has no dates: use a calendar or an anchored interval"
                )
            }
            return try RecurrenceLimits(limits, repeats: repeats)
        }
    }
}

extension Refusal {
    fileprivate static func triggerKind(_ path: String, _ problem: String) -> Refusal {
        .invalid(path, problem, reason: .triggerKindInvalid)
    }
}
