internal import Foundation
internal import NotificationCore
internal import NotificationProtocol

/// The definition of a zone in a calendar: VTIMEZONE.
struct ZoneComponent {
    /// A change of the clock.
    private struct Change {
        /// The local time at which it comes, by the clock before it, in seconds since 1970.
        var local: Int
        var from: Int
        var to: Int
        var isDaylight: Bool

        var kind: [Int] { [from, to, isDaylight ? 1 : 0] }
        var date: CivilDate {
            CivilDate(daysSince1970: local.flooredDivision(by: .secondsPerDay))
        }
        var time: Int { local.flooredRemainder(by: .secondsPerDay) }
        /// Whether no such weekday follows in the month.
        var isLast: Bool { date.day + 7 > CivilDate.lengthOfMonth(date.month, year: date.year) }
    }

    private let zone: TimeZone
    private let changes: [Change]

    /// How many years before and after now are defined one change after the other.
    private static let years = 60
    private static let yearsAhead = 8

    /// Finds the changes of a zone that events from `start` on need.
    init(_ zone: TimeZone, from start: Int, now: Int) {
        self.zone = zone
        let year = 366 * .secondsPerDay
        let first = max(start, now - Self.years * year) - year
        func offset(_ second: Int) -> Int {
            zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(second)))
        }
        var changes = [
            Change(
                local: first + offset(first),
                from: offset(first),
                to: offset(first),
                isDaylight: zone.isDaylightSavingTime(
                    for: Date(timeIntervalSince1970: Double(first))
                )
            )
        ]
        var time = Date(timeIntervalSince1970: Double(first))
        while let next = zone.nextDaylightSavingTimeTransition(after: time),
            Int(next.timeIntervalSince1970) < now + Self.yearsAhead * year, next > time
        {
            let second = Int(next.timeIntervalSince1970)
            changes.append(
                Change(
                    local: second + offset(second - 1),
                    from: offset(second - 1),
                    to: offset(second),
                    isDaylight: zone.isDaylightSavingTime(for: next)
                )
            )
            time = next
        }
        self.changes = changes
    }

    var lines: [String] {
        var kinds: [[Int]] = []
        for change in changes where !kinds.contains(change.kind) { kinds.append(change.kind) }
        var lines = ["BEGIN:VTIMEZONE", "TZID:" + zone.name]
        for kind in kinds {
            let changes = changes.filter { $0.kind == kind }
            let tail = Self.yearly(changes)
            let others = Array(changes.dropLast(tail?.count ?? 0))
            if let first = others.first {
                lines += Self.lines(first, others.dropFirst(), nil)
            }
            if let tail { lines += Self.lines(tail.first, [], tail.rule) }
        }
        return lines + ["END:VTIMEZONE"]
    }

    /// The last changes that come on one day of each year, and the rule of that day; nil where none
    /// do.
    private static func yearly(_ changes: [Change]) -> (first: Change, count: Int, rule: String)? {
        guard let last = changes.last else { return nil }
        func tail(_ fits: (Change) -> Bool) -> ArraySlice<Change> {
            var first = changes.count - 1
            while first > 0, changes[first - 1].date.year == changes[first].date.year - 1,
                fits(changes[first - 1])
            {
                first -= 1
            }
            return changes[first...]
        }
        func isAlike(_ change: Change) -> Bool {
            change.date.month == last.date.month && change.time == last.time
                && change.date.weekday == last.date.weekday
        }
        let counted = tail {
            isAlike($0) && $0.date.weekdayOrdinal == last.date.weekdayOrdinal
        }
        let ending = last.isLast ? tail { isAlike($0) && $0.isLast } : []
        let found = ending.count >= counted.count ? ending : counted
        // Fewer years may be alike by chance.
        guard found.count >= yearsAhead - 2, let first = found.first else { return nil }
        let ordinal = ending.count >= counted.count ? -1 : last.date.weekdayOrdinal
        let day = WeekdayText.short(.init(rawValue: last.date.weekday) ?? .sunday)
        return (
            first, found.count,
            "FREQ=YEARLY;BYMONTH=\(last.date.month);BYDAY=\(ordinal)"
                + day.prefix(2).uppercased()
        )
    }

    private static func lines(
        _ first: Change,
        _ others: ArraySlice<Change>,
        _ rule: String?
    ) -> [String] {
        let name = first.isDaylight ? "DAYLIGHT" : "STANDARD"
        var lines = [
            "BEGIN:" + name, "DTSTART:" + RecurrenceMoment.local(first.local).text,
            "TZOFFSETFROM:" + distance(first.from), "TZOFFSETTO:" + distance(first.to),
        ]
        if let rule { lines.append("RRULE:" + rule) }
        if !others.isEmpty {
            let dates = others.map { RecurrenceMoment.local($0.local).text }
            lines.append("RDATE:" + dates.joined(separator: ","))
        }
        return lines + ["END:" + name]
    }

    /// Writes a distance from UTC: "+0530".
    private static func distance(_ seconds: Int) -> String {
        func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let size = abs(seconds)
        return (seconds < 0 ? "-" : "+") + padded(size / 3_600) + padded(size / 60 % 60)
            + (size % 60 == 0 ? "" : padded(size % 60))
    }
}
