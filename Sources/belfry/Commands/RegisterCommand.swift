internal import ArgumentParser
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol

/// Registers the app on the device.
struct RegisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "register",
        abstract: "Register the app on the device, with its name and its entitlements.",
        discussion: """
            For an app that is already registered, only the manifest is replaced. An app without \
            this command is registered when it first asks for permission, settings or pushes, or \
            sets categories, without entitlements, unless the server runs with --no-auto-register.
            """
    )

    @Option(help: ArgumentHelp("The app's name on the screen.", valueName: "text"))
    var name: String?

    @Option(help: ArgumentHelp("The app's own language, as a tag such as pt-BR.", valueName: "tag"))
    var language = "en"

    @Flag(help: "Let the app ask for alerts that ignore mute and Do Not Disturb.")
    var criticalAlerts = false

    @Flag(help: "Let the app pass Focus and the scheduled summary.")
    var timeSensitive = false

    @Flag(help: "Register the app for a limited time, without a prompt.")
    var ephemeral = false

    @Option(
        help: ArgumentHelp(
            "Read an AppManifest in JSON instead; \"-\" is standard input.",
            valueName: "file"
        ),
        completion: .file()
    )
    var file: String?

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func validate() throws {
        let isPlain = name == nil && language == "en" && !criticalAlerts && !timeSensitive
        guard file == nil || isPlain && !ephemeral else {
            throw ValidationError("--file says all of it: leave the other options out.")
        }
    }

    func run() async throws {
        let manifest = try manifest()
        try await client.run { session in
            let app = try await session.installation.registerApp(session.center, manifest)
            if session.output.isJSON {
                try session.output.print(json: app)
            } else {
                let (id, device) = (app.center.appID, app.center.deviceID)
                try session.output.print("\(id) is registered on \(device).")
            }
        }
    }

    private func manifest() throws -> Belfry_V1_AppManifest {
        if let file {
            return try JSONFile.read(file) { data in
                try JSONFile.message(data, at: "the file", "a manifest")
            }
        }
        var manifest = Belfry_V1_AppManifest()
        manifest.language = language
        if let name {
            var entry = Belfry_V1_AppName()
            entry.language = language
            entry.name = name
            manifest.names = [entry]
        }
        manifest.entitlements.criticalAlerts = criticalAlerts
        manifest.entitlements.timeSensitive = timeSensitive
        manifest.ephemeral = ephemeral
        return manifest
    }
}

/// Removes the app from the device.
struct UnregisterCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unregister",
        abstract: "Remove the app from the device, with everything that it has on the device.",
        discussion: "Requests, notifications, events, categories and settings are gone for good."
    )

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            let tokens = try await session.installation.unregisterApp(session.center)
            if session.output.isJSON {
                try session.output.print(json: ["revoked_tokens": tokens])
            } else {
                try session.output.print("\(session.center.appID.printable) is gone.")
            }
        }
    }
}
