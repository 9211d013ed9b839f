/// The state of a person's device, as far as it decides how notifications show (W-1).
///
/// A value; all apps on the device share it.
package struct DeviceState: Hashable, Sendable {
    package var isLocked = false
    /// Whether the display is on; a notification may turn it on.
    package var isDisplayOn = true
    /// The Focus that is on, or that its schedule turns on and off; absent where there is none.
    package var focus: Focus?
    /// The summary that collects notifications for later.
    package var summary = ScheduledSummary()
    /// Whether sounds are off; only critical ones play then.
    package var isMuted = false
    /// The device's time zone by IANA name, such as `Europe/Lisbon`; empty is the server's zone.
    package var timeZone = ""
    /// The person's languages as BCP 47 tags, the preferred one first; empty uses each app's own
    /// language.
    package var languages: [String] = []
    /// The location permission of apps for which the person did not choose one (LOC-5).
    package var locationPermission = LocationPermission.notDetermined

    /// Makes the state of an unlocked device with its display on and nothing else switched on.
    package init() {}

    /// Gives the value of `scheduledDeliverySetting` for `app` (SSM-1).
    package func scheduledDelivery(of app: String) -> NotificationSetting {
        guard summary.isEnabled else { return .notSupported }
        return summary.apps.contains(app) ? .enabled : .disabled
    }
}
