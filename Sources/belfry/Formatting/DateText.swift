internal import Foundation
internal import NotificationProtocol

/// Writes instants as people read them.
struct DateText {
    /// The present moment, for relative times.
    let now: Date
    /// The zone of absolute times.
    let zone: TimeZone

    /// Takes the machine's clock and the shell's zone, for dates that are not written by their
    /// distance from now.
    ///
    /// Distances are counted by the server's clock, as in ``Session/dates()``.
    static func current() -> DateText {
        DateText(now: Date(), zone: ShellZone.current.zone)
    }

    /// Writes the local date and time: "2026-01-31 08:00:00".
    func absolute(_ date: Date) -> String {
        let parts = components(of: date)
        return [
            "\(Self.padded(parts.year, to: 4))", "-\(Self.padded(parts.month, to: 2))",
            "-\(Self.padded(parts.day, to: 2)) ", time(date),
        ].joined()
    }

    /// Writes the date as people say it: "Mon 23 Nov 09:00", with seconds and another year than the
    /// present one.
    func plain(_ date: Date) -> String {
        let clock = time(date)
        return day(date) + " " + (clock.hasSuffix(":00") ? String(clock.dropLast(3)) : clock)
    }

    /// Writes the local day: "Mon 23 Nov", with another year than the present one.
    func day(_ date: Date) -> String {
        let parts = components(of: date)
        let weekday = WeekdayText.short(.init(rawValue: parts.weekday ?? 0) ?? .unspecified)
        let text = "\(weekday) \(parts.day ?? 0) \(MonthText.short(Int32(parts.month ?? 0)))"
        return parts.year == components(of: now).year ? text : "\(text) \(parts.year ?? 0)"
    }

    /// Writes the local time alone: "08:00:00".
    func time(_ date: Date) -> String {
        let parts = components(of: date)
        return [parts.hour, parts.minute, parts.second]
            .map { Self.padded($0, to: 2) }.joined(separator: ":")
    }

    /// Writes the distance from now to the nearest second: "in 5m", "2h ago", "now".
    func relative(_ date: Date) -> String {
        let distance = Duration.seconds(date.timeIntervalSince(now).rounded())
        if distance == .zero { return "now" }
        return distance > .zero
            ? "in " + DurationText.format(distance)
            : DurationText.format(.zero - distance) + " ago"
    }

    private func components(of date: Date) -> DateComponents {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar.dateComponents(
            [.year, .month, .day, .weekday, .hour, .minute, .second],
            from: date
        )
    }

    private static func padded(_ number: Int?, to width: Int) -> String {
        let digits = String(number ?? 0)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
