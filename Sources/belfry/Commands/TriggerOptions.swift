internal import ArgumentParser
internal import Foundation
internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf

/// The trigger of a notification, on the command line.
struct TriggerOptions: ParsableArguments {
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp(
            "After this time: 90s, 10min, 1.5h, 1h30m, 2d, P1DT2H. Default: now.",
            valueName: "duration"
        ),
        transform: DurationText.parseArgument
    )
    var delay: Duration?

    @Option(
        help: ArgumentHelp(
            "At this time: 9, 9:00, noon, 'tomorrow 9:00', 'next friday 18:30', "
                + "2026-12-24T18:00:00Z; or at several of a day: 9am,6pm.",
            valueName: "time"
        ),
        transform: When.parseInstants
    )
    var at: When?

    @Option(
        help: ArgumentHelp(
            "Again and again: 2h, day, '3 days', 2w, fortnight, month, weekday, "
                + "'monday,thursday', 'other tuesday', '2 weeks on tue,thu', 'last friday', "
                + "'first monday and third friday', 'last working day', 15th, '24 dec'.",
            discussion: "With --at the time or times of day, or the first time of '3 days'.",
            valueName: "how often"
        ),
        transform: Recurrence.parse
    )
    var every: Recurrence?

    @Option(
        help: ArgumentHelp(
            "When a line of a crontab matches: '*/15 9-17 * * 1-5', '0 9 L * *', @daily.",
            valueName: "expression"
        ),
        transform: TriggerOptions.parseCron
    )
    var cron: String?

    @Option(
        help: ArgumentHelp(
            "By the recurrence rule of a calendar: 'FREQ=MONTHLY;BYDAY=-1FR'.",
            discussion: "It counts from --from, else from --at, else from now.",
            valueName: "rule"
        ),
        transform: TriggerOptions.parseRule
    )
    var rrule: String?

    @Option(
        help: ArgumentHelp("The zone of local times. Default: the device's, else the shell's."),
        transform: TriggerOptions.parseZone
    )
    var zone: TimeZone?

    @OptionGroup
    var limits: RecurrenceOptions

    @OptionGroup
    var place: PlaceOptions

    func validate() throws {
        guard [delay != nil, cron != nil, place.isSet, at != nil].count(where: \.self) <= 1 else {
            throw ValidationError("Use one of --in, --at, --cron, --near and --beacon.")
        }
        guard [every != nil, cron != nil, rrule != nil].count(where: \.self) <= 1 else {
            throw ValidationError("--cron and --rrule say how often: leave --every out.")
        }
        guard rrule == nil || !place.isSet else {
            throw ValidationError("A place repeats with --every crossing alone.")
        }
        guard every != .crossing || place.isSet else {
            throw ValidationError("--every crossing is of a place: say which with --near.")
        }
        guard !place.isSet || every == nil || every == .crossing else {
            throw ValidationError("A place repeats with --every crossing alone.")
        }
        let repeats = every != nil && every != .crossing || cron != nil || rrule != nil
        guard !limits.isSet || repeats else {
            throw ValidationError(
                "--from, --until, --times and --skip bound a repetition: say --every, --cron or "
                    + "--rrule."
            )
        }
        guard zone == nil || at != nil || every != nil || cron != nil || rrule != nil else {
            throw ValidationError("--zone is of local times: say --at, --every or --cron.")
        }
        try validateStart()
        try validateTimes()
    }

    /// Refuses several times of a day where the repetition has none, or more than a rule can say.
    private func validateTimes() throws {
        guard let at, !at.laterTimes.isEmpty else { return }
        guard rrule == nil else {
            throw ValidationError("--rrule says the times of a day itself, as in BYHOUR=9,18.")
        }
        guard limits.from?.time == nil else {
            throw ValidationError("--from is a day where --at has several times.")
        }
        switch every {
        case .interval:
            throw ValidationError("--at with several times is of days, as in --every day.")
        case nil, .crossing: break
        case .step, .weekdays, .ordinal, .dayOfMonth, .dayOfYear, .weeks, .monthly:
            guard let every, DayTimes(at).rule(every) != nil else {
                throw ValidationError("--at names too many times for one rule: say fewer.")
            }
        }
    }

    var isSet: Bool {
        at != nil || delay != nil || every != nil || cron != nil || rrule != nil || place.isSet
    }

    /// Whether the trigger has local times, for which the zone and the present moment are needed.
    var isLocal: Bool {
        guard delay == nil || every != nil || rrule != nil, !place.isSet else { return false }
        if case .interval = every { return at != nil || delay != nil || limits.isSet }
        return isSet
    }

    /// Refuses a start that the repetition does not have.
    private func validateStart() throws {
        guard let every = every ?? (rrule == nil ? nil : .step(1, .day)) else { return }
        switch every {
        case .weekdays, .ordinal, .dayOfMonth, .dayOfYear, .weeks, .monthly:
            guard at != nil else {
                throw ValidationError(
                    "--every with days needs a time of day, as in --at 9:00."
                )
            }
            guard at?.day == nil else {
                throw ValidationError(
                    "--every with days takes a time alone, as in --at 9:00; the first day is "
                        + "--from."
                )
            }
        case .interval, .step:
            guard let from = limits.from else { return }
            guard delay == nil else {
                throw ValidationError("--in and --from both say when it begins: use one.")
            }
            guard (from.time != nil) != (at != nil), from.day != nil || at == nil,
                at?.day == nil
            else {
                throw ValidationError(
                    "Say the first time once: --from '1 dec 10:00', or --from '1 dec' --at 10:00."
                )
            }
        case .crossing: break
        }
    }

    static func parseCron(_ text: String) throws(TextProblem) -> String {
        do { _ = try RecurrenceRule(cron: text) } catch { throw TextProblem(error) }
        return text
    }

    static func parseRule(_ text: String) throws(TextProblem) -> String {
        do { _ = try RecurrenceRule(text) } catch { throw TextProblem(error) }
        return text
    }

    static func parseZone(_ name: String) throws(TextProblem) -> TimeZone {
        guard let zone = TimeZone(databaseName: name) else {
            throw TextProblem("write a name of the zone database, as Europe/Lisbon or UTC")
        }
        return zone
    }
}

