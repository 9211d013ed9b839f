package import NotificationCore

/// One thing about an open notification that a content extension is told, and need not answer.
package struct ContentNews: Sendable {
    /// A notification that the extension is to show (NCE-3).
    package struct Shown: Sendable {
        /// Its identifier and delivery.
        package var reference: NotificationReference
        package var sequence: RequestNumber
        package var date: WallInstant
        /// The buttons of the presentation.
        package var actions: [NotificationAction]
    }

    package enum Kind: Sendable {
        /// The person opened a notification, or a newer one of its thread came.
        case presented(Shown)
        /// The person pressed play or pause.
        case media(MediaCommand)
        case closed
    }

    package var presentation: PresentationIdentifier
    /// The center to which the notification belongs.
    package var center: CenterName
    package var contentExtension: String
    package var kind: Kind

    /// Tells an extension of the presentation of a notification; nil where no extension shows it.
    init?(_ kind: Kind, of presentation: OpenPresentation) {
        guard let contentExtension = presentation.contentExtension else { return nil }
        self.presentation = presentation.identifier
        self.contentExtension = contentExtension.identifier
        self.kind = kind
        center = presentation.notification.center
    }

    /// Tells an extension that begins to serve which notification is open.
    package init?(showing presentation: OpenPresentation) {
        let source = presentation.source
        let shown = Shown(
            reference: presentation.notification,
            sequence: source.sequence,
            date: source.date,
            actions: presentation.actions
        )
        self.init(.presented(shown), of: presentation)
    }

    package var byteCount: Int {
        guard case .presented(let shown) = kind else { return 256 }
        return shown.actions.reduce(256) { $0 + $1.byteCount }
    }
}
