/// What a person's device is doing, as far as it decides how notifications show (W-1).
///
/// A value; every app on the device shares it.
public struct DeviceState: Hashable, Sendable {
    /// Whether it is locked.
    public var isLocked = false
    /// Whether its display is on; a notification may turn it on.
    public var isDisplayOn = true
    /// The Focus that is on; absent where none is.
    public var focus: Focus?
    /// The summary that collects notifications for later.
    public var summary = ScheduledSummary()
    /// Whether sounds are off; only critical ones play then.
    public var isMuted = false
    /// Its zone by IANA name, such as `Europe/Lisbon`; empty is the server's.
    public var timeZone = ""
    /// Its languages as BCP 47 tags, the preferred one first; empty is the app's own.
    public var languages: [String] = []

    /// Makes the state of a device that lies unlocked before its person, with nothing switched on.
    public init() {}

    /// Gives what `scheduledDeliverySetting` reads for `app` (SSM-1).
    public func scheduledDelivery(of app: String) -> NotificationSetting {
        guard summary.isEnabled else { return .notSupported }
        return summary.apps.contains(app) ? .enabled : .disabled
    }
}
