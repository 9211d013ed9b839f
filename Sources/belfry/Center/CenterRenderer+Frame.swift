internal import NotificationProtocol
internal import SwiftProtobuf

// The lines around the list, and the prompts of apps.

extension CenterRenderer {
    /// Makes the lines at the top: the state of the device, the badges, and a separating line.
    func header(_ screen: CenterScreen) -> [ScreenLine] {
        guard screen.connection != .waiting else {
            return [ScreenLine("Waiting for the server.", .dim), ScreenLine()]
        }
        let device = screen.device
        var state = ScreenLine(device.deviceID, .bold)
        state.append("  ")
        state.append(device.locked ? "locked" : "unlocked", device.locked ? .yellow : .green)
        if device.hasActiveFocus {
            let name = device.activeFocus.name
            state.append("  Focus" + (name.isEmpty ? "" : ": " + name))
        }
        if device.muted { state.append("  muted") }
        if device.displayOff { state.append("  display off") }
        let asking = screen.list.unanswered.count { $0.kind != .quiet }
        if asking > 0 {
            state.append("  \(asking) \(asking == 1 ? "app asks" : "apps ask")", .yellow)
        }
        switch screen.connection {
        case .reading: state.append("  The list is still being read.", .dim)
        case .lost(let reason):
            state.append("  Lost the server: \(reason). Trying again.", .red)
        case .waiting, .live: break
        }
        return [state] + waiting(screen) + found(screen) + badges(screen) + [ScreenLine()]
    }

    /// Says how many dismissals wait for a server that is away.
    private func waiting(_ screen: CenterScreen) -> [ScreenLine] {
        let count = screen.isAway ? screen.list.dismissals.waitingCount : 0
        if count == 0 { return [] }
        let what = count == 1 ? "1 dismissal waits" : "\(count) dismissals wait"
        return [ScreenLine("\(what) for the server.", .yellow)]
    }

    /// Says what the list is searched for, while something else is typed or nothing is.
    private func found(_ screen: CenterScreen) -> [ScreenLine] {
        if case .searching = screen.mode { return [] }
        guard !screen.list.search.isEmpty else { return [] }
        var line = Self.hits(screen)
        line.append("“\(screen.list.search)”", .bold)
        return [line]
    }

    /// The number of hits, before the text that is searched for: a text from right to left would
    /// take a number behind it along.
    private static func hits(_ screen: CenterScreen) -> ScreenLine {
        ScreenLine("\(screen.list.shownCount) found: ", .green)
    }

    /// The number of badges that are named.
    private static let badgeLimit = 16

    private func badges(_ screen: CenterScreen) -> [ScreenLine] {
        let apps = screen.apps.values.filter { $0.badge > 0 }
        if apps.isEmpty { return [] }
        // Stop here: each key makes this line anew, and no terminal shows more.
        guard apps.count <= Self.badgeLimit else {
            return [ScreenLine("Badges: of \(apps.count) apps")]
        }
        let badges = apps.sorted { $0.center.appID < $1.center.appID }
            .map { "\(screen.name(of: $0.center)) \($0.badge)" }
        return [ScreenLine("Badges: " + badges.joined(separator: ", "))]
    }

    /// Makes the lines at the bottom: the result of the last act, and the meaning of the keys.
    func footer(_ screen: CenterScreen, columns: Int) -> [ScreenLine] {
        switch screen.mode {
        case .browsing:
            let note = screen.note.map { ScreenLine($0.text, $0.isError ? .red : .green) }
            let keys = screen.opened.map(Self.keys) ?? Self.keys(screen)
            let last = [("?", "help"), ("q", "quit")]
            return [note ?? ScreenLine(), Self.keys(keys, then: last, columns: columns)]
        case .replying(let reply):
            let input = reply.action.textInput
            let button = input.buttonTitle.isEmpty ? reply.action.title : input.buttonTitle
            var line = ScreenLine("\(button): ", .bold)
            line.append(reply.typed, columns: columns)
            if reply.typed.text.isEmpty { line.append(input.placeholder, .dim) }
            // A note says why the text is not sent.
            let keys = Self.keys([("enter", "send"), ("esc", "cancel"), ("^U", "erase")])
            return [line, screen.note.map { ScreenLine($0.text, .red) } ?? keys]
        case .searching(let typed):
            var line = Self.hits(screen)
            line.append(typed, columns: columns)
            if typed.text.isEmpty { line.append("a text or an app", .dim) }
            return [line, Self.keys([("enter", "keep"), ("esc", "end"), ("↑↓", "move")])]
        case .settings:
            let note = screen.note.map { ScreenLine($0.text, $0.isError ? .red : .green) }
            let keys = [("↑↓", "move"), ("space", "change"), ("esc", "back")]
            return [note ?? ScreenLine(), Self.keys(keys)]
        case .helping:
            return [ScreenLine(), Self.keys([("↑↓", "move"), ("any other", "back")])]
        case .confirmingDismissAll:
            let count = screen.list.shownCount
            let all = count == 1 ? "the notification" : "all \(count) notifications"
            let what = screen.list.search.isEmpty ? all : "the \(count) found"
            return [
                ScreenLine("Dismiss \(what)?", .bold),
                Self.keys([("X", "dismiss"), ("any other", "keep")]),
            ]
        }
    }

