internal import ArgumentParser
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Snoozes a notification as the person, or lists the snoozed notifications.
struct SnoozeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "snooze",
        abstract: "Snooze a notification, or show what is snoozed.",
        discussion: """
            The notification leaves the list and comes back as itself. Without a notification, the \
            command lists what is snoozed on the device.
            """
    )

    @Argument(help: ArgumentHelp("The notification.", valueName: "id"))
    var identifier: String?

    @Option(
        name: .customLong("for"),
        help: ArgumentHelp("For how long, such as 10m or 1h30m.", valueName: "duration")
    )
    var length: DurationArgument?

    @Option(
        help: ArgumentHelp("Until when, such as 18:00 or 'tomorrow 9:00'.", valueName: "instant"),
        transform: When.parseInstant
    )
    var until: When?

    @Option(
        help: ArgumentHelp(
            "The number of the delivery; needed to change the end of a snooze.",
            discussion: "Default: the delivery in the list.",
            valueName: "number"
        )
    )
    var delivery: UInt64?

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func validate() throws {
        let ends = [length != nil, until != nil].count { $0 }
        guard ends == (identifier == nil ? 0 : 1) else {
            throw ValidationError(
                identifier == nil
                    ? "Name the notification to snooze." : "Say --for or --until, once."
            )
        }
        guard delivery == nil || identifier != nil else {
            throw ValidationError("Name the notification of the delivery.")
        }
    }

    func run() async throws {
        try await client.run { session in
            guard let identifier, let end = try await end(session) else {
                return try await list(session)
            }
            let notification = try await session.shown(identifier, delivery)
            let response: Belfry_V1_SnoozeResponse
            do throws(ClientError) {
                response = try await session.person.snooze(notification, end)
            } catch {
                throw error.naming { ["duration": "--for", "until": "--until"][$0] }
            }
            if session.output.isJSON {
                try session.output.print(json: response)
            } else {
                let instant = DateText.current().absolute(response.until.date)
                try session.output.print("\(identifier.printable) comes back at \(instant).")
            }
        }
    }

    /// When it comes back; one of the options is there.
    private func end(_ session: Session) async throws -> Belfry_V1_SnoozeRequest.OneOf_End? {
        if let length { return .duration(Google_Protobuf_Duration(rounding: length.duration)) }
        guard let until else { return nil }
        let local = try await session.localTime(in: nil)
        return .until(Google_Protobuf_Timestamp(date: local.instant(until)))
    }

    private func list(_ session: Session) async throws {
        var table = Table(header: ["NOTIFICATION", "APP", "TITLE", "DELIVERY", "COMES BACK"])
        var token = ""
        repeat {
            let page = try await session.person.listSnoozed(pageToken: token)
            if session.output.isJSON {
                try session.output.print(json: page)
            }
            for snoozed in page.notifications {
                let notification = snoozed.notification
                table.append([
                    Table.Cell(notification.notification.identifier, .bold),
                    Table.Cell(notification.notification.center.appID),
                    Table.Cell(notification.title),
                    Table.Cell("\(notification.notification.delivery)"),
                    Table.Cell(DateText.current().absolute(snoozed.until.date)),
                ])
            }
            token = page.nextPageToken
        } while !token.isEmpty
        guard !session.output.isJSON else { return }
        try session.output.print(table, whenEmpty: "Nothing is snoozed.")
    }
}
