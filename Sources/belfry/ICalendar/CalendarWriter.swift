internal import Foundation
internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf

/// Writes requests as a calendar of RFC 5545: an event with an alarm at its start for each.
struct CalendarWriter {
    /// The present moment of the server, in seconds since 1970.
    private let now: Int
    /// The zone of what floats.
    private let device: TimeZone
    private var events: [[String]] = []
    private var zones: [String: TimeZone] = [:]
    private var firstStart: Int
    /// The requests of which the next dates alone are written, since no rule says them all.
    private(set) var withDatesAlone: [String] = []
    /// The requests that have more to show than a calendar has a place for.
    private(set) var shortened: [String] = []
    /// The requests that have no date.
    private(set) var dateless: [String] = []

    init(now: Date, device: TimeZone) {
        self.now = Int(now.timeIntervalSince1970.rounded(.down))
        self.device = device
        firstStart = self.now
    }

    /// Adds a request with its next dates, the first one first.
    mutating func add(
        _ request: Belfry_V1_NotificationRequest,
        _ dates: [Google_Protobuf_Timestamp]
    ) {
        // Nothing comes early: a calendar has whole seconds.
        let dates = dates.map { Int($0.seconds) + ($0.nanos > 0 ? 1 : 0) }
        guard let first = dates.first else {
            dateless.append(request.identifier)
            return
        }
        let recurrence = recurrence(of: request, dates, first)
        if case .zone(let zone) = recurrence.place { zones[zone.name] = zone }
        firstStart = min(firstStart, recurrence.start)
        var lines = [
            "BEGIN:VEVENT", "UID:" + Self.escaped(request.identifier),
            "DTSTAMP:" + RecurrenceMoment.instant(now).text,
        ]
        lines += self.lines(recurrence)
        let content = request.content
        lines.append("SUMMARY:" + Self.escaped(content.title))
        if !content.subtitle.isEmpty { lines.append("LOCATION:" + Self.escaped(content.subtitle)) }
        if !content.body.isEmpty { lines.append("DESCRIPTION:" + Self.escaped(content.body)) }
        lines += ["BEGIN:VALARM", "TRIGGER:PT0S"]
        lines +=
            content.hasSound
            ? ["ACTION:AUDIO"] : ["ACTION:DISPLAY", "DESCRIPTION:" + Self.escaped(content.title)]
        lines += ["END:VALARM", "END:VEVENT"]
        events.append(lines)
        if !Self.isWhole(request) { shortened.append(request.identifier) }
    }

    /// The calendar.
    var text: String {
        var lines = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Belfry//\(Belfry.version)//EN"]
        for zone in zones.values.sorted(by: { $0.name < $1.name }) {
            lines += ZoneComponent(zone, from: firstStart, now: now).lines
        }
        lines += events.joined()
        lines.append("END:VCALENDAR")
        return lines.map { Self.folded($0) + "\r\n" }.joined()
    }

    private mutating func recurrence(
        of request: Belfry_V1_NotificationRequest,
        _ dates: [Int],
        _ first: Int
    ) -> WrittenRecurrence {
        let trigger = request.trigger
        guard trigger.repeats else {
            let zone =
                switch trigger.kind {
                case .calendar(let calendar): calendar.dateComponents.timeZone
                case .recurrence(let recurrence): recurrence.timeZone
                default: "UTC"
                }
            let place = WrittenRecurrence.place(zone) ?? .utc
            let local = WrittenRecurrence.local(first, in: place, device)
            return WrittenRecurrence(place: place, start: local)
        }
        if var recurrence = WrittenRecurrence(trigger, first: first, device: device),
            recurrence.adjust(to: dates, after: now, device: device)
        {
            return recurrence
        }
        withDatesAlone.append(request.identifier)
        var recurrence = WrittenRecurrence(place: .utc, start: first)
        recurrence.added = dates.dropFirst().prefix(Limits.recurrenceDates)
            .map { RecurrenceMoment.instant($0) }
        return recurrence
    }

    /// Whether an event has a place for all of a request's content.
    private static func isWhole(_ request: Belfry_V1_NotificationRequest) -> Bool {
        var rest = request
        rest.identifier = ""
        rest.clearTrigger()
        rest.content.title = ""
        rest.content.subtitle = ""
        rest.content.body = ""
        if rest.content.sound == .init() { rest.content.clearSound() }
        rest.content.badgeMode = .set
        return rest == .with { $0.content = .init() }
    }

    private func lines(_ recurrence: WrittenRecurrence) -> [String] {
        func line(_ name: String, _ moments: [RecurrenceMoment], _ end: String) -> String? {
            guard !moments.isEmpty else { return nil }
            return name + ":" + moments.map { $0.text + end }.joined(separator: ",")
        }
        func lines(_ name: String, _ moments: [RecurrenceMoment]) -> [String] {
            let locals = moments.filter { if case .local = $0 { true } else { false } }
            let instants = moments.filter { if case .instant = $0 { true } else { false } }
            let (parameter, end) =
                switch recurrence.place {
                case .floating: ("", "")
                case .utc: ("", "Z")
                case .zone(let zone): (";TZID=\(zone.name)", "")
                }
            return [line(name + parameter, locals, end), line(name, instants, "")]
                .compactMap(\.self)
        }
        return lines("DTSTART", [.local(recurrence.start)])
            + (recurrence.rule.map { ["RRULE:" + $0] } ?? [])
            + lines("RDATE", recurrence.added) + lines("EXDATE", recurrence.excluded)
    }

    /// Escapes a text (RFC 5545, 3.3.11); control characters, which it may not have, are left out.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\", ";", ",": escaped += "\\" + String(scalar)
            case "\n": escaped += "\\n"
            case "\t": escaped.unicodeScalars.append(scalar)
            default:
                guard scalar.properties.generalCategory != .control else { continue }
                escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Folds a line into lines of 75 bytes, none of which cuts a character (RFC 5545, 3.1).
    private static func folded(_ line: String) -> String {
        var folded = ""
        var count = 0
        for scalar in line.unicodeScalars {
            let length = UTF8.width(scalar)
            if count + length > 75 {
                folded += "\r\n "
                count = 1
            }
            folded.unicodeScalars.append(scalar)
            count += length
        }
        return folded
    }
}
