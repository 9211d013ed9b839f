internal import ArgumentParser
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Lists the pending requests.
struct PendingCommand: AsyncParsableCommand {
    enum Order: String, ExpressibleByArgument, CaseIterable {
        case date
        case identifier
    }

    static let configuration = CommandConfiguration(
        commandName: "pending",
        abstract: "List the requests that wait for their trigger."
    )

    @OptionGroup(title: "Filter")
    var filter: FilterOptions

    @Option(help: "Soonest first, or by name, which also works for more than 10,000 requests.")
    var order = Order.date

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            let output = session.output
            let dates = try await session.dates()
            var table = Table(header: ["IDENTIFIER", "NEXT", "", "TITLE", "TRIGGER"])
            let isWhole = try await pages(upTo: filter.limit.count(isJSON: output.isJSON)) {
                token,
                size in
                let page = try await session.notifications.listPending(
                    filter.filter,
                    order: order == .date ? .nextTriggerDate : .identifier,
                    pageSize: size,
                    pageToken: token
                )
                for request in page.requests {
                    if output.isJSON {
                        try output.print(json: request)
                    } else {
                        table.append(row(for: request, dates))
                    }
                }
                return (page.requests.count, page.nextPageToken)
            }
            guard !output.isJSON else { return }
            try output.print(table, whenEmpty: "Nothing is pending.")
            if !isWhole { output.note("There are more; see --limit.") }
        }
    }

    private func row(for pending: Belfry_V1_PendingRequest, _ dates: DateText) -> [Table.Cell] {
        let content = pending.request.content
        let hasDate = pending.hasNextTriggerDate
        let next = pending.nextTriggerDate.date
        return [
            Table.Cell(pending.request.identifier, .bold),
            Table.Cell(hasDate ? dates.absolute(next) : "-"),
            Table.Cell(hasDate ? dates.relative(next) : "", .cyan),
            Table.Cell(content.headline.truncated(to: 16)),
            Table.Cell(TriggerText.describe(pending.request.trigger, dates)),
        ]
    }
}

/// Reads pages until the last page or until `limit` items were read.
///
/// - Parameters:
///   - limit: The largest number of items.
///   - next: Reads a page, given its token and the largest number of items; gives the number of
///     items and the next token.
/// - Returns: Whether the last page was reached.
/// - Throws: The error of `next`.
func pages(
    upTo limit: Int,
    _ next: (_ token: String, _ size: Int32) async throws -> (Int, String)
) async throws -> Bool {
    var token = ""
    var count = 0
    repeat {
        let size = Int32(min(1_000, limit - count))
        let (received, nextToken) = try await next(token, size)
        count += received
        token = nextToken
    } while !token.isEmpty && count < limit
    return token.isEmpty
}

extension Belfry_V1_NotificationContent {
    /// The line of the notification in a list.
    var headline: String {
        let line = [title, subtitle, body].first { !$0.isEmpty } ?? ""
        return line.truncated(to: 60)
    }
}
