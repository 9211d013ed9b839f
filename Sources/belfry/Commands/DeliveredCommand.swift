internal import ArgumentParser
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Lists the delivered notifications.
struct DeliveredCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delivered",
        abstract: "List the notifications that were delivered.",
        discussion: "Newest first."
    )

    @OptionGroup(title: "Filter")
    var filter: FilterOptions

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            let output = session.output
            let dates = try await session.dates()
            var table = Table(header: ["IDENTIFIER", "DELIVERED", "", "THREAD", "TITLE"])
            let isWhole = try await pages(upTo: filter.limit.count(isJSON: output.isJSON)) {
                token,
                size in
                let page = try await session.notifications.listDelivered(
                    filter.filter,
                    order: .newestFirst,
                    pageSize: size,
                    pageToken: token
                )
                for notification in page.notifications {
                    if output.isJSON {
                        try output.print(json: notification)
                    } else {
                        table.append(row(for: notification, dates))
                    }
                }
                return (page.notifications.count, page.nextPageToken)
            }
            guard !output.isJSON else { return }
            try output.print(table, whenEmpty: "Nothing is delivered.")
            if !isWhole { output.note("There are more; see --limit.") }
        }
    }

    private func row(for notification: Belfry_V1_Notification, _ dates: DateText) -> [Table.Cell] {
        let content = notification.request.content
        let date = notification.date.date
        return [
            Table.Cell(notification.request.identifier, .bold),
            Table.Cell(dates.absolute(date)),
            Table.Cell(dates.relative(date), .cyan),
            Table.Cell(content.threadIdentifier),
            Table.Cell(content.headline),
        ]
    }
}
