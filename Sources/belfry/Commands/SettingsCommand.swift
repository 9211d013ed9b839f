internal import ArgumentParser
internal import NotificationClient
internal import NotificationProtocol

/// Shows the person's settings for the app.
struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show what the person allows the app."
    )

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            let settings = try await session.notifications.notificationSettings().settings
            guard !session.output.isJSON else {
                try session.output.print(json: settings)
                return
            }
            var table = Table(header: ["SETTING", session.center.appID])
            for (name, cell) in SettingsText.rows(settings) {
                table.append([Table.Cell(name), cell])
            }
            try session.output.print(table, whenEmpty: "")
        }
    }
}

enum SettingsText {
    /// Gives a name and a value for each setting, in the order of the message.
    static func rows(_ settings: Belfry_V1_NotificationSettings) -> [(String, Table.Cell)] {
        [
            ("authorization", status(settings.authorizationStatus)),
            ("sound", setting(settings.soundSetting)),
            ("badge", setting(settings.badgeSetting)),
            ("alert", setting(settings.alertSetting)),
            ("notification center", setting(settings.notificationCenterSetting)),
            ("lock screen", setting(settings.lockScreenSetting)),
            ("car play", setting(settings.carPlaySetting)),
            ("critical alert", setting(settings.criticalAlertSetting)),
            ("announcement", setting(settings.announcementSetting)),
            ("time sensitive", setting(settings.timeSensitiveSetting)),
            ("scheduled delivery", setting(settings.scheduledDeliverySetting)),
            ("direct messages", setting(settings.directMessagesSetting)),
            ("alert style", style(settings.alertStyle)),
            ("show previews", previews(settings.showPreviewsSetting)),
            (
                "has its own settings",
                Table.Cell(settings.providesAppNotificationSettings ? "yes" : "no")
            ),
        ]
    }

    static func status(_ status: Belfry_V1_AuthorizationStatus) -> Table.Cell {
        switch status {
        case .notDetermined: Table.Cell("not determined", .yellow)
        case .denied: Table.Cell("denied", .red)
        case .authorized: Table.Cell("authorized", .green)
        case .provisional: Table.Cell("provisional", .yellow)
        case .ephemeral: Table.Cell("ephemeral", .green)
        case .UNRECOGNIZED(let number): Table.Cell("\(number)")
        }
    }

    private static func setting(_ setting: Belfry_V1_NotificationSetting) -> Table.Cell {
        switch setting {
        case .notSupported: Table.Cell("not supported", .dim)
        case .disabled: Table.Cell("disabled", .red)
        case .enabled: Table.Cell("enabled", .green)
        case .UNRECOGNIZED(let number): Table.Cell("\(number)")
        }
    }

    private static func style(_ style: Belfry_V1_AlertStyle) -> Table.Cell {
        switch style {
        case .none: Table.Cell("none")
        case .banner: Table.Cell("banner")
        case .alert: Table.Cell("alert")
        case .UNRECOGNIZED(let number): Table.Cell("\(number)")
        }
    }

    private static func previews(_ setting: Belfry_V1_ShowPreviewsSetting) -> Table.Cell {
        switch setting {
        case .always: Table.Cell("always")
        case .whenAuthenticated: Table.Cell("when unlocked")
        case .never: Table.Cell("never")
        case .UNRECOGNIZED(let number): Table.Cell("\(number)")
        }
    }
}
