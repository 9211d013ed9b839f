internal import Foundation
internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf

/// An event or a to-do of a calendar, as the requests of its alarms; without one, as the request of
/// its start.
struct CalendarEntry {
    /// One moment at which an entry tells of itself.
    private struct Alarm {
        enum Moment {
            /// So many seconds after the start of each occurrence.
            case relative(Int)
            /// Once, at an instant in seconds since 1970.
            case absolute(Int)
        }

        /// The line that a problem names.
        var line: ContentLine
        var moment: Moment
        var text = ""
        var hasSound = false
    }

    private let entry: CalendarComponent
    private let zones: CalendarZones
    private let identifier: String
    /// Where an occurrence is that stands for one of the event's: RECURRENCE-ID.
    private let occurrence: CalendarMoment?
    private let start: CalendarMoment
    private let startLine: ContentLine
    private let rule: ContentLine?
    private let added: [CalendarMoment]
    private let excluded: [CalendarMoment]

    /// How many alarms of an entry are read, with those that are repeated.
    private static let alarmLimit = 32
    /// The longest distance that is read: 10 years.
    private static let distanceLimit = 10 * 366 * 86_400

    /// Reads an entry.
    ///
    /// - Parameters:
    ///   - entry: The event or to-do.
    ///   - zones: The zones of its calendar.
    ///   - replaced: The occurrences that other entries stand for.
    /// - Throws: The first problem, with its line.
    init(
        _ entry: CalendarComponent,
        _ zones: CalendarZones,
        replaced: [CalendarMoment]
    ) throws(RequestFile.Problem) {
        self.entry = entry
        self.zones = zones
        if let status = try entry.single("STATUS"), Self.isOver(status.value) {
            throw status.problem("is \(status.value.truncated(to: 16)): nothing is left to tell of")
        }
        if let completed = try entry.single("COMPLETED") {
            throw completed.problem("the to-do is done: nothing is left to tell of")
        }
        if let old = try entry.single("EXRULE") {
            throw old.problem("is no longer part of iCalendar: write EXDATE")
        }
        let isTask = entry.name == "VTODO"
        if let due = isTask ? try entry.single("DUE") : nil, try entry.single("DTSTART") == nil {
            startLine = due
        } else {
            startLine = try entry.required("DTSTART")
        }
        start = try CalendarMoment(startLine.value[...], of: startLine, in: zones)
        rule = try entry.single("RRULE")
        if let rule {
            do { _ = try RecurrenceRule(rule.value) } catch {
                throw rule.problem("at column \(error.column), \(error.part): \(error.problem)")
            }
        }
        added = try Self.moments(entry, "RDATE", zones)
        if !start.isDay, added.contains(where: \.isDay) {
            throw startLine.problem("has a time, and an RDATE has none")
        }
        excluded = try Self.moments(entry, "EXDATE", zones) + replaced
        occurrence = try Self.occurrence(of: entry, zones)
        let uid = try entry.required("UID").text
        identifier = uid + (occurrence.map { "@" + $0.name } ?? "")
    }

    /// Whether a status says that an entry will not take place, or has.
    static func isOver(_ status: String) -> Bool {
        ["CANCELLED", "COMPLETED"].contains(status.uppercased())
    }

    /// Gives the occurrence of another entry that an entry stands for; nil where it has its own.
    static func occurrence(
        of entry: CalendarComponent,
        _ zones: CalendarZones
    ) throws(RequestFile.Problem) -> CalendarMoment? {
        guard let line = try entry.single("RECURRENCE-ID") else { return nil }
        guard line.parameter("RANGE") == nil else {
            throw line.problem("changes the later ones too: write an event of its own for them")
        }
        return try CalendarMoment(line.value[...], of: line, in: zones)
    }

    private static func moments(
        _ entry: CalendarComponent,
        _ name: String,
        _ zones: CalendarZones
    ) throws(RequestFile.Problem) -> [CalendarMoment] {
        var moments: [CalendarMoment] = []
        for line in entry.lines where line.name == name {
            for text in line.list {
                guard moments.count < Limits.recurrenceDates else {
                    throw line.problem("there are more than \(Limits.recurrenceDates) dates")
                }
                // A period counts from its start.
                let text = text.prefix { $0 != "/" }
                moments.append(try CalendarMoment(text, of: line, in: zones))
            }
        }
        return moments
    }

    // MARK: Requests

    /// Makes the requests, each with the place in the file that it comes from.
    ///
    /// - Throws: The problem of the whole entry, with its line.
    func requests() throws(RequestFile.Problem) -> [RequestFile.Entry] {
        var entries: [RequestFile.Entry] = []
        let alarms = try self.alarms()
        for case .failure(let problem) in alarms {
            entries.append(RequestFile.Entry(place: "", request: .failure(problem)))
        }
        for (index, alarm) in alarms.compactMap({ try? $0.get() }).enumerated() {
            var request = Belfry_V1_NotificationRequest()
            request.identifier = identifier + (index == 0 ? "" : "#\(index + 1)")
            let result = Result { () throws(RequestFile.Problem) in
                request.content = try content(alarm)
                request.trigger = try trigger(alarm)
                return request
            }
            entries.append(RequestFile.Entry(place: "line \(alarm.line.number)", request: result))
        }
        return entries
    }

