public import NotificationCore

/// An app as its device shows it.
public struct ShownApp: Hashable, Sendable {
    /// The app's center, with settings and badge.
    public var center: CenterState
    /// The app's name in the person's language; its identifier where it has no name.
    public var name: String
    /// The app's picture; empty is none.
    public var icon: String
    /// How the app's notifications are grouped.
    public var grouping: GroupingMode
    /// The app's open prompt to the person; nil is none.
    public var prompt: AuthorizationPrompt?
}
