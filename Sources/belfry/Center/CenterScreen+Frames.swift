internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

// The frames of the server.

extension CenterScreen {
    /// Applies frames that arrived together, and arranges the rows once for all of them.
    ///
    /// - Returns: Whether a new snapshot is needed, as for one frame.
    mutating func apply(_ frames: [Belfry_V1_DeviceFrame], at now: Date) -> Bool {
        var needsSnapshot = false
        rearrange { screen in
            var rest = frames[...]
            while let frame = rest.first {
                let changes = rest.prefix { $0.changesList }.map(\.listChanged)
                if changes.isEmpty {
                    if screen.apply(frame, at: now) { needsSnapshot = true }
                } else if screen.apply(changes) {
                    needsSnapshot = true
                }
                rest = rest.dropFirst(max(1, changes.count))
            }
        }
        return needsSnapshot
    }

    /// Applies a frame.
    ///
    /// - Returns: Whether a new snapshot is needed, because other notifications may look different
    ///   now and no frame reports that.
    mutating func apply(_ frame: Belfry_V1_DeviceFrame, at now: Date) -> Bool {
        switch frame.kind {
        case .snapshot(let part): take(part)
        case .prompt(let prompt):
            // Drop the note about the last notification, which would seem to be about this one.
            note = nil
            rearrange { screen in
                let place = screen.list.prompts.firstIndex { $0.promptID == prompt.promptID }
                if let place {
                    screen.list.prompts[place] = prompt
                } else {
                    screen.list.prompts.append(prompt)
                }
            }
        case .promptClosed(let closed):
            rearrange { $0.list.prompts.removeAll { $0.promptID == closed.promptID } }
            mark(closed.promptID, isAnswered: false)
        case .banner(let banner): show(banner, at: now)
        case .badge(let badge):
            apps[badge.center.appID, default: .with { $0.center = badge.center }].badge =
                badge.badge
        case .listChanged(let change) where change.change == .presented:
            rearrange { $0.list.groups.update(change.rendered) }
        case .listChanged(let change):
            var needsSnapshot = false
            rearrange { needsSnapshot = $0.apply([change]) }
            return needsSnapshot
        case .unlockRequested:
            note = Note(text: "Waits until the device is unlocked: l unlocks it.")
        case .unlockEnded(let ended):
            note = ended.message.isEmpty ? nil : Note(text: "Not done: \(ended.message)")
        case .launchApp(let launch):
            guard launch.mode == .foreground else { break }
            note = Note(text: "\(name(of: launch.center)) opens.")
        case .openAppSettings(let settings):
            note = Note(text: "\(name(of: settings.center)) shows its notification settings.")
        case .changed(let changed): return take(changed)
        case .presentation(let frame): change(frame)
        case .sound, .vibrate, .heartbeat, nil: break
        }
        return false
    }

    /// The name of an app for the person.
    func name(of center: Belfry_V1_Center) -> String {
        let name = apps[center.appID]?.name ?? ""
        return name.isEmpty ? center.appID : name
    }

    private mutating func show(_ frame: Belfry_V1_BannerFrame, at now: Date) {
        let reference = frame.notification.notification
        // Show no banner on the lock screen, where the list shows the notification already.
        let listed = list.groups.lazy.flatMap(\.notifications)
        if device.locked, listed.contains(where: { $0.notification == reference }) { return }
        rearrange { screen in
            screen.list.banners.removeAll { $0.notification.notification == reference }
            screen.list.banners.insert(
                Banner(
                    notification: frame.notification,
                    leavesAt: frame.style == .banner ? now + Self.bannerTime : nil
                ),
                at: 0
            )
            screen.list.banners = Array(screen.list.banners.prefix(Self.bannerLimit))
        }
    }

