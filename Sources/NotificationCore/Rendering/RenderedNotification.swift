/// The screen that a notification is rendered for (LK-5).
package struct Screen: Hashable, Sendable {
    package var isLocked: Bool
    /// Whether room is scarce, as on a banner, so that fewer actions show (K-2).
    package var isCompact: Bool
    /// The profile whose rules the rendering of a body follows (D-12).
    package var profile: Profile

    package init(isLocked: Bool, isCompact: Bool = false, profile: Profile = .server) {
        self.isLocked = isLocked
        self.isCompact = isCompact
        self.profile = profile
    }
}

/// A button that a screen shows.
package struct RenderedAction: Hashable, Sendable {
    /// The action, with the title that is shown.
    package var action: NotificationAction
    /// Whether the device has to be unlocked before the action runs (§10).
    package var needsUnlock: Bool
}

/// A notification as a screen shows it now (§10).
///
/// It is rendered each time and never stored: the lock, the person's settings and the app's
/// categories can change while the notification stays. Delegates and lists always get the full
/// content (LK-3). The app's name, its icon and the date are never hidden.
package struct RenderedNotification: Hashable, Sendable {
    /// The title; empty where it is hidden.
    package var title: String
    /// The second line; empty where it is hidden.
    package var subtitle: String
    /// The text, or the placeholder in its place.
    package var body: String
    package var isHidden: Bool
    /// Whether attachments and a content extension's view show.
    package var showsAttachments: Bool
    /// The stored files to show; none where they are hidden.
    package var attachments: [NotificationAttachment]
    /// The message or call that the notification is about; absent where it is hidden.
    package var communication: Communication?
    /// How much of something is done, 0-1; absent where it is hidden.
    package var progress: Double?
    /// The buttons, in order.
    package var actions: [RenderedAction]

    /// The placeholder of a hidden body where the app has no placeholder of its own.
    package static let defaultBody = "Notification"

    /// Renders `content`.
    ///
    /// - Parameters:
    ///   - content: The full content.
    ///   - category: The registered category that the content names, with the buttons that are
    ///     offered; nil where there is none.
    ///   - screen: The screen.
    ///   - showPreviews: When the person lets text be seen.
    ///   - threadCount: The app's delivered notifications with the same
    ///     ``NotificationContent/groupingThread``, this one included (LK-2).
    ///   - strings: The localized texts in the person's languages (L10N-5).
    /// - Complexity: O(bytes that are shown).
    package init(
        of content: NotificationContent,
        category: NotificationCategory?,
        on screen: Screen,
        showPreviews: ShowPreviews,
        threadCount: Int,
        strings: LocalizedStrings = LocalizedStrings()
    ) {
        let options = category?.options ?? []
        isHidden = showPreviews.hidesText(whileLocked: screen.isLocked)
        showsAttachments = !isHidden
        attachments = isHidden ? [] : content.attachments
        communication = isHidden ? nil : content.communication
        progress = isHidden ? nil : content.progress
        let showsTitle = !isHidden || options.contains(.hiddenPreviewsShowTitle)
        let showsSubtitle = !isHidden || options.contains(.hiddenPreviewsShowSubtitle)
        title = showsTitle ? strings.resolve(content.localizedTitle, else: content.title) : ""
        subtitle =
            showsSubtitle ? strings.resolve(content.localizedSubtitle, else: content.subtitle) : ""
        body =
            isHidden
            ? Self.placeholder(of: category, count: threadCount, strings)
            : strings.resolve(
                content.localizedBody,
                else: content.body,
                removesEscapes: screen.profile == .ios
            )
        actions = (category?.displayedActions(hasRoom: !screen.isCompact) ?? []).map { action in
            RenderedAction(
                action: action.resolved(with: strings),
                needsUnlock: screen.isLocked && action.needsUnlock
            )
        }
    }

    /// The UTF-8 bytes of all text that is shown.
    ///
    /// - Complexity: O(actions).
    package var byteCount: Int {
        title.utf8.count + subtitle.utf8.count + body.utf8.count
            + (communication?.byteCount ?? 0)
            + actions.reduce(0) { $0 + $1.action.byteCount }
    }

    private static func placeholder(
        of category: NotificationCategory?,
        count: Int,
        _ strings: LocalizedStrings
    ) -> String {
        precondition(count >= 0, "a thread holds fewer than no notifications")
        guard let category else { return defaultBody }
        let format = strings.format(
            category.localizedHiddenPreviewsBodyPlaceholder,
            else: category.hiddenPreviewsBodyPlaceholder,
            count: UInt64(count)
        )
        guard !format.isEmpty else { return defaultBody }
        return CountFormat(format).filled(count: UInt64(count), list: nil)
    }
}

extension ShowPreviews {
    /// Whether a notification's text is hidden: the nine cells of §10.
    package func hidesText(whileLocked isLocked: Bool) -> Bool {
        switch self {
        case .always: false
        case .whenAuthenticated: isLocked
        case .never: true
        }
    }
}

extension NotificationAction {
    /// The action with the title that the person reads.
    package func resolved(with strings: LocalizedStrings) -> NotificationAction {
        var shown = self
        shown.title = strings.resolve(localizedTitle, else: title)
        shown.localizedTitle = nil
        return shown
    }

    /// Whether a locked device has to be unlocked before the action runs.
    ///
    /// Apple documents this for actions that require authentication, and for actions that bring the
    /// app to the front, since a locked device cannot show the app.
    package var needsUnlock: Bool {
        !options.isDisjoint(with: [.authenticationRequired, .foreground])
    }
}
