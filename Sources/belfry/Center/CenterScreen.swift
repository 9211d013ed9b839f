internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

/// A device's notification center as the person sees it, with the selected item.
///
/// The screen is a value without a server or a terminal: frames and keys change it.
struct CenterScreen {
    /// An item that the person can select.
    enum Item: Hashable {
        /// A permission prompt of an app, by the identifier of the prompt.
        case prompt(String)
        /// A new notification, shown above the list.
        case banner(Belfry_V1_NotificationRef)
        /// A collapsed group, which shows only its newest notification, by the identifier of the
        /// group.
        case group(String)
        /// A notification of a group that is expanded.
        case notification(Belfry_V1_NotificationRef)
    }

    struct Row {
        /// The item that the person selects.
        var item: Item
        /// The notification; nil for a prompt.
        var notification: Belfry_V1_RenderedNotification?
        /// The permission prompt, alone or beside its notification.
        var prompt: Belfry_V1_AuthorizationPrompt?
        /// The group of the notification; nil for a banner.
        var group: Belfry_V1_NotificationGroup?

        var isBanner: Bool { if case .banner = item { true } else { false } }

        /// Whether the row represents its whole group.
        var isCollapsed: Bool {
            if case .group = item { (group?.notifications.count ?? 0) > 1 } else { false }
        }
    }

    /// A notification that is shown above the list.
    struct Banner {
        /// The notification as it is shown.
        var notification: Belfry_V1_RenderedNotification
        /// When the banner disappears; nil for an alert, which stays.
        var leavesAt: Date?
    }

    /// The meaning of keys.
    enum Mode: Equatable {
        /// Keys move and act.
        case browsing
        /// Keys type a text.
        case replying(Reply)
        /// Keys type what is looked for.
        case searching(TypedText)
        /// Keys change settings.
        case settings(CenterSettings)
        /// Keys confirm or cancel the dismissal of all notifications.
        case confirmingDismissAll
        /// The meaning of all keys is shown.
        case helping
    }

    /// The screen's state beside the list: the open notification, texts that could not be sent, and
    /// parts that came early.
    struct Look {
        /// The notification that is open; nil when the list is shown.
        var opened: Belfry_V1_OpenPresentation?
        /// The frames of presentations that came before the answer that opens one.
        var early: [Belfry_V1_PresentationFrame] = []
        /// How many lines are above those that show, of what is open or of the help.
        var scroll = 0
        /// The texts of replies that could not be sent.
        var unsent: [Belfry_V1_NotificationRef: String] = [:]
        /// The Focus that was ended last, which can be chosen again.
        var endedFocus: Belfry_V1_Focus?
        /// The parts of an incomplete snapshot.
        var partialSnapshot: Belfry_V1_DeviceSnapshot?
        /// Whether a change of the rows is being made.
        var isArranging = false
    }

    /// One line with the result of an act of the person.
    struct Note: Equatable {
        var text: String
        var isError = false
        /// How long the line stays.
        var stays = CenterScreen.noteTime
        /// When the line disappears; nil until the first second after it came.
        var leavesAt: Date?
    }

    /// Whether the screen shows the server's present state.
    enum Connection: Equatable {
        case waiting
        /// A part of the state has come, and is shown.
        case reading
        case live
        case lost(String)
    }

    /// How long a banner stays, unless it is an alert.
    static let bannerTime: TimeInterval = 8
    /// How long the result of an act stays: long enough to be read.
    static let noteTime: TimeInterval = 10
    /// The largest number of banners at a time; older notifications are in the list.
    static let bannerLimit = 3

    var connection = Connection.waiting
    var device = Belfry_V1_DeviceState()
    var apps: [String: Belfry_V1_DeviceApp] = [:]
    /// The groups, prompts and banners.
    var list = CenterList()
    var mode = Mode.browsing
    var note: Note?
    var look = Look()
    /// The selected item; nil when the screen is empty.
    var selection: Item?

