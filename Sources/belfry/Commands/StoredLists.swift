internal import ArgumentParser
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

// The lists of what the app has stored: its files, sounds and texts.

extension AttachmentsCommand {
    /// Lists the stored files of the app.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the stored files of the app.",
            discussion: """
                USES is how many requests, apps, sounds and rich pushes refer to the file.
                """
        )

        @OptionGroup
        var limit: ListLimitOption

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                let dates = DateText.current()
                try await limit.printList(
                    ["ID", "NAME", "TYPE", "BYTES", "STORED", "USES"],
                    whenEmpty: "The app has no stored files.",
                    to: session.output,
                    { (listed: Belfry_V1_ListedAttachment) in
                        let file = listed.attachment
                        return [
                            Table.Cell(file.attachmentID),
                            Table.Cell(file.fileName.truncated(to: 30), .bold),
                            Table.Cell(file.type),
                            Table.Cell("\(file.sizeBytes)"),
                            Table.Cell(dates.absolute(file.createdAt.date)),
                            Table.Cell("\(listed.referenceCount)"),
                        ]
                    },
                    { token, size in
                        let page = try await session.attachments.list(
                            pageSize: size,
                            pageToken: token
                        )
                        return (page.attachments, page.nextPageToken)
                    }
                )
            }
        }
    }
}

extension SoundsCommand {
    /// Lists the sounds of the app.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the sounds of the app."
        )

        @OptionGroup
        var limit: ListLimitOption

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                try await limit.printList(
                    ["NAME", "PLAYS", "BYTES", "FILE"],
                    whenEmpty: "The app has no sounds.",
                    to: session.output,
                    { (listed: Belfry_V1_ListedSound) in
                        let sound = listed.sound
                        let length = DurationText.format(Duration(sound.duration))
                        return [
                            Table.Cell(sound.name.truncated(to: 40), .bold),
                            sound.isTooLong
                                ? Table.Cell("\(length), too long", .yellow) : Table.Cell(length),
                            Table.Cell("\(listed.sizeBytes)"),
                            Table.Cell(sound.attachmentID),
                        ]
                    },
                    { token, size in
                        let page = try await session.installation.listSounds(
                            of: session.center.appID,
                            pageSize: size,
                            pageToken: token
                        )
                        return (page.sounds, page.nextPageToken)
                    }
                )
            }
        }
    }
}

extension StringsCommand {
    /// Lists the languages in which the app has texts.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the languages in which the app has texts."
        )

        @OptionGroup
        var limit: ListLimitOption

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                try await limit.printList(
                    ["LANGUAGE", "TEXTS", "BYTES"],
                    whenEmpty: "The app has no texts.",
                    to: session.output,
                    { (table: Belfry_V1_ListedStringTable) in
                        [
                            Table.Cell(table.language, .bold), Table.Cell("\(table.count)"),
                            Table.Cell("\(table.sizeBytes)"),
                        ]
                    },
                    { token, size in
                        let page = try await session.installation.listStringTables(
                            of: session.center.appID,
                            pageSize: size,
                            pageToken: token
                        )
                        return (page.tables, page.nextPageToken)
                    }
                )
            }
        }
    }
}
