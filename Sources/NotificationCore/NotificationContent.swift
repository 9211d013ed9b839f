/// How strongly a notification may interrupt (§2.10); the numbers are Apple's.
package enum InterruptionLevel: UInt8, Hashable, Comparable, Sendable, CaseIterable {
    /// List only: no screen wake, no sound.
    case passive = 0
    /// Immediate; the default.
    case active = 1
    /// Passes Focus and the scheduled summary.
    case timeSensitive = 2
    /// Passes mute and Do Not Disturb too; needs an entitlement.
    case critical = 3

    /// Orders levels by how strongly they interrupt.
    package static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
}

/// The effect of a content's badge number at delivery (B-2, B-6).
package enum BadgeMode: UInt8, Hashable, Sendable {
    /// The badge becomes the number.
    case set = 0
    /// The number is added to the badge.
    case increment = 1
}

/// The words and effects of a notification, and the presentation that it asks for (§3.1).
@usableFromInline
package struct NotificationContent: Hashable, Sendable {
    package var title = ""
    /// A second line.
    package var subtitle = ""
    package var body = ""
    /// The badge number; absent leaves the badge as it is, and 0 removes it.
    package var badge: Int32?
    package var badgeMode = BadgeMode.set
    /// The sound; absent is silent.
    package var sound: Sound?
    /// The stored files that the notification shows, in order.
    package var attachments: [NotificationAttachment] = []
    /// The category whose actions the notification offers.
    package var categoryIdentifier = ""
    /// The thread by which the notification is grouped; empty is the app's default group.
    package var threadIdentifier = ""
    /// The app's own data: one JSON object kept byte for byte, or empty.
    package var userInfoJSON = ""
    /// The launch image the app wants.
    package var launchImageName = ""
    /// The words of the notification in its group's summary.
    package var summaryArgument = ""
    /// How many items the notification counts as in its group's summary, as the app said; absent is
    /// 1.
    package var givenSummaryArgumentCount: UInt32?
    /// The window that should open; empty is none.
    package var targetContentIdentifier = ""
    /// How strongly the notification may interrupt, as the app said; absent is active.
    package var givenInterruptionLevel: InterruptionLevel?
    /// The notification's weight in a scheduled summary, 0-1.
    package var relevanceScore = 0.0
    /// The input of the Focus filter; empty is none.
    package var filterCriteria = ""
    /// How the notification is presented while the app is in front, without asking the app (FG-9).
    package var foregroundPresentation: PresentationOptions?
    /// The message or call that the notification is about; absent where there is none (§22).
    package var communication: Communication?
    /// The title in the person's language, with ``title`` where no table has it.
    package var localizedTitle: LocalizedText?
    /// The second line in the person's language, with ``subtitle`` where no table has it.
    package var localizedSubtitle: LocalizedText?
    /// The text in the person's language, with ``body`` where no table has it.
    package var localizedBody: LocalizedText?
    /// The notification's own buttons, which stand in place of those of its category (K-11).
    package var actions: [NotificationAction] = []
    /// How much of something is done, 0-1 (ADD-13).
    package var progress: Double?
    /// Whether it alerts no second time where it replaces a delivered notification (ADD-13).
    package var updatesQuietly = false

    package init() {}

    /// How strongly the notification may interrupt.
    package var interruptionLevel: InterruptionLevel {
        get { givenInterruptionLevel ?? .active }
        set { givenInterruptionLevel = newValue }
    }

    /// How many items the notification counts as in its group's summary; at least 1.
    package var summaryArgumentCount: UInt32 {
        get { givenSummaryArgumentCount ?? 1 }
        set { givenSummaryArgumentCount = newValue }
    }

    /// Whether the content has text for a visual alert.
    package var hasAlertText: Bool {
        let isLocalized = localizedTitle != nil || localizedSubtitle != nil || localizedBody != nil
        return isLocalized || !(title.isEmpty && subtitle.isEmpty && body.isEmpty)
    }

    /// The keys of all texts that are looked up when the notification is shown.
    package var localizationKeys: [String] {
        let texts = [localizedTitle, localizedSubtitle, localizedBody]
        return (texts + actions.map(\.localizedTitle)).compactMap { $0?.key }
    }

    /// Whether a person could perceive the notification at all (§6.2 step 4).
    package var isPerceptible: Bool {
        hasAlertText || sound != nil || badge != nil || !attachments.isEmpty
    }

    /// The UTF-8 bytes of all its text: what the 64 KiB limit counts.
    ///
    /// - Complexity: O(1) for each field of native text, O(n) for attachments, a communication's
    ///   recipients, buttons and a localized text's arguments.
    package var byteCount: Int {
        title.utf8.count + subtitle.utf8.count + body.utf8.count + categoryIdentifier.utf8.count
            + threadIdentifier.utf8.count + userInfoJSON.utf8.count + launchImageName.utf8.count
            + summaryArgument.utf8.count + targetContentIdentifier.utf8.count
            + filterCriteria.utf8.count + (sound?.name.utf8.count ?? 0)
            + (communication?.byteCount ?? 0)
            + (localizedTitle?.byteCount ?? 0) + (localizedSubtitle?.byteCount ?? 0)
            + (localizedBody?.byteCount ?? 0)
            + attachments.reduce(0) { $0 + $1.byteCount }
            + actions.reduce(0) { $0 + $1.byteCount }
    }

    /// The category as the notification is shown with it: with the notification's own buttons in
    /// place of the category's (K-11).
    ///
    /// - Parameter registered: The registered category that the content names; nil where there is
    ///   none.
    /// - Returns: The category; nil where there is none and the notification has no buttons.
    package func shown(by registered: NotificationCategory?) -> NotificationCategory? {
        guard !actions.isEmpty else { return registered }
        return (registered ?? NotificationCategory(identifier: categoryIdentifier))
            .offering(actions)
    }
}
