internal import ArgumentParser
internal import SwiftProtobuf

/// The option of how long a list may be.
struct ListLimitOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "List so many at most; 0 is all. Default: 100, or all with --json.",
            valueName: "number"
        )
    )
    var limit: Int?

    func validate() throws {
        guard (limit ?? 0) >= 0 else { throw ValidationError("--limit must not be negative.") }
    }

    /// How many entries to list at most.
    func count(isJSON: Bool) -> Int {
        switch limit {
        case nil: isJSON ? .max : 100
        case 0: .max
        case let limit?: limit
        }
    }

    /// Prints a list page by page: each message as JSON, or all as rows of one table.
    ///
    /// - Parameters:
    ///   - header: The header of the table.
    ///   - sentence: What is printed when the list is empty.
    ///   - output: Where to print.
    ///   - row: Makes the row of a message.
    ///   - next: Gets the page of a token, of at most so many messages.
    /// - Throws: What `next` throws, or that the output takes no more.
    func printList<Entry: Message>(
        _ header: [String],
        whenEmpty sentence: String,
        to output: Output,
        _ row: (Entry) -> [Table.Cell],
        _ next: (_ token: String, _ size: Int32) async throws -> (entries: [Entry], token: String)
    ) async throws {
        var table = Table(header: header)
        let isWhole = try await pages(upTo: count(isJSON: output.isJSON)) { token, size in
            let page = try await next(token, size)
            for entry in page.entries {
                if output.isJSON {
                    try output.print(json: entry)
                } else {
                    table.append(row(entry))
                }
            }
            return (page.entries.count, page.token)
        }
        guard !output.isJSON else { return }
        try output.print(table, whenEmpty: sentence)
        if !isWhole { output.note("There are more; see --limit.") }
    }
}
