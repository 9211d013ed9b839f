internal import ArgumentParser
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Creates, lists, fetches and reads rich pushes.
struct RichCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rich",
        abstract: "Push a payload that the app fetches; list, fetch and read such pushes.",
        discussion: """
              belfry rich create cat.png 'A cat' --tags username:bob --media-type image/png
              belfry rich list --unread
              belfry rich get 7 --output cat.png
              belfry rich read 7
            """,
        subcommands: [List.self, Create.self, Get.self, Read.self],
        defaultSubcommand: List.self
    )
}

extension RichCommand {
    /// Lists the rich pushes of the device.
    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the rich pushes of the device, newest first."
        )

        @Flag(help: "Only those that were not read.")
        var unread = false

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                let output = session.output
                let dates = DateText.current()
                var table = Table(header: ["ID", "CREATED", "READ", "TYPE", "BYTES", "MESSAGE"])
                let isWhole = try await pages(upTo: output.isJSON ? .max : 100) { token, size in
                    let page = try await session.rich.list(
                        unreadOnly: unread,
                        pageSize: size,
                        pageToken: token
                    )
                    for push in page.richPushes {
                        guard !output.isJSON else {
                            try output.print(json: push)
                            continue
                        }
                        table.append([
                            Table.Cell("\(push.richID)", .bold),
                            Table.Cell(dates.absolute(push.createdAt.date)),
                            Table.Cell(push.hasReadAt ? "yes" : "no"),
                            Table.Cell(push.mediaType.truncated(to: 16)),
                            Table.Cell("\(push.sizeBytes)"),
                            Table.Cell(push.message.truncated(to: 24)),
                        ])
                    }
                    return (page.richPushes.count, page.nextPageToken)
                }
                guard !output.isJSON else { return }
                try output.print(table, whenEmpty: "There are no rich pushes.")
                if !isWhole { output.note("There are more; --json lists all.") }
            }
        }
    }

    /// Stores a payload and pushes its number.
    struct Create: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "create",
            abstract: "Store a payload, and push its number to the devices whose tags fit."
        )

        /// The longest payload that a call takes; a longer one is an attachment first.
        private static let longest = 768 * 1_024

        @Argument(
            help: ArgumentHelp("The payload; \"-\" is standard input.", valueName: "file"),
            completion: .file()
        )
        var file: String

        @Argument(help: ArgumentHelp("What to notify of.", valueName: "message"))
        var message: String

        @Option(help: ArgumentHelp("The devices whose tags fit.", valueName: "expression"))
        var tags: String

        @Option(help: ArgumentHelp("What the payload is to the app.", valueName: "type"))
        var type = "img"

        @Option(help: ArgumentHelp("The payload's media type.", valueName: "type"))
        var mediaType = "application/octet-stream"

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            let payload = try JSONFile.read(file, isText: false) {
                (data) throws(JSONFile.Problem) in
                guard data.count <= Self.longest else {
                    let limit = "a rich push has at most 768 KiB"
                    throw JSONFile.Problem(text: "it has \(data.count / 1_024) KiB: \(limit)")
                }
                return data
            }
            try await client.run { session in
                var request = Belfry_V1_CreateRichPushRequest()
                request.idempotencyKey = IdempotencyKey.make()
                request.tagExpression = tags
                request.message = message
                request.richType = type
                request.payload = payload
                request.mediaType = mediaType
                let response = try await session.rich.create(request)
                if session.output.isJSON {
                    try session.output.print(json: response)
                } else {
                    try session.output.print("\(response.richID)")
                    session.output.note("Push \(response.pushID)")
                }
            }
        }
    }

    /// Fetches the payload of a rich push, and writes it.
    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "get",
            abstract: "Fetch the payload of a rich push.",
            discussion: "An existing file of that name is replaced when the payload is complete."
        )

        @Argument(help: ArgumentHelp("The rich push.", valueName: "id"))
        var number: UInt64

        @Option(
            help: ArgumentHelp("The file to write; \"-\" is standard output.", valueName: "file"),
            completion: .file()
        )
        var output = "-"

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                // Find out whether a server answers and has the rich push: the download has no time
                // limit.
                _ = try await session.rich.get(number)
                var bytes = Data()
                try await session.rich.download(number) { _, chunk in
                    bytes.append(contentsOf: chunk)
                }
                guard try Self.write(bytes, to: output) else { return }
                if session.output.isJSON {
                    try session.output.print(json: ["file": output, "size_bytes": bytes.count])
                } else {
                    let count = bytes.count
                    try session.output.print("Wrote \(output.printable): \(count) bytes.")
                }
            }
        }

        /// Writes a payload; gives whether it went to a file.
        private static func write(_ bytes: Data, to path: String) throws -> Bool {
            guard path != "-" else {
                try StandardOutput.write(bytes)
                return false
            }
            do {
                try WrittenFile.write(bytes, to: path)
                return true
            } catch {
                let line = "belfry: \(path.printable): \(error.reason)\n"
                try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
                throw ExitReason.badData.code
            }
        }
    }

    /// Marks a rich push as read.
    struct Read: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "read",
            abstract: "Mark a rich push as read on the device."
        )

        @Argument(help: ArgumentHelp("The rich push.", valueName: "id"))
        var number: UInt64

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                let response = try await session.rich.markRead(number, key: IdempotencyKey.make())
                if session.output.isJSON {
                    try session.output.print(json: response)
                } else {
                    let since = DateText.current().absolute(response.readAt.date)
                    try session.output.print("\(number) is read since \(since)")
                }
            }
        }
    }
}
