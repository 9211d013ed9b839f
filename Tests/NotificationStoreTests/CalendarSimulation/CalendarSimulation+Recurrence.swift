internal import NotificationCore
internal import NotificationStore
internal import TestSupport

// Recurrences beyond Apple's (CAL-11, CAL-14..CAL-16, D-28).

extension CalendarSimulation {
    /// Gives a request bounds, weekdays, an anchor or an expiry, by chance.
    mutating func makeRecurrent(_ request: inout NotificationRequest) throws {
        switch request.trigger {
        case .calendar(let trigger)? where trigger.repeats:
            request.trigger =
                switch int(1...6) {
                case 1: try anchored()
                case 2: try recurrence()
                case 3: try crontab()
                default: try .calendar(limited(trigger))
                }
        case .timeInterval(let trigger)? where trigger.repeats && isOne(in: 2):
            request.trigger = .timeInterval(
                try TimeIntervalTrigger(
                    intervalNanoseconds: trigger.intervalNanoseconds,
                    repeats: true,
                    maxOccurrences: Int64(int(1...4))
                )
            )
        default: break
        }
        if request.trigger != nil, isOne(in: 4) {
            request.expiresAfterNanoseconds =
                Int64(oneOf([60, 3_600, 200_000])) * .nanosecondsPerSecond
        }
    }

    private mutating func limited(_ trigger: CalendarTrigger) throws -> CalendarTrigger {
        var components = trigger.dateComponents
        var weekdays: WeekdaySet = []
        if let ordinal = components.weekdayOrdinal, isOne(in: 2) {
            components.weekdayOrdinal = -ordinal
        }
        if components.day == nil, isOne(in: 3) {
            components.weekday = nil
            weekdays = WeekdaySet(rawValue: UInt8(int(1...127)))
        }
        return try CalendarTrigger(
            dateComponents: components,
            weekdays: weekdays,
            repeats: true,
            limits: try limits()
        )
    }

    private mutating func anchored() throws -> Trigger {
        let today = model.wall.floored(by: TimeModel.day) / TimeModel.day
        var day = today + Int64(int(-20...3))
        let steps: [AnchoredIntervalTrigger.Step] = [
            .interval(Int64(int(1...200)) * 1_800 * .nanosecondsPerSecond),
            .calendar(count: int(1...4), .day), .calendar(count: 1, .week),
            .calendar(count: 1, .month),
        ]
        let step = oneOf(steps)
        if case .calendar(_, .month) = step {
            // Choose days that every month has, whatever their zone.
            while !(3...25).contains(DayScan.Day(day).day) { day -= 1 }
        }
        let second = day * .secondsPerDay + Int64(int(0...47)) * 1_800
        return .anchoredInterval(
            try AnchoredIntervalTrigger(
                anchor: WallInstant(nanoseconds: second * .nanosecondsPerSecond),
                step: step,
                timeZone: isOne(in: 2) ? "" : oneOf(ZoneFiles.names),
                repeats: !isOne(in: 4),
                limits: RecurrenceLimits()
            )
        )
    }

    private mutating func recurrence() throws -> Trigger {
        let today = model.wall.floored(by: TimeModel.day) / TimeModel.day
        let day = Int(today) + int(-20...3)
        return .recurrence(
            try RecurrenceTrigger(
                text: .rule(
                    isOne(in: 2) ? "FREQ=DAILY;INTERVAL=\(int(1...4))" : "FREQ=WEEKLY;INTERVAL=1"
                ),
                start: day * 86_400 + int(0...47) * 1_800,
                timeZone: isOne(in: 2) ? "" : oneOf(ZoneFiles.names),
                repeats: true,
                limits: try limits()
            )
        )
    }

    /// Some times of some weekdays, or of each hour, of which some are left out.
    private mutating func crontab() throws -> Trigger {
        func list(_ numbers: [Int]) -> String {
            Set(numbers).sorted().map(String.init).joined(separator: ",")
        }
        let hours = [int(0...4), int(0...23), int(0...23)]
        let weekdays = isOne(in: 2) ? "*" : list((0..<4).map { _ in int(0...6) })
        // Each time that a late firing stands for is looked for: not too many of them.
        let text =
            isOne(in: 4)
            ? "\(oneOf([0, 15, 45])) * * * \(weekdays)"
            : "\(list([0, int(0...3) * 15])) \(list(hours)) * * \(weekdays)"
        let today = Int(model.wall.floored(by: TimeModel.day) / TimeModel.day)
        let excluded = (0..<int(0...6)).map { _ in
            RecurrenceMoment.local((today + int(0...9)) * 86_400 + oneOf(hours) * 3_600)
        }
        return .recurrence(
            try RecurrenceTrigger(
                text: .cron(text),
                excludedDates: excluded,
                timeZone: isOne(in: 2) ? "" : oneOf(ZoneFiles.names),
                repeats: true,
                limits: try limits()
            )
        )
    }

    private mutating func limits() throws -> RecurrenceLimits {
        let today = model.wall.floored(by: TimeModel.day) / TimeModel.day
        func instant(_ days: Int, _ hours: Int) -> WallInstant {
            let second = (today + Int64(days)) * .secondsPerDay + Int64(hours) * 3_600
            return WallInstant(nanoseconds: second * .nanosecondsPerSecond)
        }
        let start = isOne(in: 4) ? int(-3...9) : nil
        let end = isOne(in: 4) ? max(start ?? 0, int(0...20)) : nil
        let skipped = isOne(in: 3) ? (0..<int(1...5)).map { _ in int(0...12) } : []
        return try RecurrenceLimits(
            startAt: start.map { instant($0, int(0...23)) },
            endAt: end.map { instant($0 + 1, 0) },
            maxOccurrences: isOne(in: 3) ? Int64(int(1...5)) : nil,
            skippedDays: Set(skipped).map {
                CivilDate(daysSince1970: Int(today) + $0)
            },
            repeats: true
        )
    }

    /// Skips an occurrence of a request that is pending, or is not.
    mutating func skipNext(of center: Int) async throws {
        let pending = model.centers[center].pending.keys.sorted()
        let identifier = pending.isEmpty || isOne(in: 10) ? "nobody" : oneOf(pending)
        let name = model.centers[center].name
        story.append("skip \(identifier) of \(told(center))")
        let result = await test.result { $0.skipNext(identifier, of: name, completion: $1) }
        guard let expected = model.skip(identifier, of: center) else {
            guard case .failure(let refusal) = result else {
                throw Difference(description: "\(identifier) was skipped and is not pending")
            }
            return try require("refusal", refusal.reason, .requestNotPending)
        }
        let reply = try result.get()
        try require(
            "skipped",
            Self.told(reply.skipped.nanoseconds),
            Self.told(expected.skipped)
        )
        try require(
            "after the skipped",
            reply.nextFire.map { Self.told($0.nanoseconds) } ?? "never",
            expected.next.map(Self.told) ?? "never"
        )
    }

    static func told(_ limits: RecurrenceLimits) -> String {
        limits.isEmpty ? "" : ", \(limits)"
    }
}
