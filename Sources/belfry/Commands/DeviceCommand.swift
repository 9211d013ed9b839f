internal import ArgumentParser

/// Shows and changes what a device is doing.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Show and change what the device is doing.",
        subcommands: [
            DeviceStateCommand.self, DeviceLockCommand.self, DeviceUnlockCommand.self,
            DeviceFocusCommand.self, DeviceZoneCommand.self, DeviceLanguagesCommand.self, Apps.self,
            Settings.self, Answer.self,
        ],
        defaultSubcommand: DeviceStateCommand.self
    )
}
