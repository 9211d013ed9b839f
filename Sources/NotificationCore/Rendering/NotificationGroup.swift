/// How an app's notifications are grouped, as the person chose (GRP-3).
package enum GroupingMode: UInt8, Hashable, Sendable, CaseIterable {
    /// By the app's threads.
    case automatic = 0
    case byApp = 1
    /// No groups.
    case off = 2
}

/// Notifications that are shown as one stack (§15.1).
package struct NotificationGroup: Hashable, Sendable {
    package let app: String
    /// The thread of the notifications; empty is the app's own group.
    package let thread: String
    /// The newest notification, which is shown.
    package let lead: ListedNotification
    /// The other notifications, newest first, which a collapsed stack hides.
    package let hidden: [ListedNotification]

    /// All notifications of the group, newest first; dismissing the group dismisses them all
    /// (NC-5).
    package var members: [ListedNotification] { [lead] + hidden }

    /// Groups the list of a device.
    ///
    /// Groups are in the order of their newest members (GRP-5). Two apps never share a group.
    ///
    /// - Parameters:
    ///   - list: The list, in any order.
    ///   - mode: Gives the person's choice for an app; called once for each app.
    /// - Returns: The groups from the top.
    /// - Complexity: O(*n* log *n*) for *n* notifications.
    package static func groups(
        of list: [ListedNotification],
        mode: (_ app: String) -> GroupingMode
    ) -> [NotificationGroup] {
        var positions: [Key: Int] = [:]
        var groups: [[ListedNotification]] = []
        // Bounded: apps of the store, whose names are short and ASCII.
        var modes: [String: GroupingMode] = [:]
        for notification in list {
            let mode = modes[notification.app] ?? mode(notification.app)
            modes[notification.app] = mode
            let key = Key(notification, mode)
            if let position = positions[key] {
                groups[position].append(notification)
            } else {
                positions[key] = groups.count
                groups.append([notification])
            }
        }
        // Take the later delivery of one app as the newer one: the clock may have gone back.
        for index in groups.indices { groups[index].sort { $0.delivery > $1.delivery } }
        groups.sort { $0[0].isAbove($1[0]) }
        return groups.map { members in
            let lead = members[0]
            let isThreaded = modes[lead.app] == .automatic
            return NotificationGroup(
                app: lead.app,
                thread: isThreaded ? lead.content.groupingThread : "",
                lead: lead,
                hidden: Array(members.dropFirst())
            )
        }
    }
}

/// The property that the members of a group share.
private struct Key: Hashable {
    private let app: String
    // Compare threads by their bytes: threads that only look alike are different.
    private let thread: [UInt8]
    private let delivery: DeliveryNumber?

    init(_ notification: ListedNotification, _ mode: GroupingMode) {
        app = notification.app
        thread = mode == .automatic ? Array(notification.content.groupingThread.utf8) : []
        delivery = mode == .off ? notification.delivery : nil
    }
}
