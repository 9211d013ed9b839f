internal import ArgumentParser
internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

/// The trigger of a notification, on the command line.
struct TriggerOptions: ParsableArguments {
    @Option(
        name: .customLong("in"),
        help: ArgumentHelp(
            "After this time: 5s, 10m, 1h30m, 2d. Default: now.",
            valueName: "duration"
        )
    )
    var delay: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "Again and again after this time, at least 60s. Not with --in, yet.",
            valueName: "duration"
        )
    )
    var every: DurationArgument?

    @Option(
        help: ArgumentHelp(
            "At this local time: 08:00, or '2026-01-31 08:00'.",
            valueName: "time"
        )
    )
    var at: LocalTimeArgument?

    @Flag(help: "Every day at the time of --at.")
    var daily = false

    func validate() throws {
        guard [delay != nil, every != nil, at != nil].count(where: \.self) <= 1 else {
            throw ValidationError(
                "Use one of --in, --every and --at: a repetition that begins at another time is "
                    + "not available yet."
            )
        }
        guard !daily || at.map({ !$0.hasDate }) ?? false else {
            throw ValidationError("--daily needs --at with a time and without a date.")
        }
    }

    /// Whether any of the options is set.
    var isSet: Bool { delay != nil || every != nil || at != nil }

    /// Gives the trigger of the options; `nil` means now.
    ///
    /// - Parameter zone: The zone of `--at`.
    /// - Returns: The trigger.
    func trigger(zone: TimeZone) -> Belfry_V1_Trigger? {
        var trigger = Belfry_V1_Trigger()
        if let at {
            trigger.calendar.dateComponents = at.components
            trigger.calendar.dateComponents.timeZone = zone.identifier
            trigger.repeats = daily
        } else if let interval = every ?? delay {
            trigger.timeInterval.interval = Google_Protobuf_Duration(rounding: interval.duration)
            trigger.repeats = every != nil
        } else {
            return nil
        }
        return trigger
    }
}

/// A local time on the command line: "08:00", "08:00:30", "2026-01-31 08:00".
struct LocalTimeArgument: ExpressibleByArgument {
    let components: Belfry_V1_DateComponents

    /// Whether the argument has a date beside the time.
    var hasDate: Bool { components.hasDay }

    init?(argument: String) {
        let words = argument.split(omittingEmptySubsequences: false) { $0 == " " || $0 == "T" }
        guard (1...2).contains(words.count), let word = words.last,
            let time = Self.numbers(word, separator: ":"), (2...3).contains(time.count)
        else { return nil }
        var components = Belfry_V1_DateComponents()
        components.hour = time[0]
        components.minute = time[1]
        components.second = time.count == 3 ? time[2] : 0
        if words.count == 2 {
            guard let date = Self.numbers(words[0], separator: "-"), date.count == 3 else {
                return nil
            }
            components.year = date[0]
            components.month = date[1]
            components.day = date[2]
        }
        // The server checks whether the numbers are a valid date, and names the wrong field.
        self.components = components
    }

    private static func numbers(_ text: Substring, separator: Character) -> [Int32]? {
        var numbers: [Int32] = []
        for part in text.split(separator: separator, omittingEmptySubsequences: false) {
            guard part.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int32(part) else {
                return nil
            }
            numbers.append(number)
        }
        return numbers
    }
}
