internal import NotificationCore
internal import NotificationFeeds
internal import NotificationProtocol
internal import SwiftProtobuf

/// An alert as a browser is told it: as the locked device shows it, cut to the room of a message.
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
        whole = Self.json(shown, titleBytes: 200, bodyBytes: 1_200, actions: Self.actionLimit)
        short = Self.json(shown, titleBytes: 100, bodyBytes: 200, actions: 0)
    }

    private static func json(
        _ shown: ShownNotification,
        titleBytes: Int,
        bodyBytes: Int,
        actions: Int
    ) -> [UInt8] {
        let reference = shown.reference
        let rendered = shown.rendered
        // Bounded: the names of the fields are the server's own.
        var fields: [String: Google_Protobuf_Value] = [
            "notification": .object([
                "center": .object([
                    "appId": .text(reference.center.app),
                    "deviceId": .text(reference.center.device),
                ]),
                "identifier": .text(reference.identifier),
                // A number of 64 bits is a text in the protos' JSON.
                "delivery": .text("\(reference.delivery.rawValue)"),
            ]),
            "app": .text(cut(shown.appName, to: 100)),
            "date": .init(numberValue: Double(shown.date.nanoseconds / 1_000_000)),
        ]
        let texts = [
            ("title", rendered.title, titleBytes), ("subtitle", rendered.subtitle, titleBytes),
            ("body", rendered.body, bodyBytes),
        ]
        for (name, text, limit) in texts where !text.isEmpty {
            fields[name] = .text(cut(text, to: limit))
        }
        let shownActions = rendered.actions.prefix(actions).map { shown -> Google_Protobuf_Value in
            .object([
                "id": .text(shown.action.identifier),
                "title": .text(cut(shown.action.title, to: 60)),
                "asksText": .init(boolValue: shown.action.textInput != nil),
                "needsUnlock": .init(boolValue: shown.needsUnlock),
            ])
        }
        if !shownActions.isEmpty {
            fields["actions"] = .init(listValue: .with { $0.values = shownActions })
        }
        let text = Google_Protobuf_Struct(fields: fields)
        return (try? text.jsonUTF8Bytes()) ?? []
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
