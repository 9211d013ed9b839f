internal import ArgumentParser
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Stores the files that the app's notifications show and play, lists and fetches them.
struct AttachmentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attachments",
        abstract: "Store, list and fetch the files that the app's notifications show and play.",
        discussion: """
            An unused file is deleted 24 hours after it was stored. A file that a request, a \
            notification, an app or a sound uses is deleted with the last of its users.
            """,
        subcommands: [Put.self, List.self, Show.self, Get.self]
    )
}

/// The purpose of a stored file, on the command line.
enum PurposeArgument: String, ExpressibleByArgument, CaseIterable {
    case notification
    case sound
    case icon
    case richPush = "rich-push"

    var purpose: Belfry_V1_AttachmentPurpose {
        switch self {
        case .notification: .notification
        case .sound: .sound
        case .icon: .icon
        case .richPush: .richPush
        }
    }
}

extension AttachmentsCommand {
    /// Stores a file.
    struct Put: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "put",
            abstract: "Store a file."
        )

        @Argument(
            help: ArgumentHelp("The file; \"-\" is standard input.", valueName: "file"),
            completion: .file()
        )
        var file: String

        @Option(help: ArgumentHelp("The purpose of the file.", valueName: "purpose"))
        var purpose = PurposeArgument.notification

        @Option(
            help: ArgumentHelp(
                "The uniform type identifier of the file, such as public.png.",
                discussion: "Default: the type of the file name's extension.",
                valueName: "type"
            )
        )
        var type: String?

        @Option(
            help: ArgumentHelp("The media type of a rich push's payload.", valueName: "type")
        )
        var mediaType: String?

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            let bytes = try read()
            var metadata = Belfry_V1_AttachmentMetadata()
            metadata.fileName =
                file == "-" ? "input" : URL(fileURLWithPath: file).lastPathComponent
            metadata.purpose = purpose.purpose
            metadata.typeHint = type ?? ""
            metadata.mediaType = mediaType ?? ""
            metadata.sizeBytes = UInt64(bytes.count)
            try await client.run { [metadata] session in
                // Find out whether a server answers: the upload has no time limit.
                _ = try await session.server.health()
                let progress = ProgressNotes(session.output)
                var sent = 0
                let stored = try await session.attachments.upload(
                    metadata,
                    key: IdempotencyKey.make()
                ) {
                    progress.note("\(sent) of \(bytes.count) bytes")
                    let chunk = bytes[sent...].prefix(AttachmentClient.chunkByteCount)
                    sent += chunk.count
                    return [UInt8](chunk)
                }
                guard !session.output.isJSON else {
                    try session.output.print(json: stored)
                    return
                }
                try session.output.print(stored.attachmentID)
                session.output.note(stored.summary)
            }
        }

        private func read() throws -> Data {
            do {
                return try InputFile.read(file)
            } catch {
                AttachmentsCommand.complain(file, error)
                throw ExitReason.badData.code
            }
        }
    }

    /// Shows the description of a stored file.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Describe a stored file."
        )

        @Argument(help: ArgumentHelp("The file, as 'put' named it.", valueName: "id"))
        var identifier: String

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                let stored = try await session.attachments.get(identifier)
                guard !session.output.isJSON else {
                    try session.output.print(json: stored)
                    return
                }
                try session.output.print(stored.summary.printable)
            }
        }
    }

    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "get",
            abstract: "Fetch a stored file.",
            discussion: "A file that --output names is replaced when the new file is complete."
        )

        @Argument(help: ArgumentHelp("The file, as 'put' named it.", valueName: "id"))
        var identifier: String

        @Option(
            help: ArgumentHelp(
                "The path to write the file to; \"-\" is standard output.",
                discussion: """
                    Default: a new file of the stored file's name, in the current directory. The \
                    app chose that name: one that is there already, or that begins with a point \
                    or a dash, is refused.
                    """,
                valueName: "file"
            ),
            completion: .file()
        )
        var output: String?

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                // Find out whether a server answers: the download has no time limit.
                let stored = try await session.attachments.get(identifier)
                let progress = ProgressNotes(session.output)
                var bytes = Data()
                try await session.attachments.download(identifier) { _, chunk in
                    bytes.append(contentsOf: chunk)
                    progress.note("\(bytes.count) of \(stored.sizeBytes) bytes")
                }
                let path = output ?? stored.fileName
                if path == "-" { return try StandardOutput.write(bytes) }
                do {
                    if output == nil {
                        try WrittenFile.write(bytes, underItsOwnName: path)
                    } else {
                        try WrittenFile.write(bytes, to: path)
                    }
                } catch {
                    AttachmentsCommand.complain(path, error)
                    throw ExitReason.badData.code
                }
                guard !session.output.isJSON else {
                    try session.output.print(json: ["file": path, "size_bytes": bytes.count])
                    return
                }
                try session.output.print("Wrote \(path.printable): \(bytes.count) bytes.")
            }
        }
    }

    /// Prints on standard error why a file cannot be read or written.
    fileprivate static func complain(_ path: String, _ error: any Error) {
        let line = Data("belfry: \(path.printable): \(error.reason)\n".utf8)
        try? FileHandle.standardError.write(contentsOf: line)
    }
}

extension Belfry_V1_Attachment {
    /// One line about the file.
    fileprivate var summary: String {
        let end =
            hasUnreferencedUntil
            ? "unreferenced until \(DateText.current().absolute(unreferencedUntil.date))"
            : "in use"
        return "\(fileName): \(type), \(sizeBytes) bytes, \(end)"
    }
}
