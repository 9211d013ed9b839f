/// What a category allows (semantics.md 2.7); the bits are Apple's.
public struct CategoryOptions: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt32

    /// Makes a set from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Dismissals are sent to the delegate.
    public static let customDismissAction = CategoryOptions(rawValue: 1)
    /// Shown in a car.
    public static let allowInCarPlay = CategoryOptions(rawValue: 2)
    /// The title shows with previews off.
    public static let hiddenPreviewsShowTitle = CategoryOptions(rawValue: 4)
    /// The subtitle shows with previews off.
    public static let hiddenPreviewsShowSubtitle = CategoryOptions(rawValue: 8)
    /// May be read aloud.
    public static let allowAnnouncement = CategoryOptions(rawValue: 16)
}

/// A kind of notification: its buttons, and how it shows (semantics.md 3.5).
public struct NotificationCategory: Hashable, Sendable {
    /// Its key, which contents name.
    public var identifier: String
    /// The buttons in the order that they show.
    public var actions: [NotificationAction]
    /// The intents that it is about; no effect on delivery.
    public var intentIdentifiers: [String]
    /// What stands for the body with previews off; `%u` is the number in the thread.
    public var hiddenPreviewsBodyPlaceholder: String
    /// The summary of a group: `%u` is the number, `%@` the arguments; empty is the system's.
    public var summaryFormat: String
    /// What it allows.
    public var options: CategoryOptions

    /// Makes a category.
    public init(
        identifier: String,
        actions: [NotificationAction] = [],
        intentIdentifiers: [String] = [],
        hiddenPreviewsBodyPlaceholder: String = "",
        summaryFormat: String = "",
        options: CategoryOptions = []
    ) {
        self.identifier = identifier
        self.actions = actions
        self.intentIdentifiers = intentIdentifiers
        self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder
        self.summaryFormat = summaryFormat
        self.options = options
    }
}
