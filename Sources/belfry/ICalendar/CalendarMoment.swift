internal import Foundation
internal import NotificationCore

/// A moment of a calendar: what the clock shows, and where.
struct CalendarMoment: Equatable {
    enum Place: Equatable {
        /// Wherever the device is.
        case floating
        case utc
        case zone(TimeZone)
    }

    /// The local time, in seconds since 1970 by the clock.
    var local: Int
    var place: Place
    /// Whether it names a day alone, and the clock shows its midnight.
    var isDay = false

    /// Reads one value of a property.
    ///
    /// - Throws: The problem, with the line.
    init(
        _ text: Substring,
        of line: ContentLine,
        in zones: CalendarZones
    ) throws(RequestFile.Problem) {
        guard let moment = RecurrenceMoment(String(text)) else {
            throw line.problem("is no date, as 20261224T180000, 20261224T180000Z or 20261224")
        }
        isDay = text.utf8.count == 8
        let isNamedDay = line.parameter("VALUE")?.uppercased() == "DATE"
        guard isDay || !isNamedDay else {
            throw line.problem("is no date without a time, as VALUE=DATE has it")
        }
        switch moment {
        case .instant(let second): (local, place) = (second, .utc)
        case .local(let second):
            local = second
            if !isDay, let name = line.parameter("TZID") {
                let zone = try zones.zone(name, of: line)
                place = zone.identifier == "GMT" ? .utc : .zone(zone)
            } else {
                place = .floating
            }
        }
    }

    /// The instant, in seconds since 1970; of a floating moment the one in UTC.
    var instant: Int {
        guard case .zone(let zone) = place else { return local }
        let guess = local - zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(local)))
        return local - zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(guess)))
    }

    /// Gives the seconds from a moment to this one: on the clock where both are of one place.
    func seconds(since other: CalendarMoment) -> Int {
        place == other.place ? local - other.local : instant - other.instant
    }

    /// The moment as a recurrence whose start lies in `place` names it, moved by some seconds.
    func moment(from place: Place, movedBy seconds: Int) -> RecurrenceMoment {
        guard self.place == place || self.place == .floating else {
            return .instant(instant + seconds)
        }
        return .local(local + seconds)
    }
}

/// The zones that a calendar names.
struct CalendarZones {
    /// The names that the calendar's own definitions give for another: X-LIC-LOCATION.
    private var locations: [String: String] = [:]

    /// Reads the definitions of a calendar.
    init(_ calendar: CalendarComponent) {
        for zone in calendar.components where zone.name == "VTIMEZONE" {
            guard let name = zone.lines.first(where: { $0.name == "TZID" }),
                let location = zone.lines.first(where: { $0.name == "X-LIC-LOCATION" })
            else { continue }
            locations[name.text] = location.text
        }
    }

    /// Gives the zone of the zone database that a name means: the name itself, its last words, as
    /// in "/example.com/Europe/Lisbon", the location of its definition, or that of a Windows name.
    ///
    /// - Throws: That none is known, with the line.
    func zone(_ name: String, of line: ContentLine) throws(RequestFile.Problem) -> TimeZone {
        // Names longer than this are looked for nowhere.
        let known = name.utf8.count <= 256 ? Self.candidates(name, locations[name]) : []
        for candidate in known {
            if let zone = TimeZone(databaseName: candidate) { return zone }
        }
        throw line.problem(
            "the zone '\(name.truncated(to: 64))' is no name of the zone database, as Europe/Lisbon"
        )
    }

    private static func candidates(_ name: String, _ location: String?) -> [String] {
        let words = name.split(separator: "/")
        let ends = [3, 2].filter { $0 < words.count || name.hasPrefix("/") }
            .map { words.suffix($0).joined(separator: "/") }
        return [name, location, WindowsZones.name(name)].compactMap(\.self) + ends
    }
}

extension WallInstant {
    /// Makes the instant of a second since 1970, or the last or first instant that there is.
    init(second: Int) {
        let (nanoseconds, overflows) = Int64(second).multipliedReportingOverflow(by: 1_000_000_000)
        self.init(nanoseconds: overflows ? (second < 0 ? .min : .max) : nanoseconds)
    }
}