    /// Applies changes of the list in one pass over the groups.
    private mutating func apply(_ changes: [Belfry_V1_ListChangedFrame]) -> Bool {
        // The notifications that leave their groups, each with the group that its change tells.
        var leaving: [Belfry_V1_NotificationRef: String] = [:]
        // The news of each group that is told.
        var news: [String: News] = [:]
        var needsSnapshot = false
        for change in changes {
            let name = change.group.groupID
            let replaced = change.hasReplaced ? change.replaced : nil
            for reference in [change.notification] + (replaced.map { [$0] } ?? []) {
                if let last = leaving.updateValue(name, forKey: reference) {
                    news[last]?.added.removeAll { $0.notification == reference }
                    if last != name { needsSnapshot = true }
                }
            }
            news[name, default: News()].info = change.group
            if change.hasRendered { news[name]?.added.insert(change.rendered, at: 0) }
            if case .notification(let reference) = selection, reference == replaced {
                selection = .notification(change.notification)
            }
        }
        list.dismissals.forget(leaving.keys)
        list.banners.removeAll { leaving[$0.notification.notification] != nil }
        if list.groups.remove(leaving, told: &news) { needsSnapshot = true }
        // Insert them in the order of their last changes, which decides between equal dates.
        var isInserted: Set<String> = []
        let told = changes.reversed().map(\.group.groupID).filter { isInserted.insert($0).inserted }
        for name in told.reversed() {
            guard let new = news[name] else { continue }
            // Ask for a snapshot: the placeholder of a hidden text may count the other
            // notifications of the thread.
            let others = new.added.dropFirst() + new.kept
            if others.contains(where: \.redacted) { needsSnapshot = true }
            let group = Belfry_V1_NotificationGroup.with {
                $0.info = new.info
                $0.notifications = new.added + new.kept
            }
            guard !group.notifications.isEmpty else { continue }
            let place = list.groups.firstIndex { $0.info.date.date <= group.info.date.date }
            list.groups.insert(group, at: place ?? list.groups.endIndex)
        }
        return needsSnapshot
    }

    private mutating func take(_ changed: Belfry_V1_DeviceChangedFrame) -> Bool {
        switch changed.kind {
        case .state(let state):
            device = state
            return true
        case .app(let app):
            // Ask for a snapshot of an app that is sent again: its settings, grouping or categories
            // are new, so its notifications may look different.
            return apps.updateValue(app, forKey: app.center.appID) != nil
        case .removedApp(let center):
            rearrange { screen in
                screen.apps[center.appID] = nil
                screen.list.prompts.removeAll { $0.center.appID == center.appID }
                screen.list.groups.removeAll { $0.info.center.appID == center.appID }
                screen.list.banners.removeAll {
                    $0.notification.notification.center.appID == center.appID
                }
            }
            return false
        case nil: return false
        }
    }
}

extension Belfry_V1_DeviceFrame {
    /// Whether the frame adds to the list or removes from it.
    fileprivate var changesList: Bool {
        if case .listChanged(let change) = kind { change.change != .presented } else { false }
    }
}

/// The news of a group.
private struct News {
    var info = Belfry_V1_NotificationGroupInfo()
    /// The new notifications, newest first.
    var added: [Belfry_V1_RenderedNotification] = []
    /// The notifications that stay.
    var kept: [Belfry_V1_RenderedNotification] = []
}

extension [Belfry_V1_NotificationGroup] {
    /// Replaces a notification of the list with its new form, at the same place.
    fileprivate mutating func update(_ rendered: Belfry_V1_RenderedNotification) {
        for group in indices {
            for place in self[group].notifications.indices
            where self[group].notifications[place].notification == rendered.notification {
                self[group].notifications[place] = rendered
            }
        }
    }

    /// Takes notifications out of their groups, and the told groups out of the list.
    ///
    /// - Returns: Whether a notification left a group that its change does not tell, whose summary
    ///   is unknown then.
    fileprivate mutating func remove(
        _ leaving: [Belfry_V1_NotificationRef: String],
        told news: inout [String: News]
    ) -> Bool {
        var needsSnapshot = false
        var staying: [Belfry_V1_NotificationGroup] = []
        staying.reserveCapacity(count)
        for group in self {
            let name = group.info.groupID
            let kept = group.notifications.filter { notification in
                guard let told = leaving[notification.notification] else { return true }
                if told != name { needsSnapshot = true }
                return false
            }
            if news[name] != nil {
                news[name]?.kept = kept
            } else if kept.count == group.notifications.count {
                staying.append(group)
            } else if !kept.isEmpty {
                var group = group
                group.notifications = kept
                staying.append(group)
            }
        }
        self = staying
        return needsSnapshot
    }
}
