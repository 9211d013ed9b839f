package import NotificationCore

/// Knows which extensions serve their apps.
///
/// Called on the writer thread, which all calls wait for: it must not block.
package protocol ExtensionPresenceSource: Sendable {
    /// Whether an extension serves its app, or was cut a moment ago and keeps its place.
    ///
    /// `kind` is what the extension does. `name` is which content extension; an app has one service
    /// extension, whatever its name. `now` is the instant.
    ///
    /// - Returns: Whether the extension is, or may come back to be, asked.
    func isServing(
        _ kind: AppExtension.Kind,
        named name: String,
        for app: String,
        at now: ElapsedInstant
    ) -> Bool
    /// The content extension that shows a category of an app, as it described itself, or that was
    /// cut a moment ago (NCE-1); nil where none serves.
    func contentExtension(
        of app: String,
        showing category: String,
        at now: ElapsedInstant
    ) -> AppExtension?
    /// Whether an extension is connected, so that it can answer.
    func isConnected(_ kind: AppExtension.Kind, named name: String, for app: String) -> Bool
    /// Whether `serving` names a call that serves an app as this kind of extension.
    func isServing(
        _ serving: String,
        as kind: AppExtension.Kind,
        for app: String,
        at now: ElapsedInstant
    ) -> Bool
}
