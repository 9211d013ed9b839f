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
        maxOccurrences = Int32(clamping: limits.maxOccurrences ?? 0)
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

extension RecurrenceTrigger {
    /// Reads a trigger; adding the request checks that the time zone exists.
    init(
        _ wire: Belfry_V1_RecurrenceTrigger,
        repeats: Bool,
        limits: RecurrenceLimits
    ) throws(Refusal) {
        let text: Text?
        switch wire.text {
        case .rule(let rule): text = .rule(rule)
        case .cron(let cron): text = .cron(cron)
        case nil: text = nil
        }
        var start: Int?
        if !wire.start.isEmpty {
            guard case .local(let local) = RecurrenceMoment(wire.start) else {
                throw .moment([.recurrence, .start], "is a local time, as 20261224T180000")
            }
            start = local
        }
        try self.init(
            text: text,
            start: start,
            addedDates: try Self.moments(wire.addedDates, [.recurrence, .addedDates]),
            excludedDates: try Self.moments(wire.excludedDates, [.recurrence, .excludedDates]),
            timeZone: wire.timeZone,
            repeats: repeats,
            limits: limits
        )
    }

    private static func moments(
        _ texts: [String],
        _ path: FieldPath
    ) throws(Refusal) -> [RecurrenceMoment] {
        guard texts.count <= Limits.recurrenceDates else {
            throw .moment(
                path,
                "names \(texts.count) dates; at most \(Limits.recurrenceDates) are kept"
            )
        }
        var moments: [RecurrenceMoment] = []
        for (index, text) in texts.enumerated() {
            guard let moment = RecurrenceMoment(text) else {
                throw .moment(
                    path[index],
                    "is a local time, as 20261224T180000, or an instant, as 20261224T180000Z"
                )
            }
            moments.append(moment)
        }
        return moments
    }
}

extension Belfry_V1_RecurrenceTrigger {
    init(_ trigger: RecurrenceTrigger) {
        self.init()
        switch trigger.text {
        case .rule(let text): rule = text
        case .cron(let text): cron = text
        case nil: break
        }
        if let start = trigger.start { self.start = RecurrenceMoment.local(start).text }
        addedDates = trigger.addedDates.map(\.text)
        excludedDates = trigger.excludedDates.map(\.text)
        timeZone = trigger.timeZone
    }
}

extension Refusal {
    fileprivate static func moment(_ path: FieldPath, _ problem: String) -> Refusal {
        .invalid(path, problem, reason: .recurrenceInvalid)
    }
}
