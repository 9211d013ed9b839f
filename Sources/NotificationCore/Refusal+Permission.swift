/// The permission that an app lacks, to notify at all or to use one effect.
public enum MissingPermission: Hashable, Sendable {
    /// The person was never asked.
    case notAsked
    /// The person said no, or took the permission back.
    case denied
    /// A setting, with its path, is off, or the app never asked for it.
    case setting(String, NotificationSetting)
}

extension Refusal {
    /// Refuses what needs the person's permission (`UNErrorDomain` 1), and names what is missing.
    public static func notAllowed(_ missing: MissingPermission) -> Refusal {
        let code = UNErrorCode.notificationsNotAllowed
        return Refusal(
            code.kind,
            reason: code.reason,
            message: "Notifications are not allowed for this application: \(missing.explanation)",
            unErrorCode: code.rawValue,
            metadata: ["missing": missing.name]
        )
    }
}

extension MissingPermission {
    /// The missing permission's name, for programs.
    fileprivate var name: String {
        switch self {
        case .notAsked: "NOT_ASKED"
        case .denied: "DENIED"
        case .setting(let path, _): path
        }
    }

    /// What is missing and what to do, for a person.
    fileprivate var explanation: String {
        switch self {
        case .notAsked: "nobody has been asked yet: call RequestAuthorization first"
        case .denied: "the person denied them, and may allow them in the settings"
        case .setting(let path, .notSupported): "the app never asked for \(path), or cannot have it"
        case .setting(let path, _): "the person turned \(path) off"
        }
    }
}

extension NotificationSettings {
    /// The permission that the app lacks to notify at all; nil where the app may notify.
    public var missingPermission: MissingPermission? {
        switch authorizationStatus {
        case .notDetermined: .notAsked
        case .denied: .denied
        case .authorized, .provisional, .ephemeral: nil
        }
    }
}
