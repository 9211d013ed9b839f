/// A question to an extension of an app, as it is told (§18, §19).
package struct ExtensionCallback: Hashable, Sendable {
    /// Names a question: an extension serves an app on all devices, so the center belongs to it.
    package struct Name: Hashable, Sendable {
        /// The center of the notification.
        package var center: CenterNumber
        /// The question's number, which no other callback of the store has.
        package var number: CallbackNumber

        /// Names a question of a center.
        package init(center: CenterNumber, number: CallbackNumber) {
            self.center = center
            self.number = number
        }
    }

    /// What the extension is asked.
    package enum Question: Hashable, Sendable {
        /// What shall be delivered in place of this push? (NSE-2)
        case service(NotificationRequest)
        /// What shall become of an act of the person in a presentation, and of its view? (§19.2)
        case content(PresentationIdentifier, NotificationResponse)
    }

    /// The question's name.
    package var name: Name
    /// Whose notification the question is about.
    package var center: CenterName
    /// When the question times out, unless the clock is set before that.
    package var deadline: WallInstant
    /// What the extension is asked.
    package var question: Question
    /// Whether the extension is told that its time ends (NSE-3).
    package var isExpiring: Bool

    /// Makes a question.
    package init(
        name: Name,
        center: CenterName,
        deadline: WallInstant,
        question: Question,
        isExpiring: Bool
    ) {
        self.name = name
        self.center = center
        self.deadline = deadline
        self.question = question
        self.isExpiring = isExpiring
    }
}
