internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

// The snapshot of the server, which comes in parts.

extension CenterScreen {
    /// Adds a part to the snapshot, and shows the snapshot once it is complete.
    ///
    /// A screen that shows nothing yet shows what has come so far.
    mutating func take(_ part: Belfry_V1_DeviceSnapshot) {
        var whole = look.partialSnapshot ?? Belfry_V1_DeviceSnapshot()
        // Move the parts out, which would be copied for each part otherwise.
        look.partialSnapshot = nil
        whole.add(part)
        if part.complete {
            show(whole)
        } else {
            if connection == .waiting || connection == .reading { preview(whole) }
            look.partialSnapshot = whole
        }
    }

    private mutating func show(_ whole: Belfry_V1_DeviceSnapshot) {
        // Keep the open notifications of the device open, even if they were opened before this
        // program began.
        let open = whole.presentations
        opened =
            open.first { $0.presentationID == opened?.presentationID } ?? open.last
        leaveClosed()
        replaceList(by: whole) { screen in
            screen.connection = .live
            let listed = Set(whole.groups.flatMap(\.notifications).map(\.notification))
            // Show no banners on the lock screen, which shows the list.
            let banners = whole.state.locked ? [] : screen.list.banners
            screen.list.banners = banners.filter { listed.contains($0.notification.notification) }
            screen.list.dismissals.keep(listed: listed)
        }
    }

    /// Shows the parts of the first snapshot so far.
    private mutating func preview(_ whole: Belfry_V1_DeviceSnapshot) {
        // Wait until twice as much has come as was shown last, since sorting takes as long as the
        // list is.
        let shown = apps.count + list.groups.count
        let count = whole.apps.count + whole.groups.count
        guard connection == .waiting || count >= 2 * shown else { return }
        var whole = whole
        if let last = whole.groups.last, last.notifications.count < last.info.count {
            // Leave out the last group, whose rest is in the next part.
            whole.groups.removeLast()
        }
        replaceList(by: whole) { $0.connection = .reading }
    }

    private mutating func replaceList(
        by whole: Belfry_V1_DeviceSnapshot,
        _ change: (inout CenterScreen) -> Void
    ) {
        // Stay at the top with a selection at the top: the newest notification may come in the last
        // part.
        let staysAtTop = connection == .reading && selectedPlace == 0
        rearrange { screen in
            screen.device = whole.state
            screen.apps = Dictionary(whole.apps.map { ($0.center.appID, $0) }) { $1 }
            screen.list.groups = whole.groups.sorted { $0.info.date.date > $1.info.date.date }
            screen.list.prompts = whole.prompts
            change(&screen)
        }
        if staysAtTop, !rows.isEmpty { select(0) }
    }
}

extension Belfry_V1_DeviceSnapshot {
    fileprivate mutating func add(_ part: Belfry_V1_DeviceSnapshot) {
        state = part.state
        apps += part.apps
        prompts += part.prompts
        presentations += part.presentations
        for group in part.groups {
            if groups.last?.info.groupID == group.info.groupID {
                groups[groups.count - 1].notifications += group.notifications
            } else {
                groups.append(group)
            }
        }
    }
}
