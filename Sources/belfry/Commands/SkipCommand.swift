internal import ArgumentParser
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Skips the next occurrence of a pending request.
struct SkipCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "skip",
        abstract: "Skip the next occurrence of a pending request.",
        discussion: """
            The occurrences after it stay. One that was skipped does not count for --times. To \
            leave out days that are further ahead, add the request with --skip.

              belfry skip standup
            """
    )

    @Argument(help: ArgumentHelp("The request.", valueName: "id"))
    var identifier: String

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            let response = try await session.notifications.skipNext(
                identifier,
                key: IdempotencyKey.make()
            )
            guard !session.output.isJSON else {
                try session.output.print(json: response)
                return
            }
            let local = try await session.localTime(in: nil)
            try session.output.print(SkipText.describe(response, identifier, local))
        }
    }
}

/// Describes a skipped occurrence.
enum SkipText {
    /// Gives for example "tea skips Mon 23 Nov 09:00 and fires Tue 24 Nov 09:00 (Europe/Lisbon)".
    static func describe(
        _ response: Belfry_V1_SkipNextResponse,
        _ identifier: String,
        _ local: LocalTime
    ) -> String {
        let dates = DateText(now: local.now, zone: local.zone)
        let skipped = dates.plain(response.skippedDate.date)
        let next =
            response.hasNextTriggerDate
            ? "and fires \(dates.plain(response.nextTriggerDate.date))"
            : "and fires no more"
        let zone = local.zone.name.printable
        return "\(identifier.printable) skips \(skipped) \(next) (\(zone))"
    }
}
