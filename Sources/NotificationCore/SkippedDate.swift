/// The date of the latest occurrence that an app skipped, and the offset of the zone's clock then.
///
/// Occurrences up to that local time stay skipped when the zone changes (CAL-8).
package struct SkippedDate: Hashable, Sendable {
    package var date: WallInstant
    /// The zone's offset at the date, in seconds east of UTC.
    package var offsetSeconds: Int32

    package init(date: WallInstant, offsetSeconds: Int32) {
        self.date = date
        self.offsetSeconds = offsetSeconds
    }

    /// Makes the date of a skipped occurrence of a trigger in a zone.
    package init(_ date: WallInstant, in zone: ZoneRules) {
        self.init(date: date, offsetSeconds: Int32(zone.offsetSeconds(at: date)))
    }

    /// Gives the instant up to which occurrences are skipped, by a zone's rules.
    package func end(in zone: ZoneRules) -> WallInstant {
        guard zone.offsetSeconds(at: date) != Int(offsetSeconds) else { return date }
        let second =
            switch zone.meaning(ofLocalSeconds: date.seconds + Int(offsetSeconds)) {
            case .once(let second), .twice(let second, _), .never(let second, _): second
            }
        return WallInstant(seconds: second, nanosecond: date.nanosecond) ?? date
    }
}
