public import NotificationCore

/// An app as its device shows it.
public struct ShownApp: Hashable, Sendable {
    /// Its center, with settings and badge.
    public var center: CenterState
    /// Its name in the person's language; its identifier where it has no name.
    public var name: String
    /// Its picture; empty is none.
    public var icon: String
    /// How its notifications are grouped.
    public var grouping: GroupingMode
    /// What it asks the person; nil is nothing.
    public var prompt: AuthorizationPrompt?
}
