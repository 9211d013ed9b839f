internal import Faults

extension NotificationSettings {
    /// Whether at least one asked-for option is granted.
    package var isGranted: Bool { authorizationStatus.allowsNotifications }

    /// Decides what an app's request for `options` leads to (§4, D-3).
    ///
    /// An app that asks only for options without having their entitlements gets no grant and no
    /// prompt, since there is nothing to allow. Any app may ask to deliver quietly
    /// . An ephemeral app has its permission for a limited time without a prompt (§2.2). While
    /// a prompt is open, a call joins it instead: ``AuthorizationPrompt/join(_:)``.
    ///
    /// - Parameters:
    ///   - options: What the app asks for.
    ///   - entitlements: What the app was registered with; an option that they no longer cover
    ///     becomes not supported.
    ///   - isEphemeral: Whether the app was registered as ephemeral: there for a limited time.
    /// - Returns: The settings afterwards, or that the person has to be asked.
    package func requesting(
        _ options: AuthorizationOptions,
        entitlements: Entitlements = [],
        isEphemeral: Bool = false
    ) -> AuthorizationStep {
        switch authorizationStatus {
        case .notDetermined, .provisional:
            guard !options.offered(under: entitlements).isEmpty else {
                return .settled(remembering(options))
            }
            guard !isEphemeral else {
                var settings = granted(options, entitlements: entitlements)
                settings.authorizationStatus = .ephemeral
                return .settled(settings)
            }
            return options.contains(.provisional)
                ? .settled(grantedQuietly(options, entitlements: entitlements)) : .prompt
        case .authorized, .ephemeral:
            return .settled(merging(options, entitlements: entitlements))
        case .denied:
            return .settled(remembering(options))
        }
    }

    /// Gives the settings after the person said yes to `options` as a whole.
    ///
    /// An option that was never asked for is not supported, whatever a quiet grant had set. A yes
    /// does not include critical alerts, which need a grant of their own: they are off until
    /// the person allows them by name or in the settings. Where the app asked for nothing else, the
    /// yes grants them.
    ///
    /// - Parameters:
    ///   - options: What the app asked for; its earlier options are granted too.
    ///   - entitlements: What the app was registered with.
    /// - Returns: The settings, authorized.
    package func granted(
        _ options: AuthorizationOptions,
        entitlements: Entitlements = []
    ) -> NotificationSettings {
        let asked = requestedOptions.union(options).subtracting(.provisional)
        let prompt = AuthorizationPrompt(kind: .initial, options: asked)
        let allowed = prompt.allowedByYes(under: entitlements)
        return allowing(allowed, of: asked, entitlements: entitlements)
    }

    /// Gives the settings after the person refused `options`, or turned a quiet grant off.
    ///
    /// An option that the app never asked for is not supported again, where the quiet grant had put
    /// it off (D-30).
    ///
    /// - Parameters:
    ///   - options: What the app asked for; its earlier options are refused too.
    ///   - entitlements: What the app was registered with.
    /// - Returns: The settings, denied.
    package func denied(
        _ options: AuthorizationOptions,
        entitlements: Entitlements = []
    ) -> NotificationSettings {
        var settings = remembering(options)
        settings.authorizationStatus = .denied
        // Turn every option off, so that an app that is allowed again gets all that it asked for.
        let enabled = AuthorizationOptions.all {
            self[keyPath: $0] == .enabled && !Fault.denialLeavesSomeOn.isPlanted
        }
        settings.set(.all { self[keyPath: $0] == .disabled }, to: .notSupported)
        settings.set(settings.requestedOptions.union(enabled), to: .disabled)
        if notificationCenter == .enabled { settings.notificationCenter = .disabled }
        if lockScreen == .enabled { settings.lockScreen = .disabled }
        settings.alertStyle = .none
        return settings.adapted(to: entitlements)
    }

    /// Gives the settings of an app whose registration now has `entitlements`.
    ///
    /// Critical alerts that the app asked for become possible, and are off; time-sensitive
    /// notifications are on wherever the app may notify aloud. An option without its entitlement is
    /// not supported.
    package func adapted(to entitlements: Entitlements) -> NotificationSettings {
        var settings = self
        let isDetermined = authorizationStatus != .notDetermined
        let hasCritical =
            requestedOptions.contains(.criticalAlert) && entitlements.contains(.criticalAlerts)
        if !(isDetermined && hasCritical) {
            settings.criticalAlert = .notSupported
        } else if criticalAlert == .notSupported {
            settings.criticalAlert = .disabled
        }
        let hasTimeSensitive =
            requestedOptions.contains(.timeSensitive) || entitlements.contains(.timeSensitive)
        if !(isDetermined && hasTimeSensitive) {
            settings.timeSensitive = .notSupported
        } else if timeSensitive == .notSupported {
            let isLoud = authorizationStatus == .authorized || authorizationStatus == .ephemeral
            settings.timeSensitive = isLoud ? .enabled : .disabled
        }
        return settings
    }
}

extension NotificationSettings {
    /// Turns off the options that were asked for and not allowed; the list and the lock screen
    /// follow alerts.
    func allowing(
        _ allowed: AuthorizationOptions,
        of asked: AuthorizationOptions,
        entitlements: Entitlements
    ) -> NotificationSettings {
        var settings = remembering(asked)
        settings.authorizationStatus = .authorized
        settings.set(.all, to: .notSupported)
        settings.set(settings.requestedOptions, to: .disabled)
        settings.set(allowed, to: .enabled)
        settings.notificationCenter = settings.alert
        settings.lockScreen = settings.alert
        settings.alertStyle = settings.alert == .enabled ? .banner : .none
        return settings.adapted(to: entitlements)
    }

