internal import ArgumentParser
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// The payload of a push, on the command line.
struct PayloadOptions: ParsableArguments {
    @OptionGroup
    var alert: AlertOptions

    @Option(help: ArgumentHelp("The app's badge after the delivery.", valueName: "number"))
    var badge: Int32?

    @Option(help: ArgumentHelp("The sound to play: 'default', or a name.", valueName: "name"))
    var sound: String?

    @Option(help: ArgumentHelp("Groups notifications.", valueName: "id"))
    var thread: String?

    @Option(help: ArgumentHelp("Says which actions are offered.", valueName: "id"))
    var category: String?

    @Option(help: "How much attention the notification may take.")
    var level: LevelArgument?

    @Flag(help: "Let the app's service extension change the notification.")
    var mutable = false

    @Flag(help: "Wake the app to work in the background.")
    var background = false

    @Option(help: ArgumentHelp("The app's own data, a JSON object.", valueName: "json"))
    var data: String?

    @Option(
        help: ArgumentHelp(
            "Read the payload from a file of JSON instead; - is standard input.",
            valueName: "file"
        ),
        completion: .file()
    )
    var payload: String?

    func validate() throws {
        guard payload == nil || aps.isEmpty && data == nil else {
            throw ValidationError("--payload says all of it: leave the other options out.")
        }
        if let data { _ = try Self.object(data) }
        guard payload != nil || !aps.isEmpty else {
            throw ValidationError("Say what to push, as in: belfry push --alert Hello")
        }
    }

    /// Gives the payload as JSON.
    ///
    /// - Throws: `ExitCode` 65, after printing why the file cannot be read.
    func json() throws -> String {
        if let payload {
            // Keep the bytes as they are: the server says what is wrong with them.
            return try JSONFile.read(payload) { String(decoding: $0, as: UTF8.self) }
        }
        var object = try data.map(Self.object) ?? [:]
        object["aps"] = aps
        let bytes = try JSONSerialization.data(
            withJSONObject: object,
            options: [.sortedKeys, .withoutEscapingSlashes]
        )
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The keys that Apple defines.
    private var aps: [String: Any] {
        var aps: [String: Any] = [:]
        aps["alert"] = alert.value
        aps["badge"] = badge
        aps["sound"] = sound
        aps["thread-id"] = thread
        aps["category"] = category
        aps["interruption-level"] = level?.rawValue
        if mutable { aps["mutable-content"] = 1 }
        if background { aps["content-available"] = 1 }
        return aps
    }

    private static func object(_ text: String) throws -> [String: Any] {
        let object = try? JSONSerialization.jsonObject(with: Data(text.utf8))
        guard let object = object as? [String: Any], object["aps"] == nil else {
            throw ValidationError("--data is a JSON object without \"aps\", as '{\"version\": 7}'.")
        }
        return object
    }
}

/// The texts of a push, on the command line.
struct AlertOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The text alone.", valueName: "text"))
    var alert: String?

    @Option(help: ArgumentHelp("A short line.", valueName: "text"))
    var title: String?

    @Option(help: ArgumentHelp("A second line.", valueName: "text"))
    var subtitle: String?

    @Option(help: ArgumentHelp("The text.", valueName: "text"))
    var body: String?

    func validate() throws {
        guard alert == nil || title == nil && subtitle == nil && body == nil else {
            throw ValidationError("--alert is the text alone: use --body beside --title.")
        }
    }

    /// The text alone, or the texts by their keys; nil where none was said.
    var value: Any? {
        if let alert { return alert }
        var parts: [String: String] = [:]
        parts["title"] = title
        parts["subtitle"] = subtitle
        parts["body"] = body
        return parts.isEmpty ? nil : parts
    }
}

/// The headers of a push, on the command line.
struct PushHeaderOptions: ParsableArguments {
    @Option(
        name: .customLong("collapse-id"),
        help: ArgumentHelp("Replaces the notification that has it.", valueName: "id")
    )
    var collapseIdentifier: String?

    @Option(
        help: ArgumentHelp(
            "Give up after this time; 0s tries once. Default: 30 days.",
            valueName: "duration"
        ),
        transform: DurationText.parseArgument
    )
    var expires: Duration?

    @Option(help: ArgumentHelp("10 is now, 5 sparing, 1 never wakes.", valueName: "number"))
    var priority: Int32?

    /// Gives the flag that set a header, such as "headers.priority"; `nil` where none did.
    func flag(ofField path: String) -> String? {
        switch path {
        case "headers.collapse_id": "--collapse-id"
        case "headers.expiration": "--expires"
        case "headers.priority": "--priority"
        default: nil
        }
    }

    /// Gives the headers; the server's clock says when the push expires.
    func headers(_ session: Session) async throws -> Belfry_V1_PushHeaders {
        var headers = Belfry_V1_PushHeaders()
        headers.collapseID = collapseIdentifier ?? ""
        if let priority { headers.priority = priority }
        if let expires {
            let now = try await session.server.serverInfo().clock.now.date
            let (seconds, attoseconds) = expires.components
            let length = TimeInterval(seconds) + TimeInterval(attoseconds) / 1e18
            headers.expiration = Google_Protobuf_Timestamp(
                date: expires == .zero ? Date(timeIntervalSince1970: 0) : now + length
            )
        }
        return headers
    }
}

extension Session {
    var push: PushClient { PushClient(channel: channel, app: center.appID, options: calls) }

    var rich: RichPushClient { RichPushClient(channel: channel, center: center, options: calls) }
}
