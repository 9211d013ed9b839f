internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

extension Belfry_V1_NotificationGroup {
    init(_ group: ShownGroup) {
        self.init()
        info = .init(group)
        notifications = group.notifications.map(Belfry_V1_RenderedNotification.init)
    }
}

extension Belfry_V1_NotificationGroupInfo {
    init(_ group: ShownGroup) {
        self.init()
        groupID = group.name.text
        center = .init(group.name.center)
        threadIdentifier = group.thread
        count = UInt32(clamping: group.count)
        summary = group.summary ?? ""
        date = .init(group.date)
        asOfEvent = group.asOfEvent.rawValue
    }
}

extension Belfry_V1_RenderedNotification {
    init(_ shown: ShownNotification) {
        self.init()
        notification = .init(shown.reference)
        appName = shown.appName
        iconAttachmentID = shown.icon
        date = .init(shown.date)
        title = shown.rendered.title
        subtitle = shown.rendered.subtitle
        body = shown.rendered.body
        attachments = shown.rendered.attachments.map { .init($0) }
        actions = shown.rendered.actions.map { .init($0.action) }
        redacted = shown.rendered.isHidden
        if let communication = shown.rendered.communication {
            self.communication = .init(communication)
        }
        held = shown.isHeld
        if let focus = shown.silencingFocus { silencedByFocus = focus }
        if let progress = shown.rendered.progress { self.progress = progress }
        promptID = shown.prompt.map { "\($0)" } ?? ""
        interruptionLevel = .init(rawValue: Int(shown.level.rawValue)) ?? .active
    }
}
