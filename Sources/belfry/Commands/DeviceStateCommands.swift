internal import ArgumentParser
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

struct DeviceStateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Show the state of the device."
    )

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            try session.print(try await session.person.state())
        }
    }
}

struct DeviceLockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock",
        abstract: "Lock the device."
    )

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            try await session.update(["locked"]) { $0.locked = true }
        }
    }
}

struct DeviceUnlockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Unlock the device, which also performs the actions that wait for the unlock."
    )

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            try await session.update(["locked"]) { $0.locked = false }
        }
    }
}

/// Turns a Focus on or off.
struct DeviceFocusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "focus",
        abstract: "Turn a Focus on or off.",
        discussion: """
            Notifications that the Focus does not allow are listed silently. With --from and --to \
            it is on within these hours alone, such as quiet hours at night.
            """
    )

    @Argument(help: "The name of the Focus; 'off' is --off.")
    var name: String?

    @Flag(help: "Turn off the Focus that is on.")
    var off = false

    @Option(help: ArgumentHelp("An app that the Focus allows. Repeatable.", valueName: "app"))
    var allow: [String] = []

    @Flag(help: "Allow time-sensitive notifications.")
    var timeSensitive = false

    @Option(help: ArgumentHelp("When it turns on, such as 22:00.", valueName: "time"))
    var from: TimeOfDayArgument?

    @Option(help: ArgumentHelp("When it turns off, such as 07:00.", valueName: "time"))
    var to: TimeOfDayArgument?

    @Option(
        help: ArgumentHelp(
            "A day on which it turns on, such as monday. Repeatable.",
            discussion: "Default: every day.",
            valueName: "day"
        )
    )
    var on: [WeekdayArgument] = []

    @OptionGroup(title: "Server")
    var client: ClientOptions

    /// Whether the Focus that is on is turned off: no Focus is meant to have the name "off".
    private var turnsOff: Bool { off || name?.lowercased() == "off" }

    func validate() throws {
        guard off != (name != nil) else {
            throw ValidationError("Name the Focus to turn on, or say --off.")
        }
        guard !turnsOff || allow.isEmpty && !timeSensitive else {
            throw ValidationError("A Focus that is turned off lets all through.")
        }
        guard (from == nil) == (to == nil), on.isEmpty || from != nil, !turnsOff || from == nil
        else {
            throw ValidationError("Hours have a --from and a --to.")
        }
    }

    func run() async throws {
        try await client.run { session in
            try await session.update(["focus"]) { state in
                guard let name, !turnsOff else { return }
                state.focus.name = name
                state.focus.allowedApps = allow
                state.focus.allowTimeSensitive = timeSensitive
                guard let from, let to else { return }
                var window = Belfry_V1_FocusWindow()
                window.from = from.minutes
                window.to = to.minutes
                window.weekdays = on.map(\.weekday)
                state.focus.schedule = [window]
            }
        }
    }
}

/// Sets the time zone of a device.
struct DeviceZoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zone",
        abstract: "Set the device's time zone, which dates without a zone follow."
    )

    @Argument(help: "The zone, such as Europe/Lisbon; an empty text means the server's zone.")
    var name: String

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            try await session.update(["time_zone"]) { $0.timeZone = name }
        }
    }
}

/// Sets the languages of the person.
struct DeviceLanguagesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "languages",
        abstract: "Set the person's languages, in which texts are looked up."
    )

    @Argument(help: "Tags such as pt-BR, the best first; without tags, each app's own language.")
    var tags: [String] = []

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            try await session.update(["languages"]) { $0.languages = tags }
        }
    }
}

/// A time of day on the command line: "22:00".
struct TimeOfDayArgument: ExpressibleByArgument {
    let minutes: Int32

    init?(argument: String) {
        let parts = argument.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.utf8.count) }),
            let hour = UInt8(parts[0]), let minute = UInt8(parts[1]), hour <= 24, minute < 60
        else { return nil }
        minutes = Int32(hour) * 60 + Int32(minute)
    }
}

/// A day of the week on the command line: "monday".
struct WeekdayArgument: ExpressibleByArgument {
    let weekday: Belfry_V1_Weekday

    private static let names = [
        "sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
    ]

    init?(argument: String) {
        guard let index = Self.names.firstIndex(of: argument.lowercased()),
            let weekday = Belfry_V1_Weekday(rawValue: index + 1)
        else { return nil }
        self.weekday = weekday
    }
}

extension Session {
    /// Changes the state of the device, and shows the new state.
    func update(
        _ paths: [String],
        _ change: (inout Belfry_V1_DeviceState) -> Void
    ) async throws {
        var state = Belfry_V1_DeviceState()
        change(&state)
        try print(try await person.update(paths, to: state))
    }

    fileprivate func print(_ state: Belfry_V1_DeviceState) throws {
        guard !output.isJSON else { return try output.print(json: state) }
        var table = Table(header: ["DEVICE", state.deviceID])
        func append(_ name: String, _ value: String) {
            table.append([Table.Cell(name, .bold), Table.Cell(value)])
        }
        append("Lock", state.locked ? "locked" : "unlocked")
        append("Display", state.displayOff ? "off" : "on")
        append("Sound", state.muted ? "muted" : "on")
        append("Focus", Self.text(of: state))
        append("Location", LocationPermissionText.describe(state.locationPermission))
        append("Zone", state.timeZone.isEmpty ? "the server's" : state.timeZone)
        append("Languages", state.languages.joined(separator: ", "))
        try output.print(table, whenEmpty: "")
    }

    private static func text(of state: Belfry_V1_DeviceState) -> String {
        guard state.hasFocus else { return "off" }
        var name = state.focus.name.isEmpty ? "on" : "on: " + state.focus.name
        if !state.focus.schedule.isEmpty {
            let dates = DateText.current()
            let until = dates.absolute(state.activeFocus.until.date)
            name += state.hasActiveFocus ? " until \(until)" : ", off now by its schedule"
        }
        guard !state.focus.allowedApps.isEmpty else { return name }
        return "\(name), with \(state.focus.allowedApps.joined(separator: ", "))"
    }
}
