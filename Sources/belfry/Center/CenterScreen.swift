internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

/// A device's notification center as its person sees it, and where the person is in it.
///
/// It is a value that knows neither a server nor a terminal: frames and keys change it.
struct CenterScreen {
    /// What the person can move to.
    enum Item: Hashable {
        /// An app that asks for permission, by its prompt.
        case prompt(String)
        /// A notification that came just now, above all else.
        case banner(Belfry_V1_NotificationRef)
        /// A group that shows its newest notification alone, by its identifier.
        case group(String)
        /// A notification of a group that is expanded.
        case notification(Belfry_V1_NotificationRef)
    }

    /// What is shown in one place of the list.
    struct Row {
        /// What the person moves to.
        var item: Item
        /// The notification; nil of a prompt.
        var notification: Belfry_V1_RenderedNotification?
        /// The question, by itself or beside its notification.
        var prompt: Belfry_V1_AuthorizationPrompt?
        /// The group that the notification is in; nil of a banner.
        var group: Belfry_V1_NotificationGroup?

        /// Whether it is above all else.
        var isBanner: Bool { if case .banner = item { true } else { false } }

        /// Whether it stands for all of its group.
        var isCollapsed: Bool {
            if case .group = item { (group?.notifications.count ?? 0) > 1 } else { false }
        }
    }

    /// A notification that is shown above all else.
    struct Banner {
        /// How it looks.
        var notification: Belfry_V1_RenderedNotification
        /// When it leaves by itself; an alert stays.
        var leavesAt: Date?
    }

    /// A text that the person types.
    struct Reply: Equatable {
        /// The notification that it answers.
        var notification: Belfry_V1_NotificationRef
        /// The button that sends it.
        var action: Belfry_V1_NotificationAction
        /// What is typed so far.
        var text = ""
    }

    /// What keys are for.
    enum Mode: Equatable {
        /// To move and to act.
        case browsing
        /// To type a text.
        case replying(Reply)
        /// To confirm that all goes, or to keep it.
        case confirmingDismissAll
    }

    /// One line on what became of what the person did.
    struct Note: Equatable {
        var text: String
        var isError = false
    }

    /// Whether what is shown is what the server has.
    enum Connection: Equatable {
        case waiting
        case live
        case lost(String)
    }

    /// How long a banner stays that leaves by itself.
    static let bannerTime: TimeInterval = 8
    /// How many banners are shown at once; older ones are in the list.
    static let bannerLimit = 3

    var connection = Connection.waiting
    var device = Belfry_V1_DeviceState()
    /// By identifier.
    var apps: [String: Belfry_V1_DeviceApp] = [:]
    /// Newest first.
    var groups: [Belfry_V1_NotificationGroup] = []
    /// In the order of asking.
    var prompts: [Belfry_V1_AuthorizationPrompt] = []
    /// Newest first.
    var banners: [Banner] = []
    /// The groups that show all of their notifications.
    var expanded: Set<String> = []
    var mode = Mode.browsing
    var note: Note?
    /// Where the person is; nil where nothing is.
    var selection: Item?
    // The parts of a snapshot that is not complete.
    var partialSnapshot: Belfry_V1_DeviceSnapshot?

    /// All that is shown, from the top to the bottom.
    var rows: [Row] {
        var rows = banners.map { banner in
            Row(item: .banner(banner.notification.notification), notification: banner.notification)
        }
        rows += separatePrompts.map { Row(item: .prompt($0.promptID), prompt: $0) }
        for group in groups {
            if isExpanded(group) {
                rows += group.notifications.map { row(.notification($0.notification), $0, group) }
            } else if let newest = group.notifications.first {
                rows.append(row(.group(group.info.groupID), newest, group))
            }
        }
        return rows
    }

    /// What is shown where the person is; nil where nothing is.
    var selected: Row? { selection.flatMap { item in rows.first { $0.item == item } } }

    /// Whether a group shows all of its notifications.
    func isExpanded(_ group: Belfry_V1_NotificationGroup) -> Bool {
        group.notifications.count > 1 && expanded.contains(group.info.groupID)
    }

    /// The prompts that do not stand beside a notification.
    private var separatePrompts: [Belfry_V1_AuthorizationPrompt] {
        guard !prompts.isEmpty else { return [] }
        let beside = Set(groups.lazy.flatMap(\.notifications).map(\.promptID))
        return prompts.filter { !beside.contains($0.promptID) }
    }

    private func row(
        _ item: Item,
        _ notification: Belfry_V1_RenderedNotification,
        _ group: Belfry_V1_NotificationGroup
    ) -> Row {
        var row = Row(item: item, notification: notification, group: group)
        let beside = notification.promptID
        guard !beside.isEmpty else { return row }
        // The server may tell of it only beside the notification.
        row.prompt =
            prompts.first { $0.promptID == beside }
            ?? .with {
                $0.promptID = beside
                $0.kind = .quiet
            }
        return row
    }

    /// Changes what is shown, and keeps the person at the same item or else at the same place.
    mutating func rearrange(_ change: (inout CenterScreen) -> Void) {
        let place = selection.flatMap { item in rows.firstIndex { $0.item == item } } ?? 0
        change(&self)
        let now = rows.map(\.item)
        if let selection, now.contains(selection) { return }
        if case .notification(let reference) = selection,
            let group = groups.first(where: { group in
                group.notifications.contains { $0.notification == reference }
            })
        {
            // Its group is no longer expanded.
            selection = .group(group.info.groupID)
        } else {
            selection = now.isEmpty ? nil : now[min(place, now.count - 1)]
        }
    }

    /// Takes banners away whose time is over.
    mutating func pass(to now: Date) {
        guard banners.contains(where: { ($0.leavesAt ?? .distantFuture) <= now }) else { return }
        rearrange { $0.banners.removeAll { ($0.leavesAt ?? .distantFuture) <= now } }
    }

    /// Says that the server is gone; what was shown stays until there is a new snapshot.
    mutating func lose(because reason: String) {
        connection = .lost(reason)
        partialSnapshot = nil
    }
}
