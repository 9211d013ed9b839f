internal import NotificationProtocol
internal import SwiftProtobuf

// The keys of the person.

extension CenterScreen {
    /// Handles a key.
    ///
    /// - Returns: The act for the server or the program, if the key asks for an act.
    mutating func press(_ key: Key) -> CenterIntent? {
        if key == .interrupt { return .quit }
        note = nil
        switch mode {
        case .browsing where opened != nil: return pressWhileOpen(key)
        case .browsing: return browse(key)
        case .replying(let reply): return type(key, into: reply)
        case .searching(let typed):
            search(key, in: typed)
            return nil
        case .settings(let settings): return settings.press(key, in: &self)
        case .helping:
            if !scroll(by: key) { mode = .browsing }
            return nil
        case .confirmingDismissAll:
            mode = .browsing
            guard key == .character("X") else { return nil }
            let listed = list.shown.flatMap(\.notifications).map(\.notification)
            rearrange { screen in
                screen.list.banners = []
                screen.hide(listed)
            }
            return nil
        }
    }

    private mutating func browse(_ key: Key) -> CenterIntent? {
        switch key {
        case .up, .character("k"): move(by: -1)
        case .down, .character("j"): move(by: 1)
        case .pageUp: move(by: -5)
        case .pageDown: move(by: 5)
        case .home, .character("g"): move(by: -rows.count)
        case .end, .character("G"): move(by: rows.count)
        case .enter:
            guard let tapped = selectedNotification() else { break }
            return respond(to: tapped.notification, .defaultAction(.init()))
        case .character(" "): toggle()
        case .character("a"): return pressAction(0)
        case .character("0"): return pressAction(9)
        case .character(let digit) where ("1"..."9").contains(digit):
            return digit.wholeNumberValue.flatMap { pressAction($0 - 1) }
        case .character("r"): reply()
        case .character("z"): return snooze()
        case .character("v"): return selectedNotification().map { .open($0.notification) }
        case .character("x"): return dismiss()
        case .character("X"):
            if connection == .reading {
                refuse("The list is still being read.")
            } else if list.shown.isEmpty {
                refuse("Nothing is there.")
            } else {
                mode = .confirmingDismissAll
            }
        case .character("u"): takeBack()
        case .character("s"):
            let row = selected
            if let app = row?.notification?.notification.center ?? row?.prompt?.center {
                mode = .settings(CenterSettings(subject: .app(app.appID)))
            } else {
                refuse("Move to a notification first.")
            }
        case .character("F"): mode = .settings(CenterSettings(subject: .focus))
        case .character("/"): mode = .searching(TypedText(before: list.search))
        case .escape where !list.search.isEmpty: rearrange { $0.list.search = "" }
        case .character("l"): return .lock(!device.locked)
        case .character("y"): return answer { $0 == .quiet ? .keep : .allow }
        case .character("n"): return answer { $0 == .quiet ? .turnOff : .deny }
        case .character("q"): return .quit
        case .character("?"): (look.scroll, mode) = (0, .helping)
        default: break
        }
        return nil
    }

    /// Scrolls the open notification or the help.
    ///
    /// - Returns: Whether the key moves.
    mutating func scroll(by key: Key) -> Bool {
        let lines: Int
        switch key {
        case .up, .character("k"): lines = -1
        case .down, .character("j"): lines = 1
        case .pageUp: lines = -5
        case .pageDown, .character(" "): lines = 5
        case .home, .character("g"): lines = -look.scroll
        // Go far beyond the end: only the renderer knows where it is.
        case .end, .character("G"): lines = Self.pastTheEnd
        default: return false
        }
        look.scroll = max(0, min(look.scroll + lines, Self.pastTheEnd))
        return true
    }

    /// More lines than any text has.
    private static let pastTheEnd = 1 << 20

    private mutating func type(_ key: Key, into reply: Reply) -> CenterIntent? {
        var reply = reply
        switch key {
        case .escape:
            mode = .browsing
            return nil
        case .enter:
            guard !isAway else {
                refuse("The server is away: your text stays here until it is back.")
                return nil
            }
            mode = .browsing
            let act = Belfry_V1_RespondRequest.OneOf_Act.action(
                .with {
                    $0.actionIdentifier = reply.action.identifier
                    $0.userText = reply.typed.text
                }
            )
            guard reply.presentation.isEmpty else {
                return .act(presentation: reply.presentation, act)
            }
            return respond(to: reply.notification, act)
        default: reply.typed.press(key)
        }
        mode = .replying(reply)
        return nil
    }

    /// Finds what is typed as it is typed.
    private mutating func search(_ key: Key, in typed: TypedText) {
        var typed = typed
        mode = .browsing
        switch key {
        case .enter: return
        case .escape: typed = TypedText()
        case .up:
            move(by: -1)
            mode = .searching(typed)
        case .down:
            move(by: 1)
            mode = .searching(typed)
        default:
            typed.press(key)
            mode = .searching(typed)
        }
        rearrange { $0.list.search = typed.text }
    }

