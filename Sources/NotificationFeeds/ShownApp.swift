package import NotificationCore

/// An app as its device shows it.
package struct ShownApp: Hashable, Sendable {
    /// The app's center, with settings and badge.
    package var center: CenterState
    package var name: String
    package var icon: String
    package var grouping: GroupingMode
    /// The app's own permission for the location, without the device's.
    package var locationPermission: LocationPermission
    package var prompt: AuthorizationPrompt?
}
