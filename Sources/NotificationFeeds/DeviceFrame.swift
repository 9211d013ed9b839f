package import NotificationCore
package import NotificationStore

/// A news for a watcher, rendered as of now.
package enum DeviceFrame: Sendable {
    /// News that need no rendering.
    case news(DeviceNews)
    case app(ShownApp)
    /// An app asks the person.
    case prompt(ShownPrompt)
    /// A notification is new in the list, perhaps as the replacement of another.
    case listed(ShownNotification, replaced: NotificationReference?, group: ShownGroup)
    /// A notification of the list was presented in a summary.
    case presented(ShownNotification, group: ShownGroup)
    /// A notification left the list, perhaps until it comes back from a snooze; `group` is the rest
    /// of its group.
    case removed(NotificationReference, group: ShownGroup, snoozedUntil: WallInstant?)
    case banner(DeviceNews.Banner, ShownNotification)
}

package struct ShownPrompt: Hashable, Sendable {
    /// The prompt's number, which the answer names.
    package var number: PromptNumber
    /// The center of the app that asks.
    package var center: CenterName
    /// The name of the app that asks, in the person's language; its identifier where it has no
    /// name.
    package var appName: String
    package var prompt: AuthorizationPrompt

    /// Makes the prompt of an app; nil where the app has no open prompt.
    init?(of app: ShownApp) {
        guard let number = app.center.openPrompt, let prompt = app.prompt else { return nil }
        self.number = number
        self.prompt = prompt
        center = app.center.name
        appName = app.name
    }
}

/// A part of the state that a watcher is told first.
package struct DeviceSnapshotPart: Sendable {
    package var state: DeviceState
    /// Some of its apps.
    package var apps: [ShownApp] = []
    /// The open prompts of these apps.
    package var prompts: [ShownPrompt] { apps.compactMap(ShownPrompt.init) }
    /// Some of its groups.
    package var groups: [ShownGroup] = []
    /// Some of the notifications that are open.
    package var presentations: [ShownPresentation] = []
    /// Whether it is the last part.
    package var isComplete = false
}

/// The content of one message to a watcher.
package enum DeviceFeedMessage: Sendable {
    /// A part of the state.
    case snapshot(DeviceSnapshotPart)
    /// The news, in order.
    case frames([DeviceFrame])
    /// No news; it shows that the server is there.
    case heartbeat
}
