package import NotificationCore
internal import NotificationRecords

extension Store {
    /// Asks an app to show its own notification settings, for the person
    /// (`userNotificationCenter(_:openSettingsFor:)`).
    ///
    /// `notification` is the notification from which the person asked; nil where they asked in the
    /// settings. `completion` is told once the event is durable. For an app without settings of its
    /// own the refusal is `NO_APP_SETTINGS`.
    package func openSettings(
        of center: CenterName,
        from notification: NotificationReference?,
        once key: OnceKey? = nil,
        completion: @escaping Completion<Int>
    ) {
        let command = OpenSettingsCommand(center: center, notification: notification)
        submit(command, once: key, completion)
    }
}

struct OpenSettingsCommand: CenterCommand {
    let center: CenterName
    let notification: NotificationReference?

    var growth: Growth { .act }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<Int> {
        let center = try batch.registered(center)
        if let notification { _ = try batch.listed(notification) }
        guard center.state.settings.providesAppNotificationSettings else {
            return .done(.failure(.noAppSettings))
        }
        let shown = notification.map {
            Event.Shown(identifier: $0.identifier, delivery: $0.delivery)
        }
        try center.events.record(.openSettings(shown))
        center.tell(.openSettings(center.name, notification))
        return .done(.success(0))
    }
}

extension Refusal {
    /// The app did not say that it has settings of its own.
    static let noAppSettings = Refusal(
        .failedPrecondition,
        reason: .noAppSettings,
        message: "the app has no notification settings of its own",
        hint: .askForAppSettings
    )
}
