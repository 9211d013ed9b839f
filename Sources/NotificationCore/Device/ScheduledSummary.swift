/// The digest that collects some apps' notifications for set times of the day (§16.2).
package struct ScheduledSummary: Hashable, Sendable {
    /// Whether the summary collects notifications.
    package var isEnabled = false
    /// When the summary is presented: minutes since midnight on the device's wall clock, 0-1439.
    package var times: [Int] = []
    /// The apps whose notifications wait for the summary.
    ///
    /// Bounded: names of apps, which were validated.
    package var apps: Set<String> = []

    /// Makes a summary that is off.
    package init() {}

    /// Gives when the summary is presented next: strictly after `instant`, at one of ``times``.
    ///
    /// A time that the clock skips means the instant of the skip; a time that comes twice means the
    /// first of the two instants.
    ///
    /// - Returns: The instant; nil where the summary is off or has no times.
    package func nextDate(after instant: WallInstant, in rules: ZoneRules) -> WallInstant? {
        guard isEnabled, !times.isEmpty else { return nil }
        let now = Int(instant.nanoseconds).flooredDivision(by: .nanosecondsPerSecond)
        let today = (now + rules.offsetSeconds(at: instant)).flooredDivision(by: .secondsPerDay)
        let times = times.sorted()
        // End with the day after the next one, for a zone that skips a whole day.
        for day in today...today + 2 {
            for minute in times {
                let local = day * .secondsPerDay + minute * 60
                let seconds =
                    switch rules.meaning(ofLocalSeconds: local) {
                    case .once(let seconds), .twice(let seconds, _): seconds
                    case .never(let change, _): change
                    }
                if seconds > now {
                    return WallInstant(nanoseconds: Int64(seconds) * .nanosecondsPerSecond)
                }
            }
        }
        return nil
    }
}
