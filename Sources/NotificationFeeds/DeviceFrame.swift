public import NotificationCore
public import NotificationStore

/// One thing that a device is told, as it looks now.
public enum DeviceFrame: Sendable {
    /// Something that needs no rendering.
    case news(DeviceNews)
    /// An app as it is now.
    case app(ShownApp)
    /// An app asks the person.
    case prompt(ShownPrompt)
    /// A notification is new in the list, perhaps in the place of another.
    case listed(ShownNotification, replaced: NotificationReference?, group: ShownGroup)
    /// A notification of the list was presented in a summary.
    case presented(ShownNotification, group: ShownGroup)
    /// A notification left the list; the group is what is left of it.
    case removed(NotificationReference, group: ShownGroup)
    /// A notification is to be shown.
    case banner(DeviceNews.Banner, ShownNotification)
}

/// A question to the person, as the device shows it.
public struct ShownPrompt: Hashable, Sendable {
    /// Its number, which the answer names.
    public var number: UInt64
    /// Who asks.
    public var center: CenterName
    /// The app's name in the person's language; its identifier where it has no name.
    public var appName: String
    /// What is asked.
    public var prompt: AuthorizationPrompt

    /// Makes the question that an app asks; nil where it asks none.
    init?(of app: ShownApp) {
        guard let number = app.center.openPrompt, let prompt = app.prompt else { return nil }
        self.number = number
        self.prompt = prompt
        center = app.center.name
        appName = app.name
    }
}

/// A part of the state that a watcher is told first.
public struct DeviceSnapshotPart: Sendable {
    /// What the device is doing.
    public var state: DeviceState
    /// Some of its apps.
    public var apps: [ShownApp] = []
    /// What these apps ask the person.
    public var prompts: [ShownPrompt] { apps.compactMap(ShownPrompt.init) }
    /// Some of its groups.
    public var groups: [ShownGroup] = []
    /// Whether it is the last part.
    public var isComplete = false
}

/// What one message to a watcher holds.
public enum DeviceFeedMessage: Sendable {
    /// A part of the state.
    case snapshot(DeviceSnapshotPart)
    /// What happened, in order.
    case frames([DeviceFrame])
    /// Nothing; the server is there.
    case heartbeat
}
