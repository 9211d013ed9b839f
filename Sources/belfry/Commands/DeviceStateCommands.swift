internal import ArgumentParser
internal import NotificationClient
internal import NotificationProtocol

/// Shows what a device is doing.
struct DeviceStateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "state",
        abstract: "Show what the device is doing."
    )

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            try session.print(try await session.person.state())
        }
    }
}

/// Locks a device.
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

/// Unlocks a device.
struct DeviceUnlockCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unlock",
        abstract: "Unlock the device, which sends the actions that wait for it."
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
        discussion: "All that it does not let through is listed silently."
    )

    @Argument(help: "Its name.")
    var name: String?

    @Flag(help: "Turn off the Focus that is on.")
    var off = false

    @Option(help: ArgumentHelp("An app that gets through; may be repeated.", valueName: "app"))
    var allow: [String] = []

    @Flag(help: "Let through what is time sensitive.")
    var timeSensitive = false

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func validate() throws {
        guard off != (name != nil) else {
            throw ValidationError("Name the Focus to turn on, or say --off.")
        }
        guard !off || allow.isEmpty && !timeSensitive else {
            throw ValidationError("A Focus that is turned off lets all through.")
        }
    }

    func run() async throws {
        try await client.run { session in
            try await session.update(["focus"]) { state in
                guard let name else { return }
                state.focus.name = name
                state.focus.allowedApps = allow
                state.focus.allowTimeSensitive = timeSensitive
            }
        }
    }
}

/// Sets the zone that a device is in.
struct DeviceZoneCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "zone",
        abstract: "Set the device's time zone, which dates without one follow."
    )

    @Argument(help: "Its name, such as Europe/Lisbon; an empty one is the server's.")
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
        abstract: "Set the person's languages, which texts are looked up in."
    )

    @Argument(help: "Tags such as pt-BR, the best first; none is each app's own.")
    var tags: [String] = []

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            try await session.update(["languages"]) { $0.languages = tags }
        }
    }
}

extension Session {
    /// Changes what the device is doing, and shows it.
    fileprivate func update(
        _ paths: [String],
        _ change: (inout Belfry_V1_DeviceState) -> Void
    ) async throws {
        var state = Belfry_V1_DeviceState()
        change(&state)
        try print(try await person.update(paths, to: state))
    }

    /// Shows what the device is doing.
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
        append("Zone", state.timeZone.isEmpty ? "the server's" : state.timeZone)
        append("Languages", state.languages.joined(separator: ", "))
        try output.print(table, whenEmpty: "")
    }

    private static func text(of state: Belfry_V1_DeviceState) -> String {
        guard state.hasFocus else { return "off" }
        let name = state.focus.name.isEmpty ? "on" : state.focus.name
        guard !state.focus.allowedApps.isEmpty else { return name }
        return "\(name), with \(state.focus.allowedApps.joined(separator: ", "))"
    }
}
