/// Options of a category, for all its notifications (§2.7); the bits are Apple's.
package struct CategoryOptions: OptionSet, Hashable, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The app is told of dismissals.
    package static let customDismissAction = CategoryOptions(rawValue: 1)
    /// The notifications may show in a car; without this option they never do.
    package static let allowInCarPlay = CategoryOptions(rawValue: 2)
    package static let hiddenPreviewsShowTitle = CategoryOptions(rawValue: 4)
    package static let hiddenPreviewsShowSubtitle = CategoryOptions(rawValue: 8)
    /// The notifications may be spoken.
    package static let allowAnnouncement = CategoryOptions(rawValue: 16)
}

/// A type of notification of an app: its actions and how it is shown (§3.5).
package struct NotificationCategory: Hashable, Sendable {
    /// The app's name for the category; not empty, and compared byte by byte, so that case matters.
    package var identifier: String
    /// Its custom actions, in the order in which they are shown.
    package var actions: [NotificationAction]
    /// The assistant's intents that the category belongs to; they have no effect on delivery.
    package var intentIdentifiers: [String]
    /// The text shown in place of the body while previews are hidden; `%u` in it is a number.
    package var hiddenPreviewsBodyPlaceholder: String
    /// The summary of a group; `%u` in it is a number, `%@` a list of arguments.
    package var summaryFormat: String
    package var options: CategoryOptions
    /// The placeholder in the person's language, with ``hiddenPreviewsBodyPlaceholder`` where no
    /// table has it.
    package var localizedHiddenPreviewsBodyPlaceholder: LocalizedText?
    /// The summary in the person's language, with ``summaryFormat`` where no table has it.
    package var localizedSummaryFormat: LocalizedText?
    /// The button with which its notifications are snoozed; nil is none.
    package var snooze: SnoozeOffer?

    package init(
        identifier: String,
        actions: [NotificationAction] = [],
        intentIdentifiers: [String] = [],
        hiddenPreviewsBodyPlaceholder: String = "",
        summaryFormat: String = "",
        options: CategoryOptions = [],
        localizedHiddenPreviewsBodyPlaceholder: LocalizedText? = nil,
        localizedSummaryFormat: LocalizedText? = nil,
        snooze: SnoozeOffer? = nil
    ) {
        self.identifier = identifier
        self.actions = actions
        self.intentIdentifiers = intentIdentifiers
        self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder
        self.summaryFormat = summaryFormat
        self.options = options
        self.localizedHiddenPreviewsBodyPlaceholder = localizedHiddenPreviewsBodyPlaceholder
        self.localizedSummaryFormat = localizedSummaryFormat
        self.snooze = snooze
    }

    /// How many actions show with ample room (K-2).
    package static let roomyActionCount = 10
    /// How many actions show where room is tight, for example in a banner (K-2).
    package static let tightActionCount = 2

    /// Gives the actions that are shown: the first of all actions (K-2), then the button for a
    /// snooze, which does not count (SNZ-4).
    ///
    /// - Parameter hasRoom: Whether there is ample room.
    /// - Returns: At most ten, or two where room is tight, and the button for a snooze.
    /// - Complexity: O(1), no allocation where no snooze is offered.
    package func displayedActions(hasRoom: Bool) -> ArraySlice<NotificationAction> {
        let own = actions.prefix(hasRoom ? Self.roomyActionCount : Self.tightActionCount)
        return snooze.map { own + [$0.action] } ?? own
    }

    /// Gives the action that `identifier` names, shown or not.
    ///
    /// - Complexity: O(*n*) in the actions.
    package func action(_ identifier: String) -> NotificationAction? {
        actions.first { $0.identifier.isExactly(identifier) }
    }

    /// The keys of all texts that are looked up when one of its notifications is shown.
    ///
    /// - Complexity: O(*n*) in the actions.
    package var localizationKeys: [String] {
        let texts = [localizedHiddenPreviewsBodyPlaceholder, localizedSummaryFormat]
        return (texts + actions.map(\.localizedTitle) + [snooze?.localizedTitle])
            .compactMap { $0?.key }
    }

    /// The UTF-8 bytes of the category's text and of its actions' text.
    ///
    /// - Complexity: O(*n*) in the actions and intents.
    package var byteCount: Int {
        identifier.utf8.count + hiddenPreviewsBodyPlaceholder.utf8.count + summaryFormat.utf8.count
            + actions.reduce(0) { $0 + $1.byteCount }
            + intentIdentifiers.reduce(0) { $0 + $1.utf8.count }
            + (localizedHiddenPreviewsBodyPlaceholder?.byteCount ?? 0)
            + (localizedSummaryFormat?.byteCount ?? 0) + (snooze?.byteCount ?? 0)
    }
}