    /// All rows, from the top to the bottom.
    var rows: [Row] { list.rows }

    /// The place of the selected item among the rows; nil where it has none.
    var selectedPlace: Int? { selection.flatMap(list.place) }

    /// The row of the selected item; nil when the screen is empty.
    var selected: Row? { selectedPlace.map { rows[$0] } }

    mutating func select(_ place: Int) {
        list.lastPlace = place
        selection = rows[place].item
    }

    /// The notification that is open for a closer look; nil when the list is shown.
    var opened: Belfry_V1_OpenPresentation? {
        get { look.opened }
        set { look.opened = newValue }
    }

    private var selectedReference: Belfry_V1_NotificationRef? {
        switch selection {
        case .notification(let reference), .banner(let reference): reference
        case .prompt, .group, nil: nil
        }
    }

    /// Changes the rows, and keeps the same item selected, or else the same place.
    ///
    /// Changes within a change are arranged with it.
    mutating func rearrange(_ change: (inout CenterScreen) -> Void) {
        guard !look.isArranging else { return change(&self) }
        let place = selectedPlace ?? 0
        let before = rows
        look.isArranging = true
        change(&self)
        look.isArranging = false
        list.lastPlace = place
        if selectedPlace != nil { return }
        if let reference = selectedReference,
            let group = list.shown.first(where: { group in
                group.notifications.contains { $0.notification == reference }
            })
        {
            // Stay with the notification: its banner left, or its group is no longer expanded.
            selection =
                list.isExpanded(group) ? .notification(reference) : .group(group.info.groupID)
            return
        }
        if case .group(let name) = selection,
            let found = list.shown.first(where: { $0.info.groupID == name })
        {
            // Stay in the group, which a search expands.
            selection = .notification(found.notifications[0].notification)
            return
        }
        // Select the next row that stays, or else the last before it, or else the first that does
        // not leave by itself.
        guard !rows.isEmpty else {
            selection = nil
            return
        }
        var places: [Item: Int] = [:]
        for (place, row) in rows.enumerated() {
            places[row.item] = place
            // The last notification of an expanded group is the group's row.
            if !row.isBanner, let notification = row.notification {
                places[.notification(notification.notification)] = place
            }
        }
        let next = before.dropFirst(place + 1).lazy.compactMap { places[$0.item] }.first
        let previous = before.prefix(place).reversed().lazy.compactMap { places[$0.item] }.first
        select(next ?? previous ?? rows.firstIndex { !$0.isBanner } ?? 0)
    }

    /// Notes that a prompt was answered, or that it waits for an answer again.
    mutating func mark(_ prompt: String, isAnswered: Bool) {
        rearrange { screen in
            if isAnswered {
                screen.list.answered.insert(prompt)
            } else {
                screen.list.answered.remove(prompt)
            }
        }
    }

    /// Removes the banners, and the result of an act, whose time has passed.
    ///
    /// - Returns: What cannot be taken back any more, for the server.
    @discardableResult
    mutating func pass(to now: Date) -> CenterIntent? {
        if let leavesAt = note?.leavesAt {
            if leavesAt <= now { note = nil }
        } else if let stays = note?.stays {
            note?.leavesAt = now + stays
        }
        if list.banners.contains(where: { ($0.leavesAt ?? .distantFuture) <= now }) {
            rearrange { $0.list.banners.removeAll { ($0.leavesAt ?? .distantFuture) <= now } }
        }
        guard list.dismissals.isWaiting else { return nil }
        list.dismissals.begin(at: now)
        let due = isAway ? [] : list.dismissals.takeDue(at: now)
        return due.isEmpty ? nil : .dismiss(due)
    }

    /// Whether the server does not answer.
    var isAway: Bool { if case .lost = connection { true } else { connection == .waiting } }

    /// Notes that the connection to the server was lost; the rows stay until a new snapshot.
    mutating func lose(because reason: String) {
        connection = .lost(reason)
        look.partialSnapshot = nil
    }
}
