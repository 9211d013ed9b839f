/// Names an open presentation: a random UUID, so that no caller guesses another's.
package struct PresentationIdentifier: Hashable, Sendable {
    /// The first eight bytes.
    package let high: UInt64
    /// The last eight bytes.
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes a new identifier: a UUID of version 4.
    package static func random() -> PresentationIdentifier {
        PresentationIdentifier(
            high: .random(in: .min ... .max) & ~0xF000 | 0x4000,
            low: .random(in: .min ... .max) & ~(0b11 << 62) | 0b10 << 62
        )
    }
}

/// A notification that the person opened for a closer look (§19): its buttons and its view.
package struct OpenPresentation: Hashable, Sendable {
    /// Where the opened notification is in the store.
    package struct Source: Hashable, Sendable {
        package var center: CenterNumber
        package var sequence: RequestNumber
        package var date: WallInstant
        /// Whether it has an entry in the list; if not, only its banner was shown.
        package var hasEntry: Bool
        /// Its category, which chooses the extension (NCE-1).
        package var category: String
        /// The thread whose newer notifications its extension is told of (NCE-3).
        package var thread: String

        package init(
            center: CenterNumber,
            sequence: RequestNumber,
            date: WallInstant,
            hasEntry: Bool,
            category: String,
            thread: String
        ) {
            self.center = center
            self.sequence = sequence
            self.date = date
            self.hasEntry = hasEntry
            self.category = category
            self.thread = thread
        }
    }

    /// Names the presentation in calls.
    package let identifier: PresentationIdentifier
    package let notification: NotificationReference
    /// Where the notification is in the store.
    package let source: Source
    /// The extension that shows the notification; nil is none.
    package let contentExtension: AppExtension?
    /// The buttons that this presentation has now (NCE-5).
    package var actions: [NotificationAction]
    /// The view that the extension sent last; nil until it has sent one.
    package var view: ContentView?

    /// Opens a notification with the buttons of its category.
    package init(
        _ identifier: PresentationIdentifier,
        of notification: NotificationReference,
        from source: Source,
        actions: [NotificationAction],
        contentExtension: AppExtension?
    ) {
        self.identifier = identifier
        self.notification = notification
        self.source = source
        self.actions = actions
        self.contentExtension = contentExtension
    }

    /// About how many bytes the presentation takes: its view and its buttons, which extensions
    /// choose.
    package var byteCount: Int {
        actions.reduce(view?.byteCount ?? 0) { $0 + $1.byteCount }
    }
}

extension NotificationCategory {
    /// The category with the buttons of one presentation in place of its own (NCE-5).
    package func offering(_ actions: [NotificationAction]) -> NotificationCategory {
        var category = self
        category.actions = actions
        return category
    }
}

extension Refusal {
    /// No presentation of this name is open.
    package static let presentationNotFound = Refusal(
        .notFound,
        reason: .presentationNotFound,
        message: "no open notification has this name: it was closed, or never was opened",
        fields: [WrongField([.presentation], "no open notification has it")]
    )

    /// No extension shows the presentation now.
    package static let viewNotServed = Refusal(
        .notFound,
        reason: .extensionNotServing,
        message: "no extension serves that shows this notification",
        fields: [WrongField([.presentation], "no extension serves that shows it")]
    )

    /// As many notifications are open as may be.
    package static func presentationLimit(_ limit: Int, _ owner: String) -> Refusal {
        let message = "\(owner) has \(limit) open notifications, its limit: close one first"
        return limitReached(.presentationLimit, limit, message)
    }

    /// The views of an app, or of all apps, take as many bytes as they may.
    package static func contentViewSpace(_ limit: Int) -> Refusal {
        let message = "what is shown in open notifications takes \(limit) bytes, the limit"
        return limitReached(.contentViewSpace, limit, message)
    }

    /// The view has no button with which its media plays.
    package static let noMedia = Refusal(
        .failedPrecondition,
        reason: .mediaNotPlayable,
        message: "what is shown has no play button",
        fields: [WrongField([.media], "what is shown has no play button")]
    )
}
