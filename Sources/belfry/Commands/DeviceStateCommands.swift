internal import ArgumentParser
internal import NotificationClient
internal import NotificationProtocol

/// Shows the state of a device.
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
        discussion: "Notifications that the Focus does not allow are listed silently."
    )

    @Argument(help: "The name of the Focus.")
    var name: String?

    @Flag(help: "Turn off the Focus that is on.")
    var off = false

    @Option(help: ArgumentHelp("An app that the Focus allows. Repeatable.", valueName: "app"))
    var allow: [String] = []

    @Flag(help: "Allow time-sensitive notifications.")
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

extension Session {
    /// Changes the state of the device, and shows the new state.
    fileprivate func update(
        _ paths: [String],
        _ change: (inout Belfry_V1_DeviceState) -> Void
    ) async throws {
        var state = Belfry_V1_DeviceState()
        change(&state)
        try print(try await person.update(paths, to: state))
    }

    /// Shows the state of the device.
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
