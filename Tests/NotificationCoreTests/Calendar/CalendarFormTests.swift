internal import NotificationCore
internal import Testing

@Suite("Calendar triggers: what is refused (V22, CAL-5, D-11)")
struct CalendarFormTests {
    /// A component, and the least and the greatest number that it may have.
    struct Part: Sendable, CustomTestStringConvertible {
        let field: Field
        let range: ClosedRange<Int>
        let set: @Sendable (inout CalendarComponents, Int) -> Void
        var testDescription: String { field.rawValue }

        init(
            _ field: Field,
            _ range: ClosedRange<Int>,
            _ set: @escaping @Sendable (inout CalendarComponents, Int) -> Void
        ) {
            self.field = field
            self.range = range
            self.set = set
        }

        static let all = [
            Part(.era, 0...1) { $0.era = $1 },
            Part(.year, 1...9_999) { $0.year = $1 },
            Part(.month, 1...12) { $0.month = $1 },
            Part(.day, 1...31) { $0.day = $1 },
            Part(.hour, 0...23) { $0.hour = $1 },
            Part(.minute, 0...59) { $0.minute = $1 },
            Part(.second, 0...59) { $0.second = $1 },
            Part(.nanosecond, 0...999_999_999) { $0.nanosecond = $1 },
            Part(.weekday, 1...7) { $0.weekday = $1 },
            Part(.weekdayOrdinal, -5...5) { $0.weekdayOrdinal = $1 },
            Part(.quarter, 1...4) { $0.quarter = $1 },
            Part(.weekOfMonth, 1...6) { $0.weekOfMonth = $1 },
            Part(.weekOfYear, 1...53) { $0.weekOfYear = $1 },
            Part(.yearForWeekOfYear, 1...9_999) { $0.yearForWeekOfYear = $1 },
            Part(.dayOfYear, 1...366) { $0.dayOfYear = $1 },
            Part(.firstWeekday, 1...7) { $0.firstWeekday = $1 },
            Part(.minimumDaysInFirstWeek, 1...7) { $0.minimumDaysInFirstWeek = $1 },
        ]
    }

    @Test("V22: A component out of its range is refused by its name", arguments: Part.all)
    func range(part: Part) throws {
        for number in [part.range.lowerBound, part.range.upperBound] {
            let components = parts(hour: 9) { part.set(&$0, number) }
            let trigger = try CalendarTrigger(dateComponents: components, repeats: false)
            #expect(trigger.dateComponents == components)
        }
        for number in [part.range.lowerBound - 1, part.range.upperBound + 1, .min, .max] {
            let components = parts(hour: 9) { part.set(&$0, number) }
            let refusal = try #require(
                #expect(throws: Refusal.self) {
                    _ = try CalendarTrigger(dateComponents: components, repeats: true)
                }
            )
            #expect(refusal.kind == .invalidArgument)
            #expect(refusal.reason == .dateComponentsInvalid)
            #expect(refusal.fields.map(\.path) == [[.calendar, .dateComponents, part.field]])
            let bounds =
                part.field == .weekdayOrdinal
                ? "must be 1 to 5, or -1 to -5 from the end"
                : "must be \(part.range.lowerBound) to \(part.range.upperBound)"
            #expect(refusal.fields.map(\.problem) == [bounds])
            #expect(refusal.unErrorCode == nil)
        }
    }

    @Test(
        "V22: Components of which none can match are refused as no date",
        arguments: [
            CalendarComponents(), parts { $0.timeZone = "Asia/Tokyo" },
            parts { $0.firstWeekday = 2 }, parts { $0.minimumDaysInFirstWeek = 4 },
        ]
    )
    func empty(components: CalendarComponents) throws {
        let refusal = try #require(
            #expect(throws: Refusal.self) {
                _ = try CalendarTrigger(dateComponents: components, repeats: false)
            }
        )
        #expect(refusal == .noDate([.calendar, .dateComponents]))
        #expect(refusal.kind == .invalidArgument)
        #expect(refusal.reason == .notificationInvalidNoDate)
        #expect(refusal.unErrorCode == 1_400)
    }

    @Test(
        "CAL-9: Components in range that match no date have no next one",
        arguments: [
            parts(month: 2, day: 30, weekday: 2), parts(era: 0, hour: 8), parts(era: 1),
            parts(month: 1, dayOfYear: 32), parts(quarter: 1, month: 4), parts(year: 2_086),
            parts(year: 2_024), parts(hour: 8) { $0.isLeapMonth = true },
            parts { $0.isLeapMonth = false }, parts(day: 8, weekdayOrdinal: 1),
            parts(month: 6) { $0.weekOfYear = 1 }, parts(weekOfMonth: 6, day: 22),
        ]
    )
    func neverMatches(components: CalendarComponents) throws {
        let trigger = try CalendarTrigger(dateComponents: components, repeats: true)
        let now = try ZoneRules.utc.instant("2025-01-15 08:00")
        #expect(trigger.nextFire(after: now, in: .utc) == nil)
        let end = WallInstant(nanoseconds: .max)
        #expect(trigger.passed(from: now, to: end, in: .utc).earlierCount == 0)
    }

    @Test(
        "CAL-13: A nanosecond alone, or with only an era, sets nothing and is refused by name",
        arguments: [
            parts { $0.nanosecond = 0 }, parts { $0.nanosecond = 500 },
            parts(era: 1) { $0.nanosecond = 500 },
            parts { components in
                components.nanosecond = 1
                components.timeZone = "Europe/Rome"
                components.firstWeekday = 2
            },
        ]
    )
    func loneNanosecond(components: CalendarComponents) {
        let refusal = #expect(throws: Refusal.self) {
            try CalendarTrigger(dateComponents: components, repeats: true)
        }
        #expect(refusal?.reason == .dateComponentsInvalid)
        #expect(refusal?.fields.map(\.path) == [[.calendar, .dateComponents, .nanosecond]])
    }

    @Test("What every day has, such as the common era, does not change a date")
    func everyDayHas() throws {
        let components = parts(era: 1, hour: 8) { $0.isLeapMonth = false }
        let trigger = try CalendarTrigger(dateComponents: components, repeats: true)
        let now = try ZoneRules.utc.instant("2025-01-15 08:00")
        #expect(
            firings(trigger, after: now, in: .utc, limit: 2).map(ZoneRules.utc.text)
                == ["2025-01-16 08:00 +0000", "2025-01-17 08:00 +0000"]
        )
    }
}
