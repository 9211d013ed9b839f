/// The digest that collects some apps' notifications for set times of the day (semantics.md 16.2).
public struct ScheduledSummary: Hashable, Sendable {
    /// Whether it collects.
    public var isEnabled = false
    /// When it is presented: minutes since midnight on the device's wall clock, 0-1439.
    public var times: [Int] = []
    /// The apps whose notifications wait for it.
    public var apps: Set<String> = []

    /// Makes a summary that is off.
    public init() {}

    /// Gives when it is presented next: strictly after the minute `now` of some day.
    ///
    /// - Parameter now: Minutes since midnight.
    /// - Returns: The minute of the day, and whether that is the day after; nil where it is off.
    /// - Complexity: O(times), no allocation.
    public func nextTime(after now: Int) -> (minute: Int, isNextDay: Bool)? {
        guard isEnabled, let first = times.min() else { return nil }
        guard let today = times.lazy.filter({ $0 > now }).min() else { return (first, true) }
        return (today, false)
    }
}
