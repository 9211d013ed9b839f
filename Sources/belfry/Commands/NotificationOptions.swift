internal import ArgumentParser
internal import NotificationProtocol
internal import SwiftProtobuf

/// The content of a notification, on the command line.
struct NotificationOptions: ParsableArguments {
    @Argument(help: "A short line.")
    var title: String?

    @Option(help: ArgumentHelp("A second line.", valueName: "text"))
    var subtitle: String?

    @Option(
        help: ArgumentHelp("The text; \"-\" is standard input.", valueName: "text"),
        transform: InputText.argument
    )
    var body: String?

    @OptionGroup
    var localized: LocalizedOptions

    @Option(help: ArgumentHelp("The sound to play: 'default', or a name.", valueName: "name"))
    var sound: String?

    @Option(
        name: .customLong("attachment"),
        help: ArgumentHelp("A file to show, as 'attachments put' named it.", valueName: "id")
    )
    var attachments: [String] = []

    @Option(help: ArgumentHelp("The app's badge after the delivery.", valueName: "number"))
    var badge: Int32?

    @Option(help: ArgumentHelp("Groups notifications.", valueName: "id"))
    var thread: String?

    @OptionGroup
    var buttons: ButtonOptions

    @Option(help: "How much attention the notification may take.")
    var level: LevelArgument?

    @Option(help: ArgumentHelp("The app's own data, a JSON object.", valueName: "json"))
    var userInfo: String?

    @OptionGroup
    var replacement: ReplacementOptions

    var isSet: Bool { request != Belfry_V1_NotificationRequest() }

    /// The request of the options, without a trigger.
    var request: Belfry_V1_NotificationRequest {
        var request = Belfry_V1_NotificationRequest()
        request.identifier = replacement.identifier ?? ""
        request.replacementKey = replacement.replaces ?? ""
        if let expiresAfter = replacement.expiresAfter {
            request.expiresAfter = Google_Protobuf_Duration(rounding: expiresAfter)
        }
        if content != Belfry_V1_NotificationContent() { request.content = content }
        return request
    }

    private var content: Belfry_V1_NotificationContent {
        var content = Belfry_V1_NotificationContent()
        content.title = title ?? ""
        content.subtitle = subtitle ?? ""
        content.body = body ?? ""
        if let text = localized.title { content.localizedTitle = text }
        if let text = localized.subtitle { content.localizedSubtitle = text }
        if let text = localized.body { content.localizedBody = text }
        if let sound { content.sound.name = sound == "default" ? "" : sound }
        content.attachments = attachments.map { id in .with { $0.attachmentID = id } }
        if let badge { content.badge = badge }
        content.threadIdentifier = thread ?? ""
        content.categoryIdentifier = buttons.category ?? ""
        content.actions = buttons.actions
        if let progress = replacement.progress { content.progress = progress }
        content.updatesQuietly = replacement.quietly
        if let level { content.interruptionLevel = level.level }
        content.userInfoJson = userInfo ?? ""
        return content
    }

    /// Gives the flag that set a field of the request, such as "request.content.badge"; `nil` where
    /// none of them did.
    func flag(ofField path: String) -> String? {
        let flags = [
            ("request.identifier", "--id"), ("request.replacement_key", "--replaces"),
            ("request.expires_after", "--expires-after"), ("request.content.sound", "--sound"),
            ("request.content.attachments", "--attachment"), ("request.content.badge", "--badge"),
            ("request.content.thread_identifier", "--thread"),
            ("request.content.category_identifier", "--category"),
            ("request.content.user_info_json", "--user-info"),
            ("request.content.actions", "--action"), ("request.content.progress", "--progress"),
            ("request.content.subtitle", "--subtitle"), ("request.content.body", "--body"),
        ]
        return flags.first { path.hasPrefix($0.0) }?.1
    }
}

/// The notification's buttons, on the command line: those of a category, or its own.
struct ButtonOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Says which actions are offered.", valueName: "id"))
    var category: String?

    @Option(
        name: .customLong("action"),
        help: ArgumentHelp(
            "A button of this notification, as done=Done; in place of those of its category.",
            valueName: "id=label"
        ),
        transform: ButtonOptions.button
    )
    var plain: [Belfry_V1_NotificationAction] = []

    @Option(
        name: .customLong("reply"),
        help: ArgumentHelp(
            "A button that asks for a text, after the others, as note=Note.",
            valueName: "id=label"
        ),
        transform: ButtonOptions.button
    )
    var replies: [Belfry_V1_NotificationAction] = []

    /// The buttons, in the order of showing.
    var actions: [Belfry_V1_NotificationAction] {
        plain
            + replies.map { reply in
                var reply = reply
                reply.textInput = .init()
                return reply
            }
    }

    /// Reads "id=Label", or a label that is the identifier too.
    static func button(_ text: String) -> Belfry_V1_NotificationAction {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        return .with { action in
            action.identifier = String(parts[0])
            action.title = String(parts[parts.count - 1])
        }
    }
}

/// The key by which a notification replaces another, and its last instant, on the command line.
struct ReplacementOptions: ParsableArguments {
    @Option(
        name: .customLong("id"),
        help: ArgumentHelp(
            "The identifier; a new request replaces the pending request of the same identifier.",
            discussion: "Default: the server makes one.",
            valueName: "id"
        )
    )
    var identifier: String?

    @Option(
        help: ArgumentHelp(
            "The delivery replaces what was delivered with the same key.",
            valueName: "key"
        )
    )
    var replaces: String?

    @Option(help: ArgumentHelp("Show how much is done, 0 to 1, as a bar.", valueName: "part"))
    var progress: Double?

    @Flag(help: "Show no banner and play no sound where it takes the place of a delivered one.")
    var quietly = false

    @Option(
        help: ArgumentHelp("Give up when it fires so late, as 1h.", valueName: "duration"),
        transform: DurationText.parseArgument
    )
    var expiresAfter: Duration?
}
