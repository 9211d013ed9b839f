internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

// The requests that apps add.

extension Simulation {
    mutating func request() throws -> NotificationRequest {
        let identifier = someIdentifier()
        let kind = Int.random(in: 0..<7, using: &generator)
        let seconds = Int.random(in: 1...9, using: &generator) * 20
        let badge = Int32.random(in: -3...3, using: &generator)
        let isSilent = Int.random(in: 0..<6, using: &generator) == 0
        let isDate = kind == 4
        let isPlace = kind > 4
        var request: NotificationRequest = try .titled(
            identifier,
            in: kind == 0 || isDate || isPlace ? nil : .seconds(kind == 1 ? seconds + 60 : seconds),
            repeats: kind == 1
        ) { content in
            if badge >= 0 { content.badge = badge }
            content.badgeMode = seconds % 40 == 0 ? .set : .increment
            content.body = String(repeating: "x", count: seconds * 5)
            if isSilent {
                content.title = ""
                content.body = ""
                content.sound = Sound()
            }
        }
        if isDate { request.trigger = try date(byChance: seconds / 20) }
        if kind == 1, seconds % 40 == 0 {
            request.trigger = .timeInterval(
                try TimeIntervalTrigger(
                    intervalNanoseconds: Duration.seconds(seconds + 60).nanoseconds,
                    repeats: true,
                    maxOccurrences: Int64.random(in: 1...4, using: &generator)
                )
            )
        }
        if isPlace {
            let region = try region(byChance: seconds / 20)
            let repeats = Bool.random(using: &generator)
            request.trigger = .location(LocationTrigger(region: region, repeats: repeats))
        }
        if Int.random(in: 0..<4, using: &generator) == 0 {
            request.replacementKey = someIdentifier()
        }
        return request
    }

    /// Some hours of each day, or of one, or steps from an anchor.
    private mutating func date(byChance number: Int) throws -> Trigger {
        let repeats = Bool.random(using: &generator)
        let limits = repeats ? try recurrenceLimits() : RecurrenceLimits()
        if Int.random(in: 0..<3, using: &generator) == 0 {
            let anchor = Int.random(in: -9...9, using: &generator) * 600
            return .anchoredInterval(
                try AnchoredIntervalTrigger(
                    anchor: members[0].model.wall + .seconds(anchor),
                    step: .interval(Duration.seconds(number * 600).nanoseconds),
                    repeats: repeats,
                    limits: limits
                )
            )
        }
        if Bool.random(using: &generator) {
            let text = "\(number % 3 * 20) \(number),\(number + 3),\(number * 2) * * *"
            return .recurrence(
                try RecurrenceTrigger(text: .cron(text), repeats: repeats, limits: limits)
            )
        }
        var components = CalendarComponents()
        components.hour = number
        return .calendar(
            try CalendarTrigger(dateComponents: components, repeats: repeats, limits: limits)
        )
    }

    /// Some of the bounds of a recurrence (CAL-11).
    private mutating func recurrenceLimits() throws -> RecurrenceLimits {
        let now = members[0].model.wall
        let chance = Int.random(in: 0..<16, using: &generator)
        let start = chance & 1 == 0 ? nil : Int.random(in: 0...60, using: &generator) * 1_800
        let end = chance & 2 == 0 ? nil : Int.random(in: 0...90, using: &generator) * 1_800
        let today = Int(now.nanoseconds / 86_400_000_000_000)
        let skipped = chance & 4 == 0 ? [] : [today, today + 2]
        return try RecurrenceLimits(
            startAt: start.map { now + .seconds($0) },
            endAt: end.map { now + .seconds((start ?? 0) + $0) },
            maxOccurrences: chance & 8 == 0 ? nil : Int64.random(in: 1...4, using: &generator),
            skippedDays: skipped.map { CivilDate(daysSince1970: $0) },
            repeats: true
        )
    }

    /// The app skips an occurrence of a request, which may have none.
    mutating func skipNext(_ index: Int) async throws {
        let pending = members[index].model.pending.keys.sorted(by: Self.byBytes)
        let identifier = pending.randomElement(using: &generator) ?? "a"
        let name = members[index].name
        let result = await test.result { $0.skipNext(identifier, of: name, completion: $1) }
        let found = result.mapError { Refused($0.reason) }
            .map { Skipped(date: $0.skipped, next: $0.nextFire) }
        try require("skipped", found, members[index].model.skipNext(identifier))
    }
}
