internal import ArgumentParser
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Schedules one notification, or the requests of a file.
struct AddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Schedule a notification, or deliver it now.",
        discussion: """
            A file holds NotificationRequest messages of belfry.v1 as JSON: one array, or one \
            object on each line. What 'belfry pending --json' prints can be added again. Requests \
            go to the server in batches; a refused request does not stop the other requests, and \
            is printed on standard error with its place in the file.

              belfry add Tea --body 'It has drawn.' --in 4m --sound default
              belfry add Stretch --id stretch --every 1h
              belfry add 'Stand-up' --at 09:30 --daily
              belfry add --file requests.json
            """
    )

    @OptionGroup(title: "Notification")
    var notification: NotificationOptions

    @OptionGroup(title: "Trigger")
    var trigger: TriggerOptions

    @Option(
        help: ArgumentHelp("Add the requests of a file; - is standard input.", valueName: "path")
    )
    var file: String?

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func validate() throws {
        let isDescribed = notification.isSet || trigger.isSet
        guard file == nil || !isDescribed else {
            throw ValidationError("With --file, say nothing else of a notification.")
        }
        guard file != nil || isDescribed else {
            throw ValidationError("Say what to notify of, as in: belfry add Hello --in 5s")
        }
    }

    func run() async throws {
        let requests = try file.map { try RequestFile.read($0) }
        try await client.run { session in
            if let requests {
                try await addBatches(of: requests, session)
            } else {
                try await addOne(session)
            }
        }
    }

    private func addOne(_ session: Session) async throws {
        var request = notification.request
        if let trigger = trigger.trigger(zone: .current) { request.trigger = trigger }
        let response = try await session.notifications.add(request)
        if session.output.isJSON {
            try session.output.print(json: response)
        } else {
            try session.output.print(AddText.describe(response, DateText.current()))
        }
    }

    private func addBatches(
        of requests: [Belfry_V1_NotificationRequest],
        _ session: Session
    ) async throws {
        var refusedCount = 0
        for batch in RequestFile.batches(of: requests) {
            let results = try await session.notifications.addBatch(Array(requests[batch]))
            for (place, result) in zip(batch, results) {
                switch result {
                case .success(let added):
                    if session.output.isJSON { try session.output.print(json: added) }
                case .failure(let error):
                    refusedCount += 1
                    session.output.complain(error, place: place)
                }
            }
        }
        session.output.note("Added \(requests.count - refusedCount) of \(requests.count).")
        guard refusedCount == 0 else { throw ExitReason.refused.code }
    }
}

/// Describes the result of an added request.
enum AddText {
    /// Gives for example "4F2C… fires 2026-01-31 08:00:00 (in 5m)".
    static func describe(_ response: Belfry_V1_AddResponse, _ dates: DateText) -> String {
        var text = response.identifier.printable
        switch response.state {
        case .delivered: text += " is delivered"
        case .arriving: text += " is arriving"
        case .pending where response.hasNextTriggerDate:
            let date = response.nextTriggerDate.date
            text += " fires \(dates.absolute(date)) (\(dates.relative(date)))"
        case .gone: text += " is not kept"
        case .pending, .unspecified, .UNRECOGNIZED: text += " is pending"
        }
        if !response.evictedIdentifiers.isEmpty {
            text += "; pushed out: " + response.evictedIdentifiers.joined(separator: ", ").printable
        }
        return text
    }
}
