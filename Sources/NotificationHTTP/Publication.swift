internal import BelfryGRPC
internal import Foundation
internal import HTTPTypes
internal import NotificationProtocol

/// A notification as ntfy's clients publish it: a text with fields in headers, in the query or as
/// JSON.
struct Publication: Sendable {
    /// A button of the notification.
    struct Action: Codable, Sendable {
        /// What the button does, such as `view`; it is passed on to the app.
        var action: String
        var label: String
        /// What the button opens or calls; it is passed on to the app.
        var url: String?
        var clear: Bool?
    }

    /// The body of a publication as JSON.
    private struct JSON: Decodable {
        var topic: String
        var message: String?
        var title: String?
        var tags: [String]?
        // Not an Int: where a number has decimals, Foundation says that the whole is no JSON.
        var priority: Double?
        var click: String?
        var actions: [Action]?
        var delay: String?
        var timezone: String?
    }

    var topic: String
    var message = ""
    var title = ""
    var tags: [String] = []
    var priority = 3
    var click = ""
    var actions: [Action] = []
    /// When it is shown, as the client wrote it; empty is now.
    var delay = ""
    /// The zone of a local time in the delay, by its name in the zone database; empty is the
    /// server's.
    var timeZone = ""

    /// ntfy shows so many buttons at most.
    private static let actionLimit = 3

    /// Reads a publication to the server itself, which is JSON.
    ///
    /// - Parameters:
    ///   - bytes: The body.
    ///   - value: The value of the first field of these names, for what the JSON leaves out.
    /// - Throws: INVALID_ARGUMENT, with the field that is wrong.
    init(json bytes: [UInt8], value: (_ names: String...) -> String?) throws(Status) {
        let json: JSON
        do {
            json = try JSONDecoder().decode(JSON.self, from: Data(bytes))
        } catch DecodingError.keyNotFound(let key, _) {
            throw Self.refusal("the JSON has no \(key.stringValue)")
        } catch DecodingError.typeMismatch(_, let context) {
            let path = context.codingPath.map(\.stringValue).joined(separator: ".")
            throw Self.refusal("\(path) has another type than in ntfy's JSON")
        } catch {
            throw Self.refusal("the body is no JSON: text is published to a topic, as in /alerts")
        }
        topic = json.topic
        message = json.message ?? ""
        title = json.title ?? ""
        tags = json.tags ?? []
        click = json.click ?? ""
        actions = json.actions ?? []
        if let number = json.priority {
            priority = try Self.priority(Int(exactly: number).map(String.init) ?? "\(number)")
        }
        // Some clients send a part in headers.
        if json.priority == nil, let text = value("priority") {
            priority = try Self.priority(text)
        }
        delay = json.delay ?? value("delay", "at", "in") ?? ""
        timeZone = json.timezone ?? value("timezone") ?? ""
        if json.tags == nil, let text = value("tags") { tags = Self.list(text) }
        if json.click == nil, let text = value("click") { click = text }
        if json.actions == nil, let text = value("actions") { actions = try Self.actions(text) }
        try checkActions()
    }

    /// Reads a publication to a topic: the body is the message.
    ///
    /// - Parameters:
    ///   - topic: The app.
    ///   - body: The message.
    ///   - value: The value of the first field of these names, in the headers or the query.
    /// - Throws: INVALID_ARGUMENT, with the field that is wrong.
    init(
        topic: String,
        body: [UInt8],
        value: (_ names: String...) -> String?
    ) throws(Status) {
        self.topic = topic
        guard let text = String(validating: body, as: UTF8.self) else {
            throw Self.refusal("the message is no UTF-8: files are not taken")
        }
        message = text.isEmpty ? value("message", "m") ?? "" : text
        title = value("title", "ti", "t") ?? ""
        click = value("click") ?? ""
        tags = value("tags", "tag", "ta").map(Self.list) ?? []
        if let text = value("priority", "prio", "p") { priority = try Self.priority(text) }
        delay = value("delay", "at", "in") ?? ""
        timeZone = value("timezone") ?? ""
        if let text = value("actions", "action") { actions = try Self.actions(text) }
        try checkActions()
    }

    private func checkActions() throws(Status) {
        guard actions.count <= Self.actionLimit else {
            throw Self.refusal("there are \(Self.actionLimit) actions at most")
        }
        // Bounded: a message is limited, and so are its labels.
        let labels = Set(actions.map { Array($0.label.utf8) })
        guard labels.count == actions.count, !labels.contains([]) else {
            throw Self.refusal("each action needs a label of its own")
        }
    }

    private static func list(_ text: String) -> [String] {
        text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func priority(_ text: String) throws(Status) -> Int {
        switch text.lowercased() {
        case "1", "min": return 1
        case "2", "low": return 2
        case "3", "default": return 3
        case "4", "high": return 4
        case "5", "max", "urgent": return 5
        default: throw refusal("the priority has to be 1 to 5, or min, low, default, high or max")
        }
    }

    /// Reads `view, Label, https://...; http, Label, https://...`, or JSON.
    private static func actions(_ text: String) throws(Status) -> [Action] {
        if text.hasPrefix("[") {
            do {
                return try JSONDecoder().decode([Action].self, from: Data(text.utf8))
            } catch {
                throw refusal("actions: the JSON is not a list of actions with action and label")
            }
        }
        guard !text.contains("\""), !text.contains("'") else {
            throw refusal("actions: quoted values are taken as JSON alone")
        }
        var actions: [Action] = []
        for part in text.split(separator: ";") {
            let values = part.split(separator: ",", omittingEmptySubsequences: false).map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            guard values.count >= 2 else {
                throw refusal("actions: each is 'action, label, url', such as 'view, Open, ...'")
            }
            actions.append(
                Action(
                    action: values[0],
                    label: values[1],
                    url: values.count > 2 ? values[2] : nil,
                    clear: values.contains("clear=true") ? true : nil
                )
            )
        }
        return actions
    }

    private static func refusal(_ message: String) -> Status {
        Status(code: .invalidArgument, message: message)
    }
}
