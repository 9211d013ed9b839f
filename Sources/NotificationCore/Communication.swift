/// Says that a notification is a person's message or call (§22).
package struct Communication: Hashable, Sendable {
    /// The kinds of communication; the numbers are stored and are the wire's.
    package enum Kind: UInt8, Hashable, Sendable, CaseIterable {
        case message = 1
        case call = 2
    }

    package var kind: Kind
    /// The sender, by the address or name that a Focus uses for the person.
    package var sender: String
    /// The other people who take part, without the owner of the device (COM-3).
    package var recipients: [String]
    /// The conversation, the same for each of its messages; empty is none.
    package var conversationIdentifier: String
    /// The name of the group that talks; empty where it is no group.
    package var groupName: String
    /// The attachment that shows the sender or the group; empty is none.
    package var avatarAttachment: String

    package init(
        kind: Kind,
        sender: String,
        recipients: [String] = [],
        conversationIdentifier: String = "",
        groupName: String = "",
        avatarAttachment: String = ""
    ) {
        self.kind = kind
        self.sender = sender
        self.recipients = recipients
        self.conversationIdentifier = conversationIdentifier
        self.groupName = groupName
        self.avatarAttachment = avatarAttachment
    }

    /// The UTF-8 bytes of all its text; they count as the content's.
    ///
    /// - Complexity: O(recipients).
    package var byteCount: Int {
        sender.utf8.count + recipients.reduce(0) { $0 + $1.utf8.count }
            + conversationIdentifier.utf8.count + groupName.utf8.count
            + avatarAttachment.utf8.count
    }

    func validate() throws(Refusal) {
        guard (1...Limits.personBytes).contains(sender.utf8.count) else {
            throw .communicationInvalid(
                [.content, .communication, .sender],
                "a sender is 1-\(Limits.personBytes) bytes of UTF-8"
            )
        }
        guard recipients.count <= Limits.recipients else {
            throw .communicationInvalid(
                [.content, .communication, .recipients],
                "at most \(Limits.recipients) are kept"
            )
        }
        guard recipients.allSatisfy({ (1...Limits.personBytes).contains($0.utf8.count) }) else {
            throw .communicationInvalid(
                [.content, .communication, .recipients],
                "a recipient is 1-\(Limits.personBytes) bytes of UTF-8"
            )
        }
    }
}

extension NotificationContent {
    /// The thread by which the notification is grouped: its own, or else its conversation (§22).
    package var groupingThread: String {
        guard threadIdentifier.isEmpty, let communication else { return threadIdentifier }
        return communication.conversationIdentifier
    }
}

extension Refusal {
    /// Refuses a communication of an app that may not send any (`UNErrorDomain` 1500).
    package static let communicationNotAllowed = invalid(
        [.content, .communication],
        "the app has no entitlement for communication: register it with one",
        reason: .contentProvidingObjectNotAllowed
    )

    /// Refuses a communication that cannot be used (`UNErrorDomain` 1501, COM-2).
    package static func communicationInvalid(_ path: FieldPath, _ problem: String) -> Refusal {
        invalid(path, problem, reason: .contentProvidingInvalid)
    }
}
