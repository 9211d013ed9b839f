internal import ArgumentParser

/// Shows and changes the state of a device.
struct DeviceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "device",
        abstract: "Show and change the state of the device.",
        subcommands: [
            DeviceStateCommand.self, DeviceLockCommand.self, DeviceUnlockCommand.self,
            DeviceFocusCommand.self, DeviceZoneCommand.self, DeviceLanguagesCommand.self,
            DeviceLocationCommand.self, DeviceBeaconsCommand.self, Apps.self, Settings.self,
            Answer.self,
        ],
        defaultSubcommand: DeviceStateCommand.self
    )
}