    /// The settings after the person keeps a quiet grant: authorized, and as quiet as before.
    func kept(_ options: AuthorizationOptions, entitlements: Entitlements) -> NotificationSettings {
        var settings = remembering(options)
        settings.set(unanswered(options), to: .disabled)
        settings.authorizationStatus = .authorized
        settings.notificationCenter = .enabled
        return settings.adapted(to: entitlements)
    }

    /// The settings after the person gives back a permission that they withdrew or refused.
    ///
    /// Choices made before a withdrawal hold again. Where nothing is on, as after a refused prompt,
    /// everything that the app asked for is granted, since allowing nothing would change nothing. A
    /// refused first prompt did not decide about the list and the lock screen: they are granted
    /// too.
    func givenBack(entitlements: Entitlements, isEphemeral: Bool) -> NotificationSettings {
        var settings = self
        if NotificationSettings.effects.contains(where: { self[keyPath: $0] == .enabled }) {
            settings.authorizationStatus = .authorized
            settings.enable(unanswered(requestedOptions))
            if requestedOptions.contains(.alert) { settings.enableUnansweredPlaces() }
            settings = settings.adapted(to: entitlements)
        } else {
            settings = granted([], entitlements: entitlements)
        }
        if isEphemeral { settings.authorizationStatus = .ephemeral }
        return settings
    }

    /// The settings of a first quiet grant, or of a quiet grant whose app asks for more.
    private func grantedQuietly(
        _ options: AuthorizationOptions,
        entitlements: Entitlements
    ) -> NotificationSettings {
        var settings = remembering(options)
        let offered = settings.requestedOptions.union([.alert, .sound, .badge])
        settings.set(unanswered(offered), to: .disabled)
        guard authorizationStatus != .provisional else { return settings.adapted(to: entitlements) }
        settings.authorizationStatus = .provisional
        settings.lockScreen = .disabled
        settings.notificationCenter = .enabled
        settings.alertStyle = .none
        return settings.adapted(to: entitlements)
    }

    /// Turns newly asked options on without a prompt, unless they have a setting already: the
    /// person chose it, or kept a quiet grant, under which alerts, sounds and badges are off until
    /// the person turns them on.
    private func merging(
        _ options: AuthorizationOptions,
        entitlements: Entitlements
    ) -> NotificationSettings {
        var settings = remembering(options)
        settings.enable(
            Fault.permissionEscalatesAfterKeep.isPlanted
                ? options.subtracting(requestedOptions) : unanswered(options)
        )
        return settings.adapted(to: entitlements)
    }

    /// The options of `options` whose setting is neither on nor off yet.
    private func unanswered(_ options: AuthorizationOptions) -> AuthorizationOptions {
        options.intersection(.all { self[keyPath: $0] == .notSupported })
    }

    private func remembering(_ options: AuthorizationOptions) -> NotificationSettings {
        var settings = self
        settings.requestedOptions.formUnion(options.subtracting(.provisional))
        settings.providesAppNotificationSettings =
            settings.requestedOptions.contains(.providesAppNotificationSettings)
        return settings
    }

    /// Turns options on, except critical alerts, which need a grant of their own (A-8, D-3).
    private mutating func enable(_ options: AuthorizationOptions) {
        set(options.subtracting(.criticalAlert), to: .enabled)
        if options.contains(.alert) {
            enableUnansweredPlaces()
            alertStyle = .banner
        }
    }

    /// Turns the list and the lock screen on with alerts, unless they have a setting already.
    private mutating func enableUnansweredPlaces() {
        if notificationCenter == .notSupported { notificationCenter = .enabled }
        if lockScreen == .notSupported { lockScreen = .enabled }
    }

    private mutating func set(_ options: AuthorizationOptions, to value: NotificationSetting) {
        for (option, setting) in AuthorizationOptions.settings where options.contains(option) {
            self[keyPath: setting] = value
        }
    }

    /// Each setting by which a person perceives a notification.
    ///
    /// The summary, direct messages and time-sensitivity only decide when a notification shows: an
    /// app with nothing else on shows nothing.
    private static var effects: [KeyPath<NotificationSettings, NotificationSetting>] {
        AuthorizationOptions.settings.map { $0.1 }.filter { $0 != \.timeSensitive }
            + [\.notificationCenter, \.lockScreen]
    }
}

extension AuthorizationOptions {
    /// Each option that is a permission, with its setting.
    fileprivate static var settings:
        [(AuthorizationOptions, WritableKeyPath<NotificationSettings, NotificationSetting>)]
    {
        [
            (.badge, \.badge), (.sound, \.sound), (.alert, \.alert), (.carPlay, \.carPlay),
            (.criticalAlert, \.criticalAlert), (.announcement, \.announcement),
            (.timeSensitive, \.timeSensitive),
        ]
    }

    /// Each option that is a permission.
    fileprivate static var all: AuthorizationOptions { all { _ in true } }

    /// Each option whose setting fulfils `condition`.
    fileprivate static func all(
        where condition: (KeyPath<NotificationSettings, NotificationSetting>) -> Bool
    ) -> AuthorizationOptions {
        settings.reduce(into: []) { all, next in
            if condition(next.1) { all.formUnion(next.0) }
        }
    }

    /// Whether a permission is among these options: a settings screen, for example, is none.
    var haveAPermission: Bool { !isDisjoint(with: .all) }

    /// Whether an app with these entitlements may have a permission among these options.
    func haveAPermission(under entitlements: Entitlements) -> Bool {
        offered(under: entitlements).haveAPermission
    }

    /// The options that an app with these entitlements may have.
    func offered(under entitlements: Entitlements) -> AuthorizationOptions {
        entitlements.contains(.criticalAlerts) ? self : subtracting(.criticalAlert)
    }
}
