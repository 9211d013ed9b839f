internal import NotificationCore
internal import Testing

/// Gives the seconds from 1970-01-01 00:00:00 to the time of a clock, as `2025-01-15 08:00:00`; a
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

extension ZoneRules {
    /// Gives the time of the zone's clock, and its offset, as `2025-01-15 08:00 -0500`; with
    /// seconds and nanoseconds where there are any.
    func text(_ instant: WallInstant) -> String {
        let offset = offsetSeconds(at: instant)
        let nanosecond = instant.nanoseconds % .nanosecondsPerSecond
        let local = Int((instant.nanoseconds - nanosecond) / .nanosecondsPerSecond) + offset
        let date = CivilDate(daysSince1970: local / 86_400)
        var text = "\(date.year)-\(twoDigits(date.month))-\(twoDigits(date.day)) "
        text += "\(twoDigits(local / 3_600 % 24)):\(twoDigits(local / 60 % 60))"
        if local % 60 != 0 || nanosecond != 0 { text += ":\(twoDigits(local % 60))" }
        if nanosecond != 0 { text += ".\(nanosecond)" }
        let minutes = abs(offset) / 60
        return text + " \(offset < 0 ? "-" : "+")"
            + "\(twoDigits(minutes / 60))\(twoDigits(minutes % 60))"
    }

    private func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Gives the instant of a local time; the second of two with `isSecond`.
    func instant(_ text: String, isSecond: Bool = false) throws -> WallInstant {
        switch meaning(ofLocalSeconds: seconds(text)) {
        case .once(let only): WallInstant(second: only)
        case .twice(let first, let later): WallInstant(second: isSecond ? later : first)
        case .never: try #require(nil, "\(text) was skipped")
        }
    }
}

extension WallInstant {
    /// Makes the instant of a second since 1970.
    init(second: Int) {
        self.init(nanoseconds: Int64(second) * .nanosecondsPerSecond)
    }
}

/// Gives components of which those named are set.
func parts(
    era: Int? = nil,
    year: Int? = nil,
    quarter: Int? = nil,
    month: Int? = nil,
    weekOfMonth: Int? = nil,
    day: Int? = nil,
    dayOfYear: Int? = nil,
    weekday: Int? = nil,
    weekdayOrdinal: Int? = nil,
    hour: Int? = nil,
    minute: Int? = nil,
    second: Int? = nil,
    with more: (inout CalendarComponents) -> Void = { _ in }
) -> CalendarComponents {
    var components = CalendarComponents()
    components.era = era
    components.year = year
    components.quarter = quarter
    components.month = month
    components.weekOfMonth = weekOfMonth
    components.day = day
    components.dayOfYear = dayOfYear
    components.weekday = weekday
    components.weekdayOrdinal = weekdayOrdinal
    components.hour = hour
    components.minute = minute
    components.second = second
    more(&components)
    return components
}

/// Gives up to `limit` firings after `now`, each searched from the one before.
func firings(
    _ trigger: CalendarTrigger,
    after now: WallInstant,
    in zone: ZoneRules,
    limit: Int
) -> [WallInstant] {
    var firings: [WallInstant] = []
    while firings.count < limit,
        let next = trigger.nextFire(after: firings.last ?? now, in: zone)
    {
        firings.append(next)
    }
    return firings
}
