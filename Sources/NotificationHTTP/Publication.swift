internal import BelfryGRPC
internal import Foundation
internal import NotificationProtocol

/// A notification as ntfy's clients publish it: a text with fields in headers, in the query or as
/// JSON.
struct Publication: Sendable {
    var topic: String
    /// The text; ntfy's own where the client sent none, since nothing would be shown.
    var message: String
    var title: String
    var tags: [String] = []
    var priority = 3
    var click: String
    /// The address of a picture; it is passed on to the app.
    var icon: String?
    var actions: [PublicationAction] = []
    /// When it is shown, as the client wrote it; empty is now.
    var delay: String
    /// The zone of a local time in the delay, by its name in the zone database; empty is the
    /// server's.
    var timeZone: String
    /// The name under which publications replace each other; nil is none.
    var sequence: String?

    /// ntfy shows so many buttons at most.
    private static let actionLimit = 3
    private static let emptyMessage = "triggered"

    /// Reads a publication.
    ///
    /// `sequence` is the sequence of the path; nil where the path has none. `text` is the body,
    /// where it is the message. `fields` is what the request says beside it.
    ///
    /// - Throws: INVALID_ARGUMENT, with the field that is wrong.
    init(
        topic: String,
        sequence: String?,
        text: String,
        fields: PublicationFields
    ) throws(Status) {
        try fields.check()
        let text = text.allSatisfy(\.isWhitespace) ? "" : text
        let message = fields[.message] ?? ""
        guard text.isEmpty || message.isEmpty || text == message else {
            throw .refused("Message: the body is another message")
        }
        self.topic = topic
        self.message = text.isEmpty ? message.isEmpty ? Self.emptyMessage : message : text
        title = fields[.title] ?? ""
        click = fields[.click] ?? ""
        icon = fields[.icon]
        delay = fields[.delay] ?? ""
        timeZone = fields[.timeZone] ?? ""
        if let text = fields[.tags] { tags = Self.list(text) }
        if let text = fields[.priority] { priority = try Self.priority(text) }
        if let list = fields.actions {
            actions = try PublicationAction.read(list)
        } else if let text = fields[.actions] {
            actions = try PublicationAction.read(text)
        }
        try checkActions()
        if let named = fields[.sequence], let sequence, named != sequence {
            throw .refused("Sequence-ID: the path has another one")
        }
        self.sequence = sequence ?? fields[.sequence]
        if let sequence = self.sequence { try Self.check(sequence: sequence) }
    }

    static func check(sequence: String) throws(Status) {
        guard sequence.wholeMatch(of: #/[A-Za-z0-9_-]{1,64}/#) != nil else {
            throw .refused("Sequence-ID: it is 1 to 64 of A-Z a-z 0-9 _ -")
        }
    }

    private func checkActions() throws(Status) {
        guard actions.count <= Self.actionLimit else {
            throw .refused("Actions: there are \(Self.actionLimit) at most")
        }
        // Bounded: a message is limited, and so are its labels.
        let labels = Set(actions.map { Array($0.label.utf8) })
        guard labels.count == actions.count else {
            throw .refused("Actions: each needs a label of its own")
        }
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
            .filter { !$0.isEmpty }
    }

    private static func priority(_ text: String) throws(Status) -> Int {
        switch text.lowercased() {
        case "1", "min": return 1
        case "2", "low": return 2
        case "3", "default": return 3
        case "4", "high": return 4
        case "5", "max", "urgent": return 5
        default: throw .refused("Priority: it is 1 to 5, or min, low, default, high, max, urgent")
        }
    }
}