    private func content(
        _ alarm: Alarm
    ) throws(RequestFile.Problem) -> Belfry_V1_NotificationContent {
        var content = Belfry_V1_NotificationContent()
        let summary = try entry.single("SUMMARY")?.text ?? ""
        let body = try entry.single("DESCRIPTION")?.text ?? ""
        content.title = summary.isEmpty ? alarm.text : summary
        content.subtitle = try entry.single("LOCATION")?.text ?? ""
        content.body = body.isEmpty && alarm.text != content.title ? alarm.text : body
        if alarm.hasSound { content.sound = .init() }
        return content
    }

    private func trigger(_ alarm: Alarm) throws(RequestFile.Problem) -> Belfry_V1_Trigger {
        var trigger = Belfry_V1_Trigger()
        switch alarm.moment {
        case .absolute(let instant):
            trigger.at.seconds = Int64(instant)
        case .relative(let distance):
            guard rule == nil, added.isEmpty, excluded.isEmpty else {
                trigger.repeats = true
                trigger.recurrence = try recurrence(distance, alarm.line)
                return trigger
            }
            let local = start.local + distance
            guard start.place != .utc else {
                trigger.at.seconds = Int64(local)
                return trigger
            }
            let date = CivilDate(daysSince1970: local.flooredDivision(by: 86_400))
            let second = Int32(local.flooredRemainder(by: 86_400))
            trigger.calendar.dateComponents = .with { components in
                components.year = Int32(date.year)
                components.month = Int32(date.month)
                components.day = Int32(date.day)
                components.hour = second / 3_600
                components.minute = second / 60 % 60
                components.second = second % 60
                components.timeZone = zoneName
            }
        }
        return trigger
    }

    /// The zone of the start; empty where it floats.
    private var zoneName: String {
        switch start.place {
        case .floating: ""
        case .utc: "UTC"
        case .zone(let zone): zone.name
        }
    }

    /// Makes the recurrence, all of whose times are moved by a distance.
    private func recurrence(
        _ distance: Int,
        _ line: ContentLine
    ) throws(RequestFile.Problem) -> Belfry_V1_RecurrenceTrigger {
        var recurrence = Belfry_V1_RecurrenceTrigger()
        let place: CalendarMoment.Place = start.place
        func text(_ moment: CalendarMoment) -> String {
            moment.moment(from: place, movedBy: distance).text
        }
        recurrence.start = RecurrenceMoment.local(start.local + distance).text
        recurrence.timeZone = zoneName
        var times = [start.local.flooredRemainder(by: 86_400)]
        var dates = added.map(text)
        if let rule {
            let moved = RuleShift(rule.value, from: start.local, by: distance)
            if let text = moved.rule {
                recurrence.rule = text
                if try !startMatches(rule) { dates.append(recurrence.start) }
            } else if let all = try occurrences(of: rule) {
                dates += all.map { RecurrenceMoment.local($0 + distance).text }
            } else {
                throw line.problem(
                    "no rule comes so long before or after each \(rule.value.truncated(to: 64)): "
                        + "write an alarm of the same day"
                )
            }
            times = moved.times ?? times
        }
        recurrence.addedDates = dates
        recurrence.excludedDates = excluded.flatMap { moment in
            // A day alone leaves out all times of the day.
            guard moment.isDay, !start.isDay else { return [text(moment)] }
            return times.sorted().map { time in
                RecurrenceMoment.local(moment.local + time + distance).text
            }
        }
        for (name, count) in [
            ("RDATE", recurrence.addedDates.count), ("EXDATE", recurrence.excludedDates.count),
        ] where count > Limits.recurrenceDates {
            throw line.problem("its \(name) are \(count), more than \(Limits.recurrenceDates)")
        }
        return recurrence
    }

    /// The rule as a trigger in UTC, whose clock shows every local time once.
    private func search(_ rule: ContentLine) throws(RequestFile.Problem) -> RecurrenceTrigger {
        do throws(Refusal) {
            return try RecurrenceTrigger(
                text: .rule(rule.value),
                start: start.local,
                timeZone: "UTC",
                repeats: true
            )
        } catch {
            throw rule.problem(error.message)
        }
    }

    /// Whether the start is one of the rule's times: it is an occurrence, whether or not.
    private func startMatches(_ rule: ContentLine) throws(RequestFile.Problem) -> Bool {
        let before = WallInstant(second: start.local - 1)
        return try search(rule).nextFire(after: before, in: .utc)
            == WallInstant(second: start.local)
    }

    /// All local times of a rule with an end; nil where they have none or are too many.
    private func occurrences(of rule: ContentLine) throws(RequestFile.Problem) -> [Int]? {
        let search = try search(rule)
        var last = WallInstant(second: start.local - 1)
        var times: [Int] = []
        while let next = search.nextFire(after: last, in: .utc) {
            guard times.count < Limits.recurrenceDates else { return nil }
            times.append(Int(next.nanoseconds / 1_000_000_000))
            last = next
        }
        return times
    }

