/// A notification to be delivered when its trigger fires; a value, never changed once added.
package struct NotificationRequest: Hashable, Sendable {
    /// The key for replacing and removing, 1-256 UTF-8 bytes.
    package var identifier: String
    /// What the notification says.
    package var content: NotificationContent
    /// When the request fires; absent means now.
    package var trigger: Trigger?

    /// Makes a request.
    package init(identifier: String, content: NotificationContent, trigger: Trigger? = nil) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
    }
}
