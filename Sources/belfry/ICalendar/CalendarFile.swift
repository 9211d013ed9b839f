internal import Foundation
internal import NotificationProtocol

/// Reads a calendar of RFC 5545: a request for each alarm of its events and to-dos.
enum CalendarFile {
    /// How large a file may be: ten years of a busy calendar have 4 MiB.
    private static let byteLimit = 16 << 20
    /// How many requests a file may be, since a few bytes can ask for many.
    private static let requestLimit = 100_000

    /// Whether a file's text begins as a calendar does.
    static func isCalendar(_ data: Data) -> Bool {
        let text = data.dropByteOrderMark.drop { $0 == 0x20 || (0x09...0x0D).contains($0) }
        return String(decoding: text.prefix(15), as: UTF8.self).uppercased() == "BEGIN:VCALENDAR"
    }

    /// Reads the events and to-dos of a file.
    ///
    /// - Returns: The requests; of what cannot be kept, the problem with its line.
    /// - Throws: The problem, where the whole file cannot be read.
    static func parse(_ data: Data) throws(RequestFile.Problem) -> RequestFile.Content {
        guard data.count <= byteLimit else {
            throw RequestFile.Problem(text: "it is larger than \(byteLimit >> 20) MiB")
        }
        var content = RequestFile.Content(isCalendar: true)
        for calendar in try CalendarComponent.calendars([UInt8](data.dropByteOrderMark)) {
            try checkHead(calendar)
            try read(calendar, into: &content)
        }
        guard !content.entries.isEmpty else {
            throw RequestFile.Problem(text: "there are no events and no to-dos in it")
        }
        return content
    }

    /// Gives the property that became a field of a request, such as
    /// "requests[3].trigger.recurrence.rule"; nil where none did.
    static func property(ofField path: String) -> String? {
        let properties = [
            (".identifier", "UID"), (".content.title", "SUMMARY"), (".content.body", "DESCRIPTION"),
            (".content.subtitle", "LOCATION"), (".recurrence.rule", "RRULE"),
            (".recurrence.start", "DTSTART"), (".recurrence.added_dates", "RDATE"),
            (".recurrence.excluded_dates", "EXDATE"), (".time_zone", "TZID"),
            (".trigger.calendar", "DTSTART"), (".trigger.at", "TRIGGER"),
        ]
        return properties.first { path.contains($0.0) }?.1
    }

    private static func checkHead(_ calendar: CalendarComponent) throws(RequestFile.Problem) {
        if let version = try calendar.single("VERSION"), version.value != "2.0" {
            throw version.problem("is \(version.value.truncated(to: 16)): 2.0 alone is read")
        }
        if let scale = try calendar.single("CALSCALE"), scale.value.uppercased() != "GREGORIAN" {
            throw scale.problem("is \(scale.value.truncated(to: 16)): GREGORIAN alone is read")
        }
        if let method = try calendar.single("METHOD"),
            !["PUBLISH", "REQUEST"].contains(method.value.uppercased())
        {
            throw method.problem(
                "is \(method.value.truncated(to: 16)): PUBLISH and REQUEST alone are read"
            )
        }
    }

    private static func read(
        _ calendar: CalendarComponent,
        into content: inout RequestFile.Content
    ) throws(RequestFile.Problem) {
        let zones = CalendarZones(calendar)
        let entries = calendar.components.filter { $0.name == "VEVENT" || $0.name == "VTODO" }
        var names: Set<String> = []
        // Bounded: the file's bytes.
        var replaced: [String: [CalendarMoment]] = [:]
        var masters: Set<String> = []
        for entry in entries {
            guard let uid = entry.uid else { continue }
            // A line that cannot be read is told where its own entry is read.
            if let moment = try? CalendarEntry.occurrence(of: entry, zones) {
                replaced[uid, default: []].append(moment)
            } else {
                masters.insert(uid)
            }
        }
        for component in calendar.components where component.name != "VTIMEZONE" {
            let isEntry = component.name == "VEVENT" || component.name == "VTODO"
            guard isEntry || !component.name.hasPrefix("X-") else {
                content.leftOut.insert(component.name)
                continue
            }
            do throws(RequestFile.Problem) {
                guard isEntry else {
                    throw component.problem("is no event and no to-do")
                }
                if let problem = component.problem { throw problem }
                let uid = component.uid ?? ""
                let occurrence = try CalendarEntry.occurrence(of: component, zones)
                guard names.insert(uid + "@" + (occurrence?.name ?? "")).inserted else {
                    throw component.problem("has the UID and RECURRENCE-ID of an entry before it")
                }
                let isMaster = occurrence == nil
                // A cancelled occurrence is one that its event leaves out.
                if !isMaster, masters.contains(uid), let status = try component.single("STATUS"),
                    CalendarEntry.isOver(status.value)
                {
                    continue
                }
                let entry = try CalendarEntry(
                    component,
                    zones,
                    replaced: isMaster ? replaced[uid] ?? [] : []
                )
                content.entries += try entry.requests()
                content.leftOut.formUnion(component.leftOut)
            } catch {
                content.entries.append(RequestFile.Entry(place: "", request: .failure(error)))
            }
            guard content.entries.count <= requestLimit else {
                throw RequestFile.Problem(text: "it has more than \(requestLimit) alarms")
            }
        }
    }
}

extension CalendarComponent {
    /// The properties that a request keeps, and those that say nothing to a person.
    private static let kept: Set<String> = [
        "ACTION", "CLASS", "CREATED", "DESCRIPTION", "DTEND", "DTSTAMP", "DTSTART", "DUE",
        "DURATION", "EXDATE", "LAST-MODIFIED", "LOCATION", "RDATE", "RECURRENCE-ID", "REPEAT",
        "RRULE", "SEQUENCE", "STATUS", "SUMMARY", "TRANSP", "TRIGGER", "UID",
    ]

    fileprivate var uid: String? { lines.first { $0.name == "UID" }?.text }

    /// Gives a problem of the component, for a person.
    fileprivate func problem(_ text: String) -> RequestFile.Problem {
        RequestFile.Problem(text: "line \(line): \(name.truncated(to: 32)): \(text)")
    }

    /// The properties and components of an entry that a request has no place for.
    fileprivate var leftOut: Set<String> {
        var names = Set(lines.map(\.name)).subtracting(Self.kept)
        for component in components {
            if component.name == "VALARM" {
                names.formUnion(Set(component.lines.map(\.name)).subtracting(Self.kept))
            } else {
                names.insert(component.name)
            }
        }
        return names
    }
}

extension Data {
    /// The bytes without the mark that some editors write before a text.
    fileprivate var dropByteOrderMark: Data {
        starts(with: [0xEF, 0xBB, 0xBF]) ? dropFirst(3) : self
    }
}