/// The bounds of a repetition, on the command line.
struct RecurrenceOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Not before this day or time: '1 dec', '1 dec 10:00'.",
            valueName: "time"
        ),
        transform: When.parse
    )
    var from: When?

    @Option(
        help: ArgumentHelp("Not after this day or time.", valueName: "time"),
        transform: When.parse
    )
    var until: When?

    @Option(help: ArgumentHelp("So many times at most.", valueName: "number"))
    var times: Int32?

    @Option(
        help: ArgumentHelp("Not on these days: 2026-12-25,2026-12-26.", valueName: "days"),
        transform: RecurrenceOptions.parseDays
    )
    var skip: [[Day]] = []

    func validate() throws {
        guard times ?? 1 > 0 else { throw ValidationError("--times is 1 or more.") }
    }

    var isSet: Bool { from != nil || until != nil || times != nil || !skip.isEmpty }

    /// Whether a date of the repetition is left out.
    var boundsDates: Bool { from != nil || until != nil || !skip.isEmpty }

    /// Gives the limits of the options.
    ///
    /// - Parameters:
    ///   - local: The present moment and the zone.
    ///   - isAnchored: Whether `--from` is the start of the trigger and needs no limit.
    /// - Returns: The limits; empty where the options bound nothing.
    func limits(_ local: LocalTime, isAnchored: Bool) -> Belfry_V1_RecurrenceLimits {
        var limits = Belfry_V1_RecurrenceLimits()
        if let from, !isAnchored {
            limits.startAt = Google_Protobuf_Timestamp(date: local.instant(from))
        }
        if let until {
            // Take the last instant of the end's day.
            let end = local.instant(until, at: TimeOfDay(hour: 23, minute: 59, second: 59))
            limits.endAt = Google_Protobuf_Timestamp(date: end)
            if until.time == nil { limits.endAt.nanos = 999_999_999 }
        }
        if let times { limits.maxOccurrences = times }
        limits.skipDates = skip.joined().map { local.date($0) }
        return limits
    }

    private static func parseDays(_ text: String) throws(TextProblem) -> [Day] {
        var days: [Day] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            days.append(try When.parseDay(String(word)))
        }
        return days
    }
}

/// The place of a notification, on the command line.
struct PlaceOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "At a place, by degrees north, degrees east and a radius: 38.7,-9.1,200m.",
            valueName: "place"
        ),
        transform: RegionText.circle
    )
    var near: Belfry_V1_Region?

    @Option(
        help: ArgumentHelp("At a beacon, by UUID, major and minor number.", valueName: "beacon"),
        transform: RegionText.beacon
    )
    var beacon: Belfry_V1_Region?

    @Option(
        name: .customLong("on"),
        help: ArgumentHelp(
            "Fire on enter, exit, both or, of a beacon, display. Default: enter.",
            valueName: "crossing"
        ),
        transform: Crossings.parse
    )
    var crossings: Crossings?

    func validate() throws {
        guard near == nil || beacon == nil else {
            throw ValidationError("Use one of --near and --beacon.")
        }
        guard crossings == nil || isSet else {
            throw ValidationError("--on is of a place: say which with --near or --beacon.")
        }
        guard crossings?.display != true || beacon != nil else {
            throw ValidationError("--on display is of a beacon: say which with --beacon.")
        }
    }

    /// Whether a place is named.
    var isSet: Bool { near != nil || beacon != nil }

    /// Gives the region of the options; `nil` means none.
    var region: Belfry_V1_Region? {
        guard var region = near ?? beacon else { return nil }
        let crossings = crossings ?? Crossings(entry: true)
        region.notifyOnEntry = crossings.entry
        region.notifyOnExit = crossings.exit
        if beacon != nil { region.beacon.notifyEntryStateOnDisplay = crossings.display }
        return region
    }
}

extension TextProblem {
    /// Tells what is wrong with the text of a rule or a crontab.
    fileprivate init(_ fault: RecurrenceTextFault) {
        self.init("at column \(fault.column), \(fault.part): \(fault.problem)")
    }
}