    private mutating func move(by distance: Int) {
        guard !rows.isEmpty else {
            selection = nil
            return
        }
        select(selectedPlace.map { max(0, min(rows.count - 1, $0 + distance)) } ?? 0)
    }

    private mutating func toggle() {
        guard list.search.isEmpty else {
            refuse("All hits show: esc ends the search.")
            return
        }
        guard let group = selected?.group, group.notifications.count > 1 else {
            refuse("There is no group to expand.")
            return
        }
        let name = group.info.groupID
        if list.expanded.remove(name) == nil {
            list.expanded.insert(name)
            selection = .notification(group.notifications[0].notification)
        } else {
            selection = .group(name)
        }
    }

    /// The selected notification; when no notification is selected, a note says so.
    private mutating func selectedNotification() -> Belfry_V1_RenderedNotification? {
        let notification = selected?.notification
        if notification == nil { refuse("Move to a notification first.") }
        return notification
    }

    private mutating func respond(
        to reference: Belfry_V1_NotificationRef,
        _ act: Belfry_V1_RespondRequest.OneOf_Act
    ) -> CenterIntent {
        leaveBanner(of: reference)
        return .respond(reference, act)
    }

    /// Removes the banner of a notification on which the person acted, and goes on to the next row.
    ///
    /// The same key once more must not act on the notification in the list, or on its group.
    private mutating func leaveBanner(of reference: Belfry_V1_NotificationRef) {
        if selection == .banner(reference), let place = selectedPlace, rows.count > 1 {
            select(place + 1 < rows.count ? place + 1 : place - 1)
        }
        rearrange { $0.list.banners.removeAll { $0.notification.notification == reference } }
    }

    private mutating func pressAction(_ place: Int) -> CenterIntent? {
        guard let notification = selectedNotification() else { return nil }
        guard notification.actions.indices.contains(place) else {
            refuse("It has no such action.")
            return nil
        }
        let action = notification.actions[place]
        guard !action.hasTextInput else {
            beginReply(to: notification.notification, by: action)
            return nil
        }
        return respond(
            to: notification.notification,
            .action(.with { $0.actionIdentifier = action.identifier })
        )
    }

    private mutating func reply() {
        guard let notification = selectedNotification() else { return }
        guard let action = notification.actions.first(where: \.hasTextInput) else {
            refuse("It has no action that takes a text.")
            return
        }
        beginReply(to: notification.notification, by: action)
    }

    private mutating func dismiss() -> CenterIntent? {
        guard let notification = selectedNotification(), let row = selected else { return nil }
        let reference = notification.notification
        if row.isBanner {
            leaveBanner(of: reference)
            return .swipeAway(reference)
        }
        let group = row.isCollapsed ? row.group : nil
        hide(group?.notifications.map(\.notification) ?? [reference])
        return nil
    }

    /// Takes notifications out of sight, which are dismissed once they cannot be taken back any
    /// more: these, and none that comes meanwhile.
    private mutating func hide(_ references: [Belfry_V1_NotificationRef]) {
        rearrange { $0.list.dismissals.add(references) }
        note =
            isAway
            ? Note(text: "Dismissed \(references.count) once the server is back.")
            : Note(
                text: "Dismissed \(references.count). u takes it back.",
                stays: CenterDismissals.undoTime
            )
    }

    /// Shows what was dismissed last again.
    private mutating func takeBack() {
        rearrange { screen in
            guard let shown = screen.list.dismissals.takeBack() else {
                screen.refuse("Nothing can be taken back.")
                return
            }
            screen.selection = .notification(shown[0])
            screen.note = Note(text: "Taken back: \(shown.count).")
        }
    }

    static let snoozeSeconds: Int64 = 600

    private mutating func snooze() -> CenterIntent? {
        guard let notification = selectedNotification() else { return nil }
        let reference = notification.notification
        leaveBanner(of: reference)
        return .snooze(reference, seconds: Self.snoozeSeconds)
    }

    private mutating func answer(
        _ choice: (Belfry_V1_AuthorizationPromptKind) -> Belfry_V1_PromptAnswer
    ) -> CenterIntent? {
        let open = list.unanswered
        guard let prompt = selected?.prompt ?? (open.count == 1 ? open[0] : nil) else {
            refuse(open.isEmpty ? "No app asks for permission." : "Move to a prompt first.")
            return nil
        }
        // Mark the prompt now: the next key is for the next prompt, before the server has closed
        // this one.
        mark(prompt.promptID, isAnswered: true)
        return .answer(prompt: prompt.promptID, choice(prompt.kind))
    }

    mutating func refuse(_ sentence: String) {
        note = Note(text: sentence, isError: true)
    }
}