    // MARK: Alarms

    /// Reads the alarms; one at the start where there are none.
    private func alarms() throws(RequestFile.Problem) -> [Result<Alarm, RequestFile.Problem>] {
        var alarms: [Result<Alarm, RequestFile.Problem>] = []
        for component in entry.components where component.name == "VALARM" {
            do throws(RequestFile.Problem) {
                for alarm in try self.alarms(component) {
                    guard alarms.count < Self.alarmLimit else {
                        throw alarm.line.problem("is more than \(Self.alarmLimit) of one entry")
                    }
                    alarms.append(.success(alarm))
                }
            } catch {
                guard alarms.count < Self.alarmLimit else { throw error }
                alarms.append(.failure(error))
            }
        }
        return alarms.isEmpty
            ? [.success(Alarm(line: startLine, moment: .relative(0)))] : alarms
    }

    private func alarms(_ component: CalendarComponent) throws(RequestFile.Problem) -> [Alarm] {
        let action = try component.required("ACTION")
        switch action.value.uppercased() {
        case "DISPLAY", "AUDIO": break
        // Calendars write it to say that there is no alarm.
        case "NONE": return []
        default:
            throw action.problem(
                "is \(action.value.truncated(to: 16)): DISPLAY and AUDIO alone are shown"
            )
        }
        let trigger = try component.required("TRIGGER")
        var alarm = Alarm(line: trigger, moment: .relative(0))
        alarm.text = try component.single("DESCRIPTION")?.text ?? ""
        alarm.hasSound = action.value.uppercased() == "AUDIO"
        alarm.moment = try moment(trigger)
        guard let count = try component.single("REPEAT") else {
            guard let duration = try component.single("DURATION") else { return [alarm] }
            throw duration.problem("needs REPEAT beside it")
        }
        guard let number = Numbers.parse(count.value), number < Self.alarmLimit else {
            throw count.problem("is a number below \(Self.alarmLimit)")
        }
        let step = try Self.seconds(of: try component.required("DURATION"))
        guard step > 0 else { throw count.problem("needs a DURATION of more than no time") }
        return (0...Int(number)).map { index in
            var repeated = alarm
            switch alarm.moment {
            case .relative(let distance): repeated.moment = .relative(distance + index * step)
            case .absolute(let instant): repeated.moment = .absolute(instant + index * step)
            }
            return repeated
        }
    }

    /// Reads a trigger: a distance from the start or the end, or an instant.
    private func moment(_ trigger: ContentLine) throws(RequestFile.Problem) -> Alarm.Moment {
        guard trigger.parameter("VALUE")?.uppercased() != "DATE-TIME" else {
            let moment = try CalendarMoment(trigger.value[...], of: trigger, in: zones)
            guard moment.place == .utc else { throw trigger.problem("is no instant with Z") }
            return .absolute(moment.local)
        }
        let distance = try Self.seconds(of: trigger)
        switch trigger.parameter("RELATED")?.uppercased() {
        case nil, "START": return .relative(distance)
        case "END": return .relative(try length(trigger) + distance)
        default: throw trigger.problem("RELATED is START or END")
        }
    }

    /// The seconds from the start to the end.
    private func length(_ trigger: ContentLine) throws(RequestFile.Problem) -> Int {
        if let duration = try entry.single("DURATION") {
            let length = try Self.seconds(of: duration)
            guard length >= 0 else { throw duration.problem("is less than no time") }
            return length
        }
        guard let line = try entry.single(entry.name == "VTODO" ? "DUE" : "DTEND") else {
            guard entry.name == "VEVENT" else { throw trigger.problem("the to-do has no DUE") }
            // A day without an end lasts a day, and a time none (RFC 5545, 3.6.1).
            return start.isDay ? 86_400 : 0
        }
        let length = try CalendarMoment(line.value[...], of: line, in: zones).seconds(since: start)
        guard (0...Self.distanceLimit).contains(length) else {
            throw line.problem("is before the start, or more than 10 years after it")
        }
        return length
    }

    /// Reads a duration (RFC 5545, 3.3.6), in seconds.
    private static func seconds(of line: ContentLine) throws(RequestFile.Problem) -> Int {
        let text = line.value
        let isBefore = text.hasPrefix("-")
        let length = isBefore || text.hasPrefix("+") ? String(text.dropFirst()) : text
        guard let duration = DurationText.parseISO(length), duration.components.attoseconds == 0,
            duration <= .seconds(distanceLimit)
        else { throw line.problem("is no duration of up to 10 years, as -PT15M or P1D") }
        let seconds = Int(duration.components.seconds)
        return isBefore ? -seconds : seconds
    }
}

extension CalendarMoment {
    /// The moment as iCalendar writes it.
    var name: String {
        let moment: RecurrenceMoment = place == .utc ? .instant(local) : .local(local)
        return isDay ? String(moment.text.prefix(8)) : moment.text
    }
}
