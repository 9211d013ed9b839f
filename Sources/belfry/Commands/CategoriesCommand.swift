internal import ArgumentParser
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol

/// Shows and changes the app's categories.
struct CategoriesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "categories",
        abstract: "Show and change the app's categories of notifications.",
        discussion: """
            A category gives its notifications their buttons. The category is looked up when a \
            notification is shown, so that a change also applies to delivered notifications.
            """,
        subcommands: [List.self, Set.self, Add.self, Remove.self],
        defaultSubcommand: List.self
    )

    private static let fileHelp = """
        The file holds an array of NotificationCategory in JSON, or one on each line, as \
        'belfry categories list --json' prints them. "-" is standard input.
        """

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "Show the categories."
        )

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                let categories = try await session.notifications.categories()
                guard !session.output.isJSON else {
                    for category in categories { try session.output.print(json: category) }
                    return
                }
                var table = Table(header: ["CATEGORY", "ACTIONS"])
                for category in categories {
                    let actions = category.actions.map(\.identifier).joined(separator: ", ")
                    table.append([Table.Cell(category.identifier), Table.Cell(actions)])
                }
                try session.output.print(table, whenEmpty: "There are no categories.")
            }
        }
    }

    struct Set: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Replace all categories with the categories of a file.",
            discussion: CategoriesCommand.fileHelp + " An empty array removes all."
        )

        @Argument(help: ArgumentHelp("The categories.", valueName: "file"), completion: .file())
        var file: String

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            let categories = try CategoriesCommand.read(file)
            try await client.run { session in
                let warnings = try await session.notifications.setCategories(categories)
                try CategoriesCommand.report(categories.count, warnings, session.output)
            }
        }
    }

    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Add the categories of a file, and keep the other categories.",
            discussion: CategoriesCommand.fileHelp
        )

        @Argument(help: ArgumentHelp("The categories.", valueName: "file"), completion: .file())
        var file: String

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            let categories = try CategoriesCommand.read(file)
            try await client.run { session in
                let warnings = try await session.notifications.upsertCategories(categories)
                try CategoriesCommand.report(categories.count, warnings, session.output)
            }
        }
    }

    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "Remove categories.",
            discussion: "It ends with status 3 when none of the categories existed."
        )

        @Argument(help: ArgumentHelp("The categories to remove.", valueName: "category"))
        var identifiers: [String]

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                let removed = try await session.notifications.removeCategories(identifiers)
                for identifier in removed {
                    if session.output.isJSON {
                        try session.output.print(json: ["removed": identifier])
                    } else {
                        try session.output.print("Removed \(identifier.printable).")
                    }
                }
                guard !removed.isEmpty else {
                    session.output.note("There is no such category.")
                    throw ExitReason.notFound.code
                }
            }
        }
    }

    private static func read(_ path: String) throws -> [Belfry_V1_NotificationCategory] {
        try JSONFile.read(path) { data in
            try JSONFile.elements(data, named: "categories").map { json, place in
                try JSONFile.message(json, at: place, "a category")
            }
        }
    }

    private static func report(
        _ count: Int,
        _ warnings: [Belfry_V1_CategoryWarning],
        _ output: Output
    ) throws {
        if output.isJSON {
            for warning in warnings { try output.print(json: warning) }
        } else {
            for warning in warnings { output.note("\(warning.path): \(warning.message)") }
            try output.print("Set \(count) \(count == 1 ? "category" : "categories").")
        }
    }
}
