internal import ArgumentParser
internal import NotificationClient
internal import NotificationProtocol

/// Sets, lists and removes the app's texts in a language.
struct StringsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "strings",
        abstract: "Set, list and remove the app's texts in a language.",
        discussion: """
            A notification, a category or a button names a text by its key. The text is looked up \
            when it is shown, in the languages of the device and then in the app's own language, \
            so that a change also applies to delivered notifications.
            """,
        subcommands: [Set.self, List.self, Remove.self]
    )

    struct LanguageOption: ParsableArguments {
        @Option(help: ArgumentHelp("The language, as a tag such as pt-BR.", valueName: "tag"))
        var language: String
    }

    /// Replaces all texts of a language.
    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Replace all texts of a language with the texts of a file.",
            discussion: """
                The file holds a JSON object of texts by key. A text that depends on a number is \
                an object of its forms: other, and zero, one, two, few, many where the language \
                has them; %u is the number.

                  {"tea": "Tea for %@", "more": {"one": "%u more", "other": "%u more cups"}}
                """
        )

        @Argument(
            help: ArgumentHelp("The texts; \"-\" is standard input.", valueName: "file"),
            completion: .file()
        )
        var file: String

        @OptionGroup
        var language: LanguageOption

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            let strings = try StringsFile.read(file)
            try await client.run { session in
                let count = try await session.installation.setStringTable(
                    of: session.center.appID,
                    in: language.language,
                    strings
                )
                if session.output.isJSON {
                    try session.output.print(json: ["count": count])
                } else {
                    let texts = "\(count) \(count == 1 ? "text" : "texts")"
                    let app = session.center.appID.printable
                    try session.output.print(
                        "Set \(texts) of \(app) in \(language.language.printable)."
                    )
                }
            }
        }
    }

    /// Removes all texts of a language.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove all texts of a language."
        )

        @OptionGroup
        var language: LanguageOption

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                let count = try await session.installation.setStringTable(
                    of: session.center.appID,
                    in: language.language,
                    [:]
                )
                if session.output.isJSON {
                    try session.output.print(json: ["count": count])
                } else {
                    let app = session.center.appID.printable
                    try session.output.print(
                        "\(app) has no texts in \(language.language.printable)."
                    )
                }
            }
        }
    }
}
