internal import ArgumentParser
internal import NotificationProtocol
internal import SwiftProtobuf

/// The localized texts of a notification, on the command line.
struct LocalizedOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The key of the title in the texts of 'belfry strings'.",
            discussion: "The plain title is shown when no language has the key.",
            valueName: "key"
        )
    )
    var titleKey: String?

    @Option(
        name: .customLong("title-arg"),
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("What takes the place of a %@ in it. Repeatable.", valueName: "text")
    )
    var titleArguments: [String] = []

    @Option(help: ArgumentHelp("The key of the subtitle.", valueName: "key"))
    var subtitleKey: String?

    @Option(
        name: .customLong("subtitle-arg"),
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("What takes the place of a %@ in it. Repeatable.", valueName: "text")
    )
    var subtitleArguments: [String] = []

    @Option(help: ArgumentHelp("The key of the text.", valueName: "key"))
    var bodyKey: String?

    @Option(
        name: .customLong("body-arg"),
        parsing: .unconditionalSingleValue,
        help: ArgumentHelp("What takes the place of a %@ in it. Repeatable.", valueName: "text")
    )
    var bodyArguments: [String] = []

    func validate() throws {
        for (name, key, arguments) in [
            ("title", titleKey, titleArguments), ("subtitle", subtitleKey, subtitleArguments),
            ("body", bodyKey, bodyArguments),
        ] where key == nil && !arguments.isEmpty {
            throw ValidationError("--\(name)-arg needs --\(name)-key.")
        }
    }

    /// The localized title; nil when the notification has only a plain title.
    var title: Belfry_V1_LocalizedText? { Self.text(titleKey, titleArguments) }
    var subtitle: Belfry_V1_LocalizedText? { Self.text(subtitleKey, subtitleArguments) }
    var body: Belfry_V1_LocalizedText? { Self.text(bodyKey, bodyArguments) }

    private static func text(_ key: String?, _ arguments: [String]) -> Belfry_V1_LocalizedText? {
        guard let key else { return nil }
        return .with { text in
            text.key = key
            text.args = arguments
        }
    }
}
