internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

/// The groups, prompts and banners of a notification center, and the rows that they make.
struct CenterList {
    /// The groups as the server tells them, newest first.
    var groups: [Belfry_V1_NotificationGroup] = [] { didSet { listing = Listing(after: listing) } }
    /// The open prompts, in the order in which they were opened.
    var prompts: [Belfry_V1_AuthorizationPrompt] = [] {
        didSet { listing = Listing(after: listing) }
    }
    /// The banners, newest first.
    var banners: [CenterScreen.Banner] = [] { didSet { listing = Listing(after: listing) } }
    /// The identifiers of the expanded groups, which show all of their notifications.
    var expanded: Set<String> = [] { didSet { listing = Listing(after: listing) } }
    /// The prompts that were answered, until the server closes them or refuses the answer.
    var answered: Set<String> = [] { didSet { listing = Listing(after: listing) } }
    /// The notifications that the person dismissed, which are out of sight.
    var dismissals = CenterDismissals() { didSet { listing = Listing(after: listing) } }
    /// The words that the person looks for: only notifications with them are shown.
    var search = "" {
        didSet { if search != oldValue { listing = Listing(after: listing) } }
    }
    /// The rows that these make.
    private var listing = Listing()

    /// The groups as the person sees them.
    ///
    /// - Complexity: O(*n*) in the notifications, once after each change of what is listed.
    var shown: [Belfry_V1_NotificationGroup] {
        if let shown = listing.shown { return shown }
        let filter = SearchFilter(search)
        let isWhole = dismissals.hidden.isEmpty && filter.isEmpty
        let shown = isWhole ? groups : groups.compactMap { visiblePart(of: $0, filter) }
        listing.shown = shown
        return shown
    }

    /// How many notifications the person sees.
    var shownCount: Int { shown.reduce(0) { $0 + $1.notifications.count } }

    /// The rows in their order.
    ///
    /// - Complexity: O(*n*) in the notifications, once after each change of what is listed.
    var rows: [CenterScreen.Row] {
        if let rows = listing.rows { return rows }
        let rows = makeRows()
        listing.rows = rows
        listing.made += 1
        return rows
    }

    /// How often the rows were made.
    var arrangements: Int { listing.made }

    /// Where an item was last among the rows.
    var lastPlace: Int {
        get { listing.place }
        nonmutating set { listing.place = newValue }
    }

    /// The place of an item among the rows; nil where it has none.
    ///
    /// - Complexity: O(1) where the item is at the last place, otherwise O(*n*).
    func place(of item: CenterScreen.Item) -> Int? {
        let rows = rows
        if rows.indices.contains(lastPlace), rows[lastPlace].item == item { return lastPlace }
        guard let place = rows.firstIndex(where: { $0.item == item }) else { return nil }
        lastPlace = place
        return place
    }

    func isExpanded(_ group: Belfry_V1_NotificationGroup) -> Bool {
        group.notifications.count > 1
            && (!search.isEmpty || expanded.contains(group.info.groupID))
    }

    /// The open prompts that the person has not answered.
    var unanswered: [Belfry_V1_AuthorizationPrompt] {
        prompts.filter { !answered.contains($0.promptID) }
    }

    /// The prompts without a notification beside them.
    private var separatePrompts: [Belfry_V1_AuthorizationPrompt] {
        guard !prompts.isEmpty else { return [] }
        let beside = Set(shown.lazy.flatMap(\.notifications).map(\.promptID))
        return unanswered.filter { !beside.contains($0.promptID) }
    }

    /// A group with the notifications that the person sees; nil without any.
    private func visiblePart(
        of group: Belfry_V1_NotificationGroup,
        _ filter: SearchFilter
    ) -> Belfry_V1_NotificationGroup? {
        let visible = group.notifications.filter { notification in
            filter.finds(notification) && !dismissals.hidden.contains(notification.notification)
        }
        guard visible.count < group.notifications.count else { return group }
        if visible.isEmpty { return nil }
        var part = group
        part.notifications = visible
        // The server's summary counts the others too.
        part.info.summary = visible.count > 1 ? "\(visible.count - 1) more" : ""
        return part
    }

    private func makeRows() -> [CenterScreen.Row] {
        let showing = banners.filter { !dismissals.hidden.contains($0.notification.notification) }
        var rows = showing.map { banner in
            CenterScreen.Row(
                item: .banner(banner.notification.notification),
                notification: banner.notification
            )
        }
        rows += separatePrompts.map { CenterScreen.Row(item: .prompt($0.promptID), prompt: $0) }
        for group in shown {
            if isExpanded(group) {
                rows += group.notifications.map { row(.notification($0.notification), $0, group) }
            } else if let newest = group.notifications.first {
                rows.append(row(.group(group.info.groupID), newest, group))
            }
        }
        return rows
    }

    private func row(
        _ item: CenterScreen.Item,
        _ notification: Belfry_V1_RenderedNotification,
        _ group: Belfry_V1_NotificationGroup
    ) -> CenterScreen.Row {
        var row = CenterScreen.Row(item: item, notification: notification, group: group)
        let beside = notification.promptID
        guard !beside.isEmpty, !answered.contains(beside) else { return row }
        // Make the prompt where it is missing: the server may send it only beside the notification.
        row.prompt =
            prompts.first { $0.promptID == beside }
            ?? .with {
                $0.promptID = beside
                $0.kind = .quiet
            }
        return row
    }

    /// The groups and rows of a list, which are made when they are asked for.
    ///
    /// A list gets another whenever it changes.
    private final class Listing {
        var shown: [Belfry_V1_NotificationGroup]?
        var rows: [CenterScreen.Row]?
        var place = 0
        /// How often rows were made, of this listing and of those before it.
        var made: Int

        init(after last: Listing? = nil) { made = last?.made ?? 0 }
    }
}
