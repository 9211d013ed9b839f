internal import NotificationCore
internal import Testing

/// Gives the seconds from 1970-01-01 00:00:00 to what a clock shows, as `2025-01-15 08:00:00`; a
/// text of the date alone is its midnight.
func seconds(_ text: String) -> Int {
    let parts = text.split { "-: ".contains($0) }.compactMap { Int($0) } + [0, 0, 0]
    guard parts.count >= 6,
        let date = CivilDate(year: parts[0], month: parts[1], day: parts[2])
    else {
        Issue.record("no date: \(text)")
        return 0
    }
    return ((date.daysSince1970 * 24 + parts[3]) * 60 + parts[4]) * 60 + parts[5]
}

/// Gives what a clock shows, as ``seconds(_:)`` reads it, with nanoseconds where there are any.
func text(_ localSeconds: Int, nanosecond: Int = 0) -> String {
    let days = (localSeconds - (localSeconds % 86_400 + 86_400) % 86_400) / 86_400
    let date = CivilDate(daysSince1970: days)
    let second = localSeconds - days * 86_400
    let parts = [date.month, date.day, second / 3_600, second / 60 % 60, second % 60].map { part in
        part < 10 ? "0\(part)" : "\(part)"
    }
    let fraction = nanosecond == 0 ? "" : ".\(nanosecond)"
    return "\(date.year)-\(parts[0])-\(parts[1]) \(parts[2]):\(parts[3]):\(parts[4])\(fraction)"
}

extension ZoneRules {
    /// Gives what the zone's clock shows, with the seconds east of UTC.
    func text(_ instant: WallInstant) -> String {
        let offset = offsetSeconds(at: instant)
        let nanosecond = instant.nanoseconds % .nanosecondsPerSecond
        let second = (instant.nanoseconds - nanosecond) / .nanosecondsPerSecond
        let shown = NotificationCoreTests.text(Int(second) + offset, nanosecond: Int(nanosecond))
        return "\(shown) \(offset)"
    }

    /// Gives the instant of a local time; the second of two with `isSecond`.
    func instant(_ text: String, isSecond: Bool = false) throws -> WallInstant {
        let second: Int
        switch meaning(ofLocalSeconds: seconds(text)) {
        case .once(let only): second = only
        case .twice(let first, let later): second = isSecond ? later : first
        case .never: second = try #require(nil, "\(text) was skipped")
        }
        return WallInstant(nanoseconds: Int64(second) * .nanosecondsPerSecond)
    }
}
