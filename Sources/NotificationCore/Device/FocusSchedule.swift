/// Hours of the week in which a Focus is on, in the device's zone (QH-1).
package struct FocusWindow: Hashable, Sendable {
    /// The days on which the window begins: 1 is Sunday, 7 is Saturday; none is every day.
    package var weekdays: [Int]
    /// When it begins: minutes since midnight, 0-1439.
    package var from: Int
    /// When it ends: minutes since midnight, 0-1440; one that is not after ``from`` is on the next
    /// day.
    package var to: Int

    package init(weekdays: [Int] = [], from: Int, to: Int) {
        self.weekdays = weekdays
        self.from = from
        self.to = to
    }

    func begins(onWeekday weekday: Int) -> Bool { weekdays.isEmpty || weekdays.contains(weekday) }
}

/// A Focus that is on at an instant.
package struct ActiveFocus: Hashable, Sendable {
    package var name: String
    /// When its schedule turns it off; nil where it stays on.
    package var until: WallInstant?

    package init(name: String, until: WallInstant?) {
        self.name = name
        self.until = until
    }
}

extension Focus {
    /// How many days a schedule is looked ahead: a window may fall into an hour that the clock
    /// skips, and then comes a week later.
    private static let daysAhead = 15

    /// Whether the Focus is on at an instant: within a window of its schedule, or always where it
    /// has none.
    ///
    /// A time that the clock skips means the instant of the skip, and a time that comes twice the
    /// first of the two instants (§7.3.3); a window that has no length then does not come.
    ///
    /// - Complexity: O(windows · log *n*) in the zone's changes.
    package func isOn(at instant: WallInstant, in rules: ZoneRules) -> Bool {
        guard !schedule.isEmpty else { return true }
        let now = instant.flooredSeconds
        let today = Self.day(of: instant, in: rules)
        // Begin with the day before yesterday, for a zone that skips a whole day.
        return (today - 2...today + 1).contains { day in
            spans(beginningOn: day, in: rules).contains { $0.contains(now) }
        }
    }

    /// When the schedule next turns the Focus on or off; nil where that never happens.
    ///
    /// - Complexity: O((windows · days)²), for the two weeks that are looked ahead.
    package func nextChange(after instant: WallInstant, in rules: ZoneRules) -> WallInstant? {
        guard !schedule.isEmpty else { return nil }
        let now = instant.flooredSeconds
        let today = Self.day(of: instant, in: rules)
        let spans = (today - 2...today + Self.daysAhead)
            .flatMap { self.spans(beginningOn: $0, in: rules) }
            .sorted { $0.lowerBound < $1.lowerBound }
        // Merge windows that touch or overlap.
        var on: Range<Int>?
        for span in spans {
            if let known = on, span.lowerBound <= known.upperBound {
                on = known.lowerBound..<max(known.upperBound, span.upperBound)
                continue
            }
            if let change = on.flatMap({ Self.change(of: $0, after: now) }) {
                return WallInstant(change)
            }
            on = span
        }
        guard let on, let change = Self.change(of: on, after: now) else { return nil }
        // A span that reaches to the end of the days that were looked at has no known end.
        let last = (today + Self.daysAhead) * .secondsPerDay
        return on.lowerBound <= now && on.upperBound > last - 2 * .secondsPerDay
            ? nil : WallInstant(change)
    }

    /// The begin or the end of a span, whichever comes next.
    private static func change(of span: Range<Int>, after now: Int) -> Int? {
        if span.lowerBound > now { return span.lowerBound }
        return span.upperBound > now ? span.upperBound : nil
    }

    private static func day(of instant: WallInstant, in rules: ZoneRules) -> Int {
        (instant.flooredSeconds + rules.offsetSeconds(at: instant))
            .flooredDivision(by: .secondsPerDay)
    }

    /// The windows that begin on a day, in seconds since 1970.
    private func spans(beginningOn day: Int, in rules: ZoneRules) -> [Range<Int>] {
        let weekday = CivilDate.weekday(daysSince1970: day)
        return schedule.compactMap { window in
            guard window.begins(onWeekday: weekday) else { return nil }
            let days = window.to > window.from ? day : day + 1
            let begin = rules.instant(ofMinute: window.from, onDay: day)
            let end = rules.instant(ofMinute: window.to, onDay: days)
            return begin < end ? begin..<end : nil
        }
    }
}

extension DeviceState {
    /// The Focus that is on at an instant; nil where none is.
    package func activeFocus(at instant: WallInstant, in rules: ZoneRules) -> ActiveFocus? {
        guard let focus, focus.isOn(at: instant, in: rules) else { return nil }
        return ActiveFocus(name: focus.name, until: focus.nextChange(after: instant, in: rules))
    }

    /// The state for a decision at an instant: without a Focus that its schedule has turned off.
    package func decisive(at instant: WallInstant, in rules: ZoneRules) -> DeviceState {
        guard let focus, !focus.isOn(at: instant, in: rules) else { return self }
        var state = self
        state.focus = nil
        return state
    }
}

extension ZoneRules {
    /// The instant of a local time, in seconds since 1970; minute 1440 is the next midnight.
    fileprivate func instant(ofMinute minute: Int, onDay day: Int) -> Int {
        switch meaning(ofLocalSeconds: day * .secondsPerDay + minute * 60) {
        case .once(let seconds), .twice(let seconds, _): seconds
        case .never(let change, _): change
        }
    }
}

extension WallInstant {
    fileprivate var flooredSeconds: Int {
        Int(nanoseconds).flooredDivision(by: .nanosecondsPerSecond)
    }

    fileprivate init(_ seconds: Int) {
        self.init(nanoseconds: Int64(seconds) * .nanosecondsPerSecond)
    }
}