    /// Makes the lines of a permission prompt.
    func lines(
        _ prompt: Belfry_V1_AuthorizationPrompt,
        in screen: CenterScreen
    ) -> [ScreenLine] {
        let name = prompt.appName.isEmpty ? screen.name(of: prompt.center) : prompt.appName
        let question =
            switch prompt.kind {
            case .initial, .unspecified, .UNRECOGNIZED:
                "“\(name)” would like to send you notifications."
            case .upgrade: "“\(name)” would like to do more than deliver quietly."
            case .quiet: "“\(name)” delivers quietly."
            }
        let options = prompt.options.compactMap(Self.name)
        var lines = [ScreenLine(question, .bold)]
        if !options.isEmpty {
            lines.append(ScreenLine("For: " + options.joined(separator: ", ")))
        }
        return lines + [Self.answers(to: prompt.kind)]
    }

    static func answers(to kind: Belfry_V1_AuthorizationPromptKind) -> ScreenLine {
        kind == .quiet
            ? keys([("y", "Keep"), ("n", "Turn Off")])
            : keys([("y", "Allow"), ("n", "Don’t Allow")])
    }

    private static func name(_ option: Belfry_V1_AuthorizationOption) -> String? {
        switch option {
        case .badge: "badges"
        case .sound: "sounds"
        case .alert: "alerts"
        case .carPlay: "CarPlay"
        case .criticalAlert: "critical alerts"
        case .announcement: "announcements"
        case .timeSensitive: "time sensitive notifications"
        case .providesAppNotificationSettings, .provisional, .unspecified, .UNRECOGNIZED: nil
        }
    }

    /// Makes the line with the keys that work for the selected item.
    private static func keys(_ screen: CenterScreen) -> [(String, String)] {
        var keys: [(String, String)] = []
        let row = screen.selected
        if !screen.list.search.isEmpty { keys.append(("esc", "end search")) }
        if screen.rows.count > 1 { keys.append(("↑↓", "move")) }
        if let prompt = row?.prompt {
            keys +=
                prompt.kind == .quiet
                ? [("y", "keep"), ("n", "turn off")] : [("y", "allow"), ("n", "deny")]
        } else if screen.list.unanswered.count == 1 {
            keys.append(("y/n", "answer prompt"))
        }
        if let row, let notification = row.notification {
            keys.append(("enter", "open"))
            if !notification.actions.isEmpty { keys.append(("1-9", "action")) }
            if notification.actions.contains(where: \.hasTextInput) { keys.append(("r", "reply")) }
            let count = row.group?.notifications.count ?? 0
            keys.append(("x", row.isCollapsed ? "dismiss \(count)" : "dismiss"))
            if count > 1, screen.list.search.isEmpty {
                keys.append(("space", row.isCollapsed ? "expand" : "collapse"))
            }
            keys += [("v", "view"), ("z", "snooze")]
        }
        if screen.list.dismissals.isWaiting { keys.append(("u", "undo")) }
        if !screen.list.shown.isEmpty { keys.append(("X", "dismiss all")) }
        keys += [
            ("l", screen.device.locked ? "unlock" : "lock"), ("/", "search"), ("s", "settings"),
            ("F", "Focus"),
        ]
        return keys
    }

    /// Makes a line of those keys that fit, the most useful first, and of others at its end.
    private static func keys(
        _ keys: [(String, String)],
        then last: [(String, String)],
        columns: Int
    ) -> ScreenLine {
        var fitting: [(String, String)] = []
        for key in keys where self.keys(fitting + [key] + last).text.columns <= columns {
            fitting.append(key)
        }
        return self.keys(fitting + last)
    }

    static func keys(_ keys: [(String, String)]) -> ScreenLine {
        var line = ScreenLine()
        for (key, what) in keys {
            if !line.text.isEmpty { line.append("  ") }
            line.append(key, .bold)
            line.append(" " + what, .dim)
        }
        return line
    }
}

extension ScreenLine {
    /// Adds a text that is typed, with its cursor, in what is left of so many columns.
    fileprivate mutating func append(_ typed: TypedText, columns: Int) {
        // Keep the text before the cursor visible, and the text behind it as far as there is room.
        let room = max(1, columns - text.columns - 1)
        let before = typed.after.isEmpty ? room : max(1, room * 2 / 3)
        append(typed.before.printable.suffix(columns: before) + "▏" + typed.after)
    }
}
