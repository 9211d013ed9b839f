internal import NotificationCore
internal import TestSupport

extension RandomRecords {
    mutating func trigger() throws -> Trigger {
        switch choice([1, 2, 3, 4, 5, 6]) {
        case 1: try interval()
        case 2: try calendar()
        case 3: try anchoredInterval()
        case 4: .at(WallInstant(nanoseconds: number()))
        case 5: try recurrence()
        default:
            .location(
                LocationTrigger(region: try region(), repeats: Bool.random(using: &generator))
            )
        }
    }

    private mutating func calendar() throws -> Trigger {
        var components = CalendarComponents()
        components.hour = maybe { $0.choice([0, 8, 23]) }
        let weekdays: WeekdaySet = choice([[], WeekdaySet(rawValue: 0b101), .all])
        components.weekday = weekdays.isEmpty ? maybe { $0.choice([1, 7]) } : nil
        components.weekdayOrdinal = maybe { $0.choice([-5, -1, 1, 5]) }
        let repeats = Bool.random(using: &generator)
        components.year = choice([1, 2_026, 9_999])
        components.isLeapMonth = maybe { Bool.random(using: &$0.generator) }
        components.timeZone = choice(["", "Europe/Rome"])
        components.minimumDaysInFirstWeek = maybe { $0.choice([1, 7]) }
        return .calendar(
            try CalendarTrigger(
                dateComponents: components,
                weekdays: weekdays,
                repeats: repeats,
                shortMonthPolicy: choice(ShortMonthPolicy.allCases),
                limits: try limits(repeats: repeats)
            )
        )
    }

    private mutating func limits(repeats: Bool) throws -> RecurrenceLimits {
        let days = repeats ? choice([[], [0], Array(-183..<183)]) : []
        return try RecurrenceLimits(
            startAt: maybe { WallInstant(nanoseconds: $0.choice([.min, 0, 1])) },
            endAt: maybe { _ in WallInstant(nanoseconds: .max) },
            maxOccurrences: repeats ? maybe { $0.choice([1, 128, .max]) } : nil,
            skippedDays: days.map { CivilDate(daysSince1970: $0) },
            repeats: repeats
        )
    }

    private mutating func anchoredInterval() throws -> Trigger {
        let repeats = Bool.random(using: &generator)
        let steps: [AnchoredIntervalTrigger.Step] = [
            .interval(Limits.repeatingIntervalNanoseconds),
            .interval(Int64(Limits.intervalNanoseconds)), .calendar(count: 1, .day),
            .calendar(count: 1_000, .week), .calendar(count: 7, .month),
            .calendar(count: 2, .year),
        ]
        let step = choice(steps)
        let isMonthly =
            switch step {
            case .calendar(_, .month), .calendar(_, .year): true
            default: false
            }
        return .anchoredInterval(
            try AnchoredIntervalTrigger(
                anchor: WallInstant(nanoseconds: number()),
                step: step,
                timeZone: choice(["", "Europe/Rome"]),
                shortMonthPolicy: isMonthly ? choice(ShortMonthPolicy.allCases) : .nextDaySameTime,
                repeats: repeats,
                limits: try limits(repeats: repeats),
                localAnchor: maybe { $0.choice([-9_000_000_000, 0, 1, 9_000_000_000]) }
            )
        )
    }

    private mutating func recurrence() throws -> Trigger {
        let repeats = Bool.random(using: &generator)
        let texts: [RecurrenceTrigger.Text?] = [
            nil, .cron("*/15 9-17 L * 1-5"), .rule("FREQ=DAILY"),
            .rule("RRULE:freq=monthly;BYDAY=MO,2TU,-1FR;BYSETPOS=-1;COUNT=12"),
            .rule("FREQ=YEARLY;UNTIL=20991224T180000Z"),
        ]
        let text = choice(texts)
        let moments: [RecurrenceMoment] = [.local(-62_135_596_800), .instant(0), .local(1)]
        let isCron = if case .cron = text { true } else { false }
        return .recurrence(
            try RecurrenceTrigger(
                text: text,
                start: isCron ? nil : choice([-1, 0, 1_795_352_430, 253_402_300_799]),
                addedDates: choice([[], moments, Array(repeating: .local(5), count: 366)]),
                excludedDates: choice([[], moments]),
                timeZone: choice(["", "Europe/Rome"]),
                repeats: repeats,
                limits: try limits(repeats: repeats)
            )
        )
    }

    private mutating func interval() throws -> Trigger {
        let repeats = Bool.random(using: &generator)
        let least = repeats ? Limits.repeatingIntervalNanoseconds : 1
        return .timeInterval(
            try TimeIntervalTrigger(
                intervalNanoseconds: Int64.random(
                    in: least...Int64(Limits.intervalNanoseconds),
                    using: &generator
                ),
                repeats: repeats,
                maxOccurrences: repeats ? maybe { $0.choice([1, .max]) } : nil
            )
        )
    }
}
