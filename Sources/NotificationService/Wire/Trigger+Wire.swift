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

extension Trigger {
    /// Writes the fields of a `Trigger`.
    func write(to writer: inout WireWriter) {
        writer.put(1, repeats)
        switch self {
        case .timeInterval(let interval):
            var limits = RecurrenceLimits()
            limits.maxOccurrences = interval.maxOccurrences
            writer.put(limits)
            writer.message(3) { $0.put(1, nanoseconds: interval.intervalNanoseconds) }
        case .calendar(let calendar):
            writer.put(calendar.limits)
            writer.put(4, Belfry_V1_CalendarTrigger(calendar))
        case .anchoredInterval(let anchored):
            writer.put(anchored.limits)
            writer.put(7, Belfry_V1_AnchoredIntervalTrigger(anchored))
        case .recurrence(let recurrence):
            writer.put(recurrence.limits)
            writer.put(9, Belfry_V1_RecurrenceTrigger(recurrence))
        case .location(let trigger):
            writer.message(5) { $0.put(1, Belfry_V1_Region(trigger.region)) }
        case .at(let instant): writer.put(8, instant)
        case .push: writer.message(6) { _ in }
        }
    }
}

extension WireWriter {
    fileprivate mutating func put(_ limits: RecurrenceLimits) {
        if !limits.isEmpty { put(2, Belfry_V1_RecurrenceLimits(limits)) }
    }
}

extension Belfry_V1_Trigger {
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
