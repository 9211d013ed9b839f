/// The state of a person's device, as far as it decides how notifications show (W-1).
///
/// A value; all apps on the device share it.
public struct DeviceState: Hashable, Sendable {
    /// Whether the device is locked.
    public var isLocked = false
    /// Whether the display is on; a notification may turn it on.
    public var isDisplayOn = true
    /// The Focus that is on; absent where no Focus is on.
    public var focus: Focus?
    /// The summary that collects notifications for later.
    public var summary = ScheduledSummary()
    /// Whether sounds are off; only critical ones play then.
    public var isMuted = false
    /// The device's time zone by IANA name, such as `Europe/Lisbon`; empty is the server's zone.
    public var timeZone = ""
    /// The person's languages as BCP 47 tags, the preferred one first; empty uses each app's own
    /// language.
    public var languages: [String] = []

    /// Makes the state of an unlocked device with its display on and nothing else switched on.
    public init() {}

    /// Gives the value of `scheduledDeliverySetting` for `app` (SSM-1).
    public func scheduledDelivery(of app: String) -> NotificationSetting {
        guard summary.isEnabled else { return .notSupported }
        return summary.apps.contains(app) ? .enabled : .disabled
    }
}
