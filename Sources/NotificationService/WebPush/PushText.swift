internal import BelfryWebPush
internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf

/// An alert as a browser is told it: as the locked device shows it, cut to the room of a message.
///
/// It has the declarative form: a browser that knows this form shows it also where the worker of
/// the page is gone. Its addresses are relative to the worker's scope.
struct PushText: Sendable {
    /// As JSON.
    let whole: [UInt8]
    /// As JSON, for a push service with less room.
    let short: [UInt8]
}

extension PushText {
    /// A browser shows no more.
    private static let actionLimit = 2

    init(_ shown: ShownNotification) {
        short = Self.json(shown, titleBytes: 100, bodyBytes: 200, actions: 0)
        let whole = Self.json(shown, titleBytes: 200, bodyBytes: 1_200, actions: Self.actionLimit)
        // Texts whose characters JSON escapes need several times their room.
        self.whole = whole.count <= PushReceiver.textByteLimit ? whole : short
    }

    private static func json(
        _ shown: ShownNotification,
        titleBytes: Int,
        bodyBytes: Int,
        actions: Int
    ) -> [UInt8] {
        let rendered = shown.rendered
        let reference = shown.reference
        let app = apart(shown.appName, cutTo: 100)
        let title = apart(rendered.title, cutTo: titleBytes)
        let lines = [
            apart(rendered.subtitle, cutTo: titleBytes), apart(rendered.body, cutTo: bodyBytes),
        ]
        let offered = rendered.actions.prefix(actions).map { shown -> Google_Protobuf_Value in
            let (action, input) = (shown.action, shown.action.textInput)
            // Bounded: the names of the fields are the server's own.
            var fields: [String: Google_Protobuf_Value] = [
                "action": .text(action.identifier),
                "title": .text(cut(action.title, to: 60)),
                // A browser without a field for a text opens that of the page.
                "navigate": .text(page(reference, answering: input == nil ? nil : action)),
            ]
            if let input {
                fields["type"] = "text"
                fields["placeholder"] = .text(cut(input.placeholder, to: 60))
            }
            return .object(fields)
        }
        // Bounded: the names of the fields are the server's own.
        let message = Google_Protobuf_Struct(fields: [
            "web_push": 8_030,
            // The worker shows it instead, where there is one.
            "mutable": true,
            "notification": .object([
                "title": .text(title.isEmpty ? app : "\(app) · \(title)"),
                "body": .text(lines.filter { !$0.isEmpty }.joined(separator: "\n")),
                "navigate": .text(page(reference, answering: nil)),
                "timestamp": .init(numberValue: Double(shown.date.nanoseconds / 1_000_000)),
                "icon": "icon-192.png",
                "actions": .init(listValue: .with { $0.values = offered }),
                "tag": .text(tag(reference)),
                "data": .object([
                    "center": .object([
                        "appId": .text(reference.center.app),
                        "deviceId": .text(reference.center.device),
                    ]),
                    "identifier": .text(reference.identifier),
                    // A number of 64 bits is a text in the protos' JSON.
                    "delivery": .text("\(reference.delivery.rawValue)"),
                ]),
            ]),
        ])
        return (try? message.jsonUTF8Bytes()) ?? []
    }

    /// Names a notification, whichever of its deliveries.
    private static func tag(_ reference: NotificationReference) -> String {
        "\(reference.center.app) \(reference.identifier)"
    }

    /// Where the page shows a notification, with the field for the text of an action.
    private static func page(
        _ reference: NotificationReference,
        answering action: NotificationAction?
    ) -> String {
        let parts =
            [("app", reference.center.app), ("notification", reference.identifier)]
            + (action.map { [("action", $0.identifier)] } ?? [])
        return "/#" + parts.map { "\($0)=\(escaped($1))" }.joined(separator: "&")
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"):
                escaped.unicodeScalars.append(Unicode.Scalar(byte))
            default: escaped += "%" + [byte].hexadecimal
            }
        }
        return escaped
    }

    /// A text that keeps its direction beside another; an empty one stays empty.
    private static func apart(_ text: String, cutTo byteLimit: Int) -> String {
        text.isEmpty ? "" : "\u{2068}\(cut(text, to: byteLimit))\u{2069}"
    }

    /// As much of a text as has so many bytes, with an ellipsis where it is cut.
    private static func cut(_ text: String, to byteLimit: Int) -> String {
        guard text.utf8.count > byteLimit else { return text }
        var kept = ""
        var byteCount = 3
        for scalar in text.unicodeScalars {
            byteCount += UTF8.width(scalar)
            guard byteCount <= byteLimit else { break }
            kept.unicodeScalars.append(scalar)
        }
        return kept + "…"
    }
}

extension Google_Protobuf_Value {
    fileprivate static func text(_ text: String) -> Self { .init(stringValue: text) }

    // Bounded: the names of the fields are the server's own.
    fileprivate static func object(_ fields: [String: Google_Protobuf_Value]) -> Self {
        .init(structValue: Google_Protobuf_Struct(fields: fields))
    }
}
