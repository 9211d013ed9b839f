internal import ArgumentParser
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Pushes to the app's devices as its provider does.
struct PushCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Push to the app's devices, as its provider does.",
        discussion: """
            Without --to and --tags the push is for the app on the device of --device.

              belfry push --alert 'Tea is ready' --sound default
              belfry push --to $token --title Alice --body 'Tea at five?' --collapse-id tea
              belfry push --tags '(news || sport) && !muted' --payload news.json --expires 1h
              belfry push --tags '' --alert 'Happy new year' --at '1 jan 0:00'
              belfry push --background --data '{"version": 7}'
              belfry push status $push
              belfry push cancel $push
            """,
        subcommands: [Send.self, Status.self, Cancel.self, Withdraw.self],
        defaultSubcommand: Send.self
    )
}

extension PushCommand {
    struct Send: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "send",
            abstract: "Push to a token, an app on a device, or all devices with tags."
        )

        @Option(
            name: .customLong("to"),
            help: ArgumentHelp("The token of a device, in hexadecimal.", valueName: "token")
        )
        var token: String?

        @Option(
            help: ArgumentHelp("The devices whose tags fit; '' is all.", valueName: "expression")
        )
        var tags: String?

        @Option(
            name: .customLong("at"),
            help: ArgumentHelp(
                "When to push to them, such as 'tomorrow 9:00'. Default: now.",
                valueName: "instant"
            ),
            transform: When.parseInstant
        )
        var date: When?

        @OptionGroup(title: "Payload")
        var payload: PayloadOptions

        @OptionGroup(title: "Headers")
        var headers: PushHeaderOptions

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func validate() throws {
            guard token == nil || tags == nil else {
                throw ValidationError("Use one of --to and --tags.")
            }
            guard date == nil || tags != nil else {
                throw ValidationError("--at is for pushes to many: use it with --tags.")
            }
        }

        func run() async throws {
            let json = try payload.json()
            try await client.run { session in
                let headers = try await headers.headers(session)
                do {
                    try await push(json, headers, session)
                } catch let error as ClientError {
                    throw error.naming { flag(ofField: $0) }
                }
            }
        }

        /// The flag that set a field of the request.
        private func flag(ofField path: String) -> String? {
            switch path {
            case "token": token.map { _ in "--to" }
            case "tag_expression": "--tags"
            case "deliver_at": "--at"
            case "payload_json": payload.payload.map { _ in "--payload" }
            default: headers.flag(ofField: path)
            }
        }

        private func push(
            _ json: String,
            _ headers: Belfry_V1_PushHeaders,
            _ session: Session
        ) async throws {
            if let tags {
                try await push(json, headers, toTags: tags, session)
                return
            }
            let response = try await session.push.push(
                to: token.map { .token($0) } ?? .center(session.center),
                payload: json,
                headers: headers,
                key: IdempotencyKey.make()
            )
            guard !session.output.isJSON else {
                try session.output.print(json: response)
                return
            }
            let name = response.identifier.isEmpty ? response.apnsID : response.identifier
            let outcome = PushText.outcome(response.outcome)
            try session.output.print("\(name.printable) is \(outcome)")
        }

        /// Pushes to many, and tells the outcomes.
        private func push(
            _ json: String,
            _ headers: Belfry_V1_PushHeaders,
            toTags tags: String,
            _ session: Session
        ) async throws {
            // Find out whether a server answers: the push has no time limit.
            _ = try await session.server.health()
            var request = Belfry_V1_PushToTagsRequest()
            request.idempotencyKey = IdempotencyKey.make()
            request.tagExpression = tags
            request.headers = headers
            request.payloadJson = json
            if let date {
                let local = try await session.localTime(in: nil)
                request.deliverAt = Google_Protobuf_Timestamp(date: local.instant(date))
            }
            let output = session.output
            let progress = ProgressNotes(output)
            var reached = 0
            let totals = try await session.push.pushToTags(request) { push in
                if output.isJSON {
                    try? output.print(json: ["push_id": push])
                } else {
                    output.note("Push \(push)")
                }
            } onOutcomes: { outcomes in
                reached += outcomes.count
                progress.note("\(reached) devices")
                guard output.isJSON else { return }
                for outcome in outcomes { try? output.print(json: outcome) }
            }
            guard !output.isJSON else {
                try output.print(json: totals)
                return
            }
            guard totals.complete else {
                let date = DateText.current().absolute(request.deliverAt.date)
                try output.print("It begins at \(date).")
                return
            }
            try output.print(PushText.describe(totals))
        }
    }

    /// Tells how far a push to many is.
    struct Status: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Tell how far a push to many devices is."
        )

        @Argument(help: ArgumentHelp("The push, as it was named.", valueName: "id"))
        var push: String

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                let status = try await session.push.status(of: push)
                guard !session.output.isJSON else {
                    try session.output.print(json: status)
                    return
                }
                let end = status.totals.complete ? "" : " It goes on."
                try session.output.print(PushText.describe(status.totals) + end)
            }
        }
    }

    /// Cancels the rest of a push.
    struct Cancel: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel",
            abstract: "Cancel what a push to many devices has not reached."
        )

        @Argument(help: ArgumentHelp("The push, as it was named.", valueName: "id"))
        var push: String

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                let totals = try await session.push.cancel(push, key: IdempotencyKey.make())
                guard !session.output.isJSON else {
                    try session.output.print(json: totals)
                    return
                }
                try session.output.print("Cancelled. " + PushText.describe(totals))
            }
        }
    }

    /// Takes delivered pushes back.
    struct Withdraw: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "withdraw",
            abstract: "Take delivered notifications back, by their collapse id."
        )

        @Argument(help: ArgumentHelp("The notifications.", valueName: "id"))
        var identifiers: [String]

        @Option(
            name: .customLong("to"),
            help: ArgumentHelp("The token of a device, in hexadecimal.", valueName: "token")
        )
        var token: String?

        @Option(
            help: ArgumentHelp("The devices whose tags fit; '' is all.", valueName: "expression")
        )
        var tags: String?

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func validate() throws {
            guard (token == nil) != (tags == nil) else {
                throw ValidationError("Say from which devices: --to or --tags.")
            }
        }

        func run() async throws {
            try await client.run { session in
                let count = try await session.push.withdraw(
                    identifiers,
                    from: token.map { .token($0) } ?? .tagExpression(tags ?? ""),
                    key: IdempotencyKey.make()
                )
                if session.output.isJSON {
                    try session.output.print(json: ["withdrawn_count": count])
                } else {
                    try session.output.print("Took back \(count).")
                }
            }
        }
    }
}

/// Describes the outcomes of pushes.
enum PushText {
    /// Gives for example "Reached 3 devices: 2 delivered, 1 refused.", for a person.
    static func describe(_ totals: Belfry_V1_PushTotals) -> String {
        let counts = totals.counts.map { "\($0.count) \(outcome($0.outcome))" }
        let devices = totals.devices == 1 ? "1 device" : "\(totals.devices) devices"
        let list = counts.isEmpty ? "" : ": " + counts.joined(separator: ", ")
        return "Reached \(devices)\(list)."
    }

    /// Gives for example "delivered".
    static func outcome(_ outcome: Belfry_V1_PushOutcome) -> String {
        switch outcome {
        case .delivered: "delivered"
        case .arriving: "arriving"
        case .stored: "stored for the app"
        case .suppressed: "suppressed"
        case .expired: "expired"
        case .refused: "refused"
        case .unspecified, .UNRECOGNIZED: "taken"
        }
    }
}
