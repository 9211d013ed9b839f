internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

// The frames of the server.

extension CenterScreen {
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
                let place = screen.prompts.firstIndex { $0.promptID == prompt.promptID }
                if let place {
                    screen.prompts[place] = prompt
                } else {
                    screen.prompts.append(prompt)
                }
            }
        case .promptClosed(let closed):
            rearrange { $0.prompts.removeAll { $0.promptID == closed.promptID } }
            mark(closed.promptID, isAnswered: false)
        case .banner(let banner): show(banner, at: now)
        case .badge(let badge):
            apps[badge.center.appID, default: .with { $0.center = badge.center }].badge =
                badge.badge
        case .listChanged(let change) where change.change == .presented:
            rearrange { $0.update(change.rendered) }
        case .listChanged(let change):
            var needsSnapshot = false
            rearrange { needsSnapshot = $0.list(change) }
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
        let listed = groups.lazy.flatMap(\.notifications)
        if device.locked, listed.contains(where: { $0.notification == reference }) { return }
        rearrange { screen in
            screen.banners.removeAll { $0.notification.notification == reference }
            screen.banners.insert(
                Banner(
                    notification: frame.notification,
                    leavesAt: frame.style == .banner ? now + Self.bannerTime : nil
                ),
                at: 0
            )
            screen.banners = Array(screen.banners.prefix(Self.bannerLimit))
        }
    }

    /// Replaces a notification of the list with its new form, at the same place.
    private mutating func update(_ rendered: Belfry_V1_RenderedNotification) {
        for group in groups.indices {
            for place in groups[group].notifications.indices
            where groups[group].notifications[place].notification == rendered.notification {
                groups[group].notifications[place] = rendered
            }
        }
    }

    private mutating func list(_ change: Belfry_V1_ListChangedFrame) -> Bool {
        let replaced = change.hasReplaced ? change.replaced : nil
        let leaving = [change.notification] + (replaced.map { [$0] } ?? [])
        banners.removeAll { leaving.contains($0.notification.notification) }
        var needsSnapshot = false
        // Change only groups that have them: a changed group is copied, since the rows have it,
        // too.
        for (index, group) in groups.enumerated()
        where group.notifications.contains(where: { leaving.contains($0.notification) }) {
            groups[index].notifications.removeAll { leaving.contains($0.notification) }
            // Ask for a snapshot: the frame has the summary of only one group.
            if group.info.groupID != change.group.groupID { needsSnapshot = true }
        }
        var group = groups.first { $0.info.groupID == change.group.groupID } ?? .init()
        groups.removeAll { $0.notifications.isEmpty || $0.info.groupID == change.group.groupID }
        group.info = change.group
        // Ask for a snapshot: the placeholder of a hidden text may count the other notifications of
        // the thread.
        if group.notifications.contains(where: \.redacted) { needsSnapshot = true }
        if change.hasRendered { group.notifications.insert(change.rendered, at: 0) }
        if !group.notifications.isEmpty {
            let place = groups.firstIndex { $0.info.date.date <= group.info.date.date }
            groups.insert(group, at: place ?? groups.endIndex)
        }
        if case .notification(let reference) = selection, reference == replaced {
            selection = .notification(change.notification)
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
                screen.prompts.removeAll { $0.center.appID == center.appID }
                screen.groups.removeAll { $0.info.center.appID == center.appID }
                screen.banners.removeAll {
                    $0.notification.notification.center.appID == center.appID
                }
            }
            return false
        case nil: return false
        }
    }
}
