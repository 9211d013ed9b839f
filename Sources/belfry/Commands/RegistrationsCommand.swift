internal import ArgumentParser
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Lists where the app can be pushed to, and tags the devices.
struct RegistrationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registrations",
        abstract: "List where the app can be pushed to, and tag the devices.",
        discussion: """
              belfry registrations
              belfry registrations list --tags 'news && !muted'
              token=$(belfry registrations add)
              belfry registrations tag $token news sport
            """,
        subcommands: [List.self, Add.self, Remove.self, Tag.self],
        defaultSubcommand: List.self
    )
}

extension RegistrationsCommand {
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the registrations."
        )

        @Option(help: ArgumentHelp("Only those whose tags fit.", valueName: "expression"))
        var tags = ""

        @OptionGroup
        var limit: ListLimitOption

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                let dates = DateText.current()
                try await limit.printList(
                    ["DEVICE", "SINCE", "TAGS", "TOKEN"],
                    whenEmpty: "No device is registered for pushes.",
                    to: session.output,
                    { (registration: Belfry_V1_Registration) in
                        [
                            Table.Cell(registration.center.deviceID.truncated(to: 20), .bold),
                            Table.Cell(dates.absolute(registration.registeredAt.date)),
                            Table.Cell(registration.tags.joined(separator: " ")),
                            Table.Cell(registration.token),
                        ]
                    },
                    { token, size in
                        let page = try await session.push.listRegistrations(
                            tagExpression: tags,
                            pageSize: size,
                            pageToken: token
                        )
                        return (page.registrations, page.nextPageToken)
                    }
                )
            }
        }
    }

    /// Registers the app on the device for pushes.
    struct Add: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Register the app on the device for pushes, and print the token."
        )

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                let response = try await session.notifications.registerForRemoteNotifications(
                    key: IdempotencyKey.make()
                )
                if session.output.isJSON {
                    try session.output.print(json: response)
                } else {
                    try session.output.print(response.token)
                }
            }
        }
    }

    /// Ends the registration of the app on the device.
    struct Remove: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove",
            abstract: "End the registration of the app on the device."
        )

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                let wasRegistered = try await session.notifications
                    .unregisterForRemoteNotifications(key: IdempotencyKey.make())
                guard !session.output.isJSON else {
                    try session.output.print(json: ["was_registered": wasRegistered])
                    return
                }
                guard wasRegistered else {
                    session.output.note("It was not registered.")
                    throw ExitReason.notFound.code
                }
                try session.output.print("\(session.center.appID.printable) gets no pushes.")
            }
        }
    }

    /// Replaces the tags of a device.
    struct Tag: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "tag",
            abstract: "Replace the tags of a device; without tags it has none."
        )

        @Argument(help: ArgumentHelp("The token of the device.", valueName: "token"))
        var token: String

        @Argument(help: ArgumentHelp("The tags.", valueName: "tag"))
        var tags: [String] = []

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                let tags = try await session.push.setTags(
                    tags,
                    ofToken: token,
                    key: IdempotencyKey.make()
                )
                if session.output.isJSON {
                    try session.output.print(json: ["tags": tags])
                } else {
                    let list = tags.isEmpty ? "none" : tags.joined(separator: " ").printable
                    try session.output.print("Tags: \(list)")
                }
            }
        }
    }
}
