/// The permission that an app lacks, to notify at all or to use one effect.
package enum MissingPermission: Hashable, Sendable {
    /// The person was never asked.
    case notAsked
    /// The person is asked, and has not answered.
    case notAnswered
    /// The person said no, or took the permission back.
    case denied
    /// A setting is off, or the app never asked for it.
    case setting(Field, NotificationSetting)
}

extension Refusal {
    /// Refuses a command that needs the person's permission (`UNErrorDomain` 1), and names what is
    /// missing.
    package static func notAllowed(_ missing: MissingPermission) -> Refusal {
        let code = UNErrorCode.notificationsNotAllowed
        return Refusal(
            code.kind,
            reason: code.reason,
            message: "Notifications are not allowed for this application",
            hint: .lacks(missing)
        )
    }
}

extension NotificationSettings {
    /// The permission that the app lacks to notify at all; nil where the app may notify.
    package var missingPermission: MissingPermission? {
        switch authorizationStatus {
        case .notDetermined: .notAsked
        case .denied: .denied
        case .authorized, .provisional, .ephemeral: nil
        }
    }
}
