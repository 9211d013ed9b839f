public import NotificationCore

/// One thing that a device is told, as a batch notes it: small, and rendered when it is sent.
public enum DeviceNews: Sendable {
    /// A notification to show over what the person does.
    public struct Banner: Sendable {
        /// Which notification.
        public var reference: NotificationReference
        /// Where it shows.
        public var alert: VisualAlert
        /// Whether a display that is off turns on.
        public var wakesDisplay: Bool
        /// When the notification was delivered.
        var date: WallInstant
        /// The whole content of one that has no entry in the list, so that it can be rendered.
        var content: NotificationContent?
    }

    /// A delivery: an entry of the list, and what the person sees and hears of it.
    ///
    /// One that is gone by the time that a watcher is told is not told at all.
    public struct Delivered: Sendable {
        /// Which notification.
        public var reference: NotificationReference
        /// Whether it has an entry in the list.
        var isListed: Bool
        /// The one of its group that it took the place of.
        var replaced: NotificationReference?
        /// A banner, a sound, a vibration, in this order.
        var alerts: [DeviceNews] = []
    }

    /// An app to run.
    public struct Launch: Sendable {
        /// How.
        public var mode: AppLaunch
        /// The notification that it is launched from.
        public var reference: NotificationReference
        /// The picture to show meanwhile.
        public var launchImageName: String
        /// The part of the app that opens.
        public var targetContentIdentifier: String
    }

    /// The device's state changed.
    case state(DeviceState)
    /// An app is new, or its settings or its categories are others.
    case app(CenterName)
    /// An app was taken off the device.
    case appRemoved(CenterName)
    /// An app asks the person, or asks for more.
    case prompt(CenterName)
    /// A question to the person is closed; the status is the app's now.
    case promptClosed(UInt64, CenterName, AuthorizationStatus)
    /// A notification was delivered.
    case delivered(Delivered)
    /// A notification of the list was presented in a summary.
    case presented(NotificationReference)
    /// A notification left the list; its thread names the group.
    case removed(NotificationReference, thread: String)
    /// A notification is to be shown.
    case banner(Banner)
    /// A sound is to be played.
    case sound(NotificationReference, PlayedSound, file: String)
    /// The device is to vibrate.
    case vibrate(NotificationReference)
    /// An app's badge changed.
    case badge(CenterName, Int32)
    /// An action waits for the unlock, until an instant.
    case unlockRequested(NotificationReference, action: String, deadline: WallInstant)
    /// An action waits for the unlock no longer: it was done, or it was not and why.
    case unlockEnded(NotificationReference, action: String, Refusal?)
    /// An app is to run.
    case launch(Launch)
    /// An app's own notification settings are to be shown, perhaps from a notification.
    case openSettings(CenterName, NotificationReference?)

    /// About how many bytes it holds while it waits.
    var byteCount: Int {
        switch self {
        case .banner(let banner): 256 + (banner.content?.byteCount ?? 0)
        case .delivered(let delivered): delivered.alerts.reduce(256) { $0 + $1.byteCount }
        default: 256
        }
    }

    /// The app that it is about; nil for the device itself.
    var app: String? {
        switch self {
        case .state: nil
        case .app(let center), .appRemoved(let center), .prompt(let center),
            .promptClosed(_, let center, _), .badge(let center, _),
            .openSettings(let center, _):
            center.app
        case .presented(let reference), .removed(let reference, _),
            .sound(let reference, _, _), .vibrate(let reference),
            .unlockRequested(let reference, _, _), .unlockEnded(let reference, _, _):
            reference.center.app
        case .delivered(let delivered): delivered.reference.center.app
        case .banner(let banner): banner.reference.center.app
        case .launch(let launch): launch.reference.center.app
        }
    }
}

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
public enum DeviceWatchMessage: Sendable {
    /// A part of the state.
    case snapshot(DeviceSnapshotPart)
    /// What happened, in order.
    case frames([DeviceFrame])
    /// Nothing; the server is there.
    case heartbeat
}
