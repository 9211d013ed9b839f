internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension Belfry_V1_WatchDeviceResponse {
    init(
        _ message: DeviceFeedMessage,
        on device: String,
        at now: WallInstant,
        _ focuses: FocusReader
    ) {
        self.init()
        switch message {
        case .snapshot(let part):
            frames = [.with { $0.snapshot = .init(part, of: device, focuses) }]
        case .frames(let news): frames = news.map { .init($0, on: device) }
        case .heartbeat: frames = [.with { $0.heartbeat = .with { $0.now = .init(now) } }]
        }
    }
}

extension Belfry_V1_DeviceSnapshot {
    fileprivate init(
        _ part: DeviceSnapshotPart,
        of device: String,
        _ focuses: FocusReader
    ) {
        self.init()
        state = .init(part.state, of: device, focuses.active(on: part.state))
        apps = part.apps.map(Belfry_V1_DeviceApp.init)
        prompts = part.prompts.map(Belfry_V1_AuthorizationPrompt.init)
        groups = part.groups.map(Belfry_V1_NotificationGroup.init)
        presentations = part.presentations.map(Belfry_V1_OpenPresentation.init)
        complete = part.isComplete
    }
}

extension Belfry_V1_DeviceApp {
    fileprivate init(_ app: ShownApp) {
        self.init()
        center = .init(app.center.name)
        name = app.name
        iconAttachmentID = app.icon
        settings = .init(app.center.settings)
        badge = app.center.badge
        asOfEvent = app.center.lastEvent.rawValue
        grouping = .init(rawValue: Int(app.grouping.rawValue)) ?? .automatic
        locationPermission = .init(app.locationPermission)
    }
}

extension Belfry_V1_AuthorizationPrompt {
    fileprivate init(_ shown: ShownPrompt) {
        self.init()
        promptID = "\(shown.number)"
        center = .init(shown.center)
        kind =
            switch shown.prompt.kind {
            case .initial: .initial
            case .upgrade: .upgrade
            case .quiet: .quiet
            }
        options = optionList(shown.prompt.options.rawValue)
        appName = shown.appName
    }
}

extension Belfry_V1_DeviceFrame {
    fileprivate init(_ frame: DeviceFrame, on device: String) {
        self.init()
        switch frame {
        case .news(let news): self.init(news, on: device)
        case .app(let app): changed.app = .init(app)
        case .prompt(let prompt): self.prompt = .init(prompt)
        case .listed(let shown, let replaced, let group):
            listChanged.change = replaced == nil ? .added : .replaced
            listChanged.notification = .init(shown.reference)
            listChanged.rendered = .init(shown)
            if let replaced { listChanged.replaced = .init(replaced) }
            listChanged.group = .init(group)
        case .presented(let shown, let group):
            listChanged.change = .presented
            listChanged.notification = .init(shown.reference)
            listChanged.rendered = .init(shown)
            listChanged.group = .init(group)
        case .removed(let reference, let group, let end):
            listChanged.change = end == nil ? .removed : .snoozed
            if let end { listChanged.snoozedUntil = .init(end) }
            listChanged.notification = .init(reference)
            listChanged.group = .init(group)
        case .banner(let banner, let shown):
            self.banner.notification = .init(shown)
            self.banner.style = .init(banner.alert)
            self.banner.wakesDisplay = banner.wakesDisplay
        }
    }

    private init(_ news: DeviceNews, on device: String) {
        self.init()
        switch news {
        case .state(let state, let focus): changed.state = .init(state, of: device, focus)
        case .appRemoved(let center): changed.removedApp = .init(center)
        case .promptClosed(let number, let center, let status):
            promptClosed.promptID = "\(number)"
            promptClosed.center = .init(center)
            promptClosed.status = .init(status)
        case .sound(let reference, let sound, let file):
            self.sound.notification = .init(reference)
            self.sound.sound = .init(played: sound)
            self.sound.attachmentID = file
        case .vibrate(let reference): vibrate.notification = .init(reference)
        case .badge(let center, let badge):
            self.badge.center = .init(center)
            self.badge.badge = badge
        case .unlockRequested(let reference, let action, let deadline):
            unlockRequested.notification = .init(reference)
            unlockRequested.actionIdentifier = action
            unlockRequested.deadline = .init(deadline)
        case .unlockEnded(let reference, let action, let refusal):
            unlockEnded.notification = .init(reference)
            unlockEnded.actionIdentifier = action
            unlockEnded.reason = refusal?.reason.wireName ?? ""
            unlockEnded.message = refusal?.wireMessage ?? ""
        case .openSettings(let center, let reference):
            openAppSettings.center = .init(center)
            if let reference { openAppSettings.notification = .init(reference) }
        case .launch(let launch):
            launchApp.center = .init(launch.center)
            launchApp.mode = launch.mode == .foreground ? .foreground : .background
            if let reference = launch.reference { launchApp.notification = .init(reference) }
            launchApp.launchImageName = launch.launchImageName
            launchApp.targetContentIdentifier = launch.targetContentIdentifier
        case .presentation(let identifier, _, let change):
            presentation = .init(change, of: identifier)
        case .app, .prompt, .delivered, .presented, .removed, .banner:
            preconditionFailure("a frame was sent that was not rendered")
        }
    }
}

extension Belfry_V1_AlertStyle {
    /// A notification on the lock screen stays visible, so it has the style of an alert.
    fileprivate init(_ alert: VisualAlert) {
        self =
            switch alert {
            case .banner: .banner
            case .alert, .lockScreen: .alert
            }
    }
}

extension Belfry_V1_Sound {
    fileprivate init(played sound: PlayedSound) {
        self.init()
        name = sound.name
        critical = sound.isCritical
        if case .ringtone = sound { kind = .ringtone }
        if case .critical(_, let volume?) = sound { self.volume = volume }
    }
}
