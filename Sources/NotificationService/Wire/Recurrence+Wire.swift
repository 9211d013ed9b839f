internal import NotificationCore
internal import NotificationProtocol

extension RecurrenceLimits {
    /// Reads the bounds of a trigger.
    init(_ wire: Belfry_V1_RecurrenceLimits, repeats: Bool) throws(Refusal) {
        guard wire.maxOccurrences >= 0 else {
            throw .limitsInvalid([.limits, .maxOccurrences], "must be at least 1, or 0 for none")
        }
        let count = wire.skipDates.count
        guard count <= Limits.skippedDays else {
            throw .limitsInvalid(
                [.limits, .skipDates],
                "names \(count) days; at most \(Limits.skippedDays) are kept"
            )
        }
        var days: [CivilDate] = []
        for (index, date) in wire.skipDates.enumerated() {
            guard (1...9_999).contains(date.year),
                let day = CivilDate(
                    year: Int(date.year),
                    month: Int(date.month),
                    day: Int(date.day)
                )
            else {
                throw .limitsInvalid(
                    ([.limits, .skipDates] as FieldPath)[index],
                    "is no day of the years 1 to 9999"
                )
            }
            days.append(day)
        }
        try self.init(
            startAt: wire.hasStartAt
                ? try WallInstant(
                    wire.startAt,
                    "limits.start_at",
                    reason: .recurrenceLimitsInvalid
                ) : nil,
            endAt: wire.hasEndAt
                ? try WallInstant(
                    wire.endAt,
                    "limits.end_at",
                    reason: .recurrenceLimitsInvalid
                ) : nil,
            maxOccurrences: wire.maxOccurrences == 0 ? nil : Int64(wire.maxOccurrences),
            skippedDays: days,
            repeats: repeats
        )
    }
}

extension Belfry_V1_RecurrenceLimits {
    init(_ limits: RecurrenceLimits) {
        self.init()
        if let start = limits.startAt { startAt = .init(start) }
        if let end = limits.endAt { endAt = .init(end) }
        maxOccurrences = Int32(limits.maxOccurrences ?? 0)
        skipDates = limits.skippedDays.map { number in
            let day = CivilDate(daysSince1970: Int(number))
            var date = Belfry_V1_LocalDate()
            date.year = Int32(day.year)
            date.month = Int32(day.month)
            date.day = Int32(day.day)
            return date
        }
    }
}

extension AnchoredIntervalTrigger {
    /// Reads an interval trigger; adding the request checks that the time zone exists.
    init(
        _ wire: Belfry_V1_AnchoredIntervalTrigger,
        repeats: Bool,
        limits: RecurrenceLimits
    ) throws(Refusal) {
        let path = "anchored_interval"
        guard wire.hasAnchor else { throw .invalid("\(path).anchor", "is required") }
        let step: Step
        switch wire.step {
        case .interval(let interval):
            step = .interval(
                try Int64(interval, "\(path).interval", reason: .timeIntervalInvalid)
            )
        case .calendarStep(let wire):
            step = .calendar(
                count: Int(wire.count),
                try choice(wire.unit, "\(path).calendar_step.unit")
            )
        case nil:
            throw .invalid("\(path).step", "needs an interval or a calendar step")
        }
        try self.init(
            anchor: try WallInstant(wire.anchor, "\(path).anchor"),
            step: step,
            timeZone: wire.timeZone,
            shortMonthPolicy: try choice(
                wire.shortMonthPolicy,
                "\(path).short_month_policy"
            ),
            repeats: repeats,
            limits: limits
        )
    }
}

extension Belfry_V1_AnchoredIntervalTrigger {
    init(_ trigger: AnchoredIntervalTrigger) {
        self.init()
        anchor = .init(trigger.anchor)
        switch trigger.step {
        case .interval(let nanoseconds): interval = .init(nanoseconds: nanoseconds)
        case .calendar(let count, let unit):
            calendarStep.count = Int32(count)
            calendarStep.unit = .init(rawValue: Int(unit.rawValue)) ?? .day
        }
        timeZone = trigger.timeZone
        shortMonthPolicy = .init(rawValue: Int(trigger.shortMonthPolicy.rawValue)) ?? .skip
    }
}
