/// A question to an extension of an app, as it is told (§18, §19).
package struct ExtensionCallback: Hashable, Sendable {
    /// Names a question: an extension serves an app on all devices, so the center belongs to it.
    package struct Name: Hashable, Sendable {
        package var center: CenterNumber
        /// The question's number, which no other callback of the store has.
        package var number: CallbackNumber

        package init(center: CenterNumber, number: CallbackNumber) {
            self.center = center
            self.number = number
        }
    }

    /// The question, and the facts that the extension needs to answer it.
    package enum Question: Hashable, Sendable {
        /// To change the content of a push before it is delivered (NSE-2).
        case service(NotificationRequest)
        /// To decide about an act of the person in a presentation, and about its view (§19.2).
        case content(PresentationIdentifier, NotificationResponse)
    }

    package var name: Name
    /// The app and device to whose notification the question belongs.
    package var center: CenterName
    /// When the question times out, unless the clock is set before that.
    package var deadline: WallInstant
    package var question: Question
    /// Whether the extension is told that its time ends (NSE-3).
    package var isExpiring: Bool

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
