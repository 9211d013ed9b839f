package import NotificationCore

/// An app as its device shows it.
package struct ShownApp: Hashable, Sendable {
    /// The app's center, with settings and badge.
    package var center: CenterState
    /// The app's name in the person's language; its identifier where it has no name.
    package var name: String
    /// The app's picture; empty is none.
    package var icon: String
    /// How the app's notifications are grouped.
    package var grouping: GroupingMode
    /// What the app may know of the location by its own permission.
    package var locationPermission: LocationPermission
    /// The app's open prompt to the person; nil is none.
    package var prompt: AuthorizationPrompt?
}
