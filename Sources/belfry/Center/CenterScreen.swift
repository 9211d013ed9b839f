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

    /// All that the person can move to, from the top to the bottom.
    var items: [Item] {
        banners.map { .banner($0.notification.notification) }
            + separatePrompts.map { .prompt($0.promptID) }
            + groups.flatMap { group in
                isExpanded(group)
                    ? group.notifications.map { .notification($0.notification) }
                    : [.group(group.info.groupID)]
            }
    }

    /// The prompts that do not stand beside a notification.
    var separatePrompts: [Belfry_V1_AuthorizationPrompt] {
        let beside = Set(groups.flatMap(\.notifications).map(\.promptID))
        return prompts.filter { !beside.contains($0.promptID) }
    }

    /// Whether a group shows all of its notifications.
    func isExpanded(_ group: Belfry_V1_NotificationGroup) -> Bool {
        group.notifications.count > 1 && expanded.contains(group.info.groupID)
    }

    /// The notification that an item shows; nil of a prompt.
    func notification(of item: Item) -> Belfry_V1_RenderedNotification? {
        switch item {
        case .prompt: nil
        case .banner(let reference):
            banners.first { $0.notification.notification == reference }?.notification
        case .group(let name): groups.first { $0.info.groupID == name }?.notifications.first
        case .notification(let reference):
            groups.lazy.flatMap(\.notifications).first { $0.notification == reference }
        }
    }

    /// The group that an item belongs to.
    func group(of item: Item) -> Belfry_V1_NotificationGroup? {
        switch item {
        case .prompt, .banner: nil
        case .group(let name): groups.first { $0.info.groupID == name }
        case .notification(let reference):
            groups.first { $0.notifications.contains { $0.notification == reference } }
        }
    }

    /// The question that an item shows, by itself or beside its notification.
    func prompt(of item: Item) -> Belfry_V1_AuthorizationPrompt? {
        if case .prompt(let name) = item { return prompts.first { $0.promptID == name } }
        guard let beside = notification(of: item)?.promptID, !beside.isEmpty else { return nil }
        // The server may tell of it only beside the notification.
        return prompts.first { $0.promptID == beside }
            ?? .with {
                $0.promptID = beside
                $0.kind = .quiet
            }
    }

    /// Changes what is shown, and keeps the person at the same item or else at the same place.
    mutating func rearrange(_ change: (inout CenterScreen) -> Void) {
        let place = selection.flatMap { items.firstIndex(of: $0) } ?? 0
        change(&self)
        let now = items
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
