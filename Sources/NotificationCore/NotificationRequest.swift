/// A notification to be delivered when its trigger fires; a value, never changed once added.
public struct NotificationRequest: Hashable, Sendable {
    /// The key for replacing and removing, 1-256 UTF-8 bytes.
    public var identifier: String
    /// What the notification says.
    public var content: NotificationContent
    /// When the request fires; absent means now.
    public var trigger: Trigger?

    /// Makes a request.
    public init(identifier: String, content: NotificationContent, trigger: Trigger? = nil) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
    }
}
