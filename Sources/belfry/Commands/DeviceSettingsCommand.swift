internal import ArgumentParser
internal import NotificationClient
internal import NotificationProtocol

extension DeviceCommand {
    /// Changes settings of an app as the person.
    struct Settings: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "settings",
            abstract: "Change what the person allows the app.",
            discussion: """
                Settings that are not named do not change. An app that never asked for permission \
                has to ask first, with 'belfry authorize'. 'belfry settings' shows the settings.
                """
        )

        @Option(help: ArgumentHelp("Whether the app may notify at all.", valueName: "on|off"))
        var allow: SwitchArgument?

        @OptionGroup var switches: SettingSwitches

        @Option(help: ArgumentHelp("none, banner or alert.", valueName: "style"))
        var alertStyle: StyleArgument?

        @Option(help: ArgumentHelp("always, when-unlocked or never.", valueName: "when"))
        var previews: PreviewsArgument?

        @Option(help: ArgumentHelp("automatic, by-app or off.", valueName: "how"))
        var grouping: GroupingArgument?

        @OptionGroup(title: "Server")
        var client: ClientOptions

        /// The new values, and the fields that have a new value.
        private var change: (settings: Belfry_V1_NotificationSettings, paths: [String]) {
            var settings = Belfry_V1_NotificationSettings()
            var paths: [String] = []
            if let allow {
                settings.authorizationStatus = allow == .on ? .authorized : .denied
                paths.append("authorization_status")
            }
            for each in SettingSwitch.allCases {
                guard let choice = switches.value(of: each) else { continue }
                let (setting, path) = each.field
                settings[keyPath: setting] = choice == .on ? .enabled : .disabled
                paths.append(path)
            }
            if let alertStyle {
                settings.alertStyle = alertStyle.wire
                paths.append("alert_style")
            }
            if let previews {
                settings.showPreviewsSetting = previews.wire
                paths.append("show_previews_setting")
            }
            return (settings, paths)
        }

        func validate() throws {
            guard !change.paths.isEmpty || grouping != nil else {
                throw ValidationError("Say what changes, as --sound off.")
            }
        }

        func run() async throws {
            let change = change
            try await client.run { session in
                let answer = try await session.person.updateSettings(
                    of: session.center.appID,
                    change.settings,
                    paths: change.paths,
                    grouping: grouping?.wire
                )
                try DeviceCommand.print(answer.settings, session.output)
            }
        }
    }
}

/// The settings that are each on or off.
struct SettingSwitches: ParsableArguments {
    @Option(help: ArgumentHelp("Alerts.", valueName: "on|off"))
    var alert: SwitchArgument?

    @Option(help: ArgumentHelp("Sounds.", valueName: "on|off"))
    var sound: SwitchArgument?

    @Option(help: ArgumentHelp("The badge.", valueName: "on|off"))
    var badge: SwitchArgument?

    @Option(help: ArgumentHelp("The list of notifications.", valueName: "on|off"))
    var notificationCenter: SwitchArgument?

    @Option(help: ArgumentHelp("The lock screen.", valueName: "on|off"))
    var lockScreen: SwitchArgument?

    @Option(help: ArgumentHelp("The car.", valueName: "on|off"))
    var carPlay: SwitchArgument?

    @Option(help: ArgumentHelp("Critical alerts.", valueName: "on|off"))
    var criticalAlert: SwitchArgument?

    @Option(help: ArgumentHelp("Reading aloud.", valueName: "on|off"))
    var announcement: SwitchArgument?

    @Option(help: ArgumentHelp("Passing Focus and the summary.", valueName: "on|off"))
    var timeSensitive: SwitchArgument?

    @Option(help: ArgumentHelp("Waiting for the summary.", valueName: "on|off"))
    var scheduledDelivery: SwitchArgument?

    @Option(help: ArgumentHelp("Direct messages.", valueName: "on|off"))
    var directMessages: SwitchArgument?

    /// The new value of a setting; nil leaves it.
    func value(of setting: SettingSwitch) -> SwitchArgument? {
        switch setting {
        case .alert: alert
        case .sound: sound
        case .badge: badge
        case .notificationCenter: notificationCenter
        case .lockScreen: lockScreen
        case .timeSensitive: timeSensitive
        case .criticalAlert: criticalAlert
        case .scheduledDelivery: scheduledDelivery
        case .directMessages: directMessages
        case .announcement: announcement
        case .carPlay: carPlay
        }
    }
}

/// On or off.
enum SwitchArgument: String, ExpressibleByArgument, CaseIterable {
    case on
    case off
}

enum StyleArgument: String, ExpressibleByArgument, CaseIterable {
    case none
    case banner
    case alert

    var wire: Belfry_V1_AlertStyle {
        switch self {
        case .none: .none
        case .banner: .banner
        case .alert: .alert
        }
    }
}

/// When the content of notifications is visible.
enum PreviewsArgument: String, ExpressibleByArgument, CaseIterable {
    case always
    case whenUnlocked = "when-unlocked"
    case never

    var wire: Belfry_V1_ShowPreviewsSetting {
        switch self {
        case .always: .always
        case .whenUnlocked: .whenAuthenticated
        case .never: .never
        }
    }
}

enum GroupingArgument: String, ExpressibleByArgument, CaseIterable {
    case automatic
    case byApp = "by-app"
    case off

    var wire: Belfry_V1_NotificationGrouping {
        switch self {
        case .automatic: .automatic
        case .byApp: .byApp
        case .off: .off
        }
    }
}
