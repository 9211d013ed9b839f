internal import ArgumentParser
internal import Foundation
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Stores the files that the app's notifications show and play, and fetches them.
struct AttachmentsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attachments",
        abstract: "Store and fetch the files that the app's notifications show and play.",
        discussion: """
            A file that nothing refers to is deleted 24 hours after it was stored, and any other \
            with the last request, notification, app or sound that refers to it.
            """,
        subcommands: [Put.self, Show.self, Get.self]
    )
}

/// What a stored file is for, on the command line.
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
        static let configuration = CommandConfiguration(abstract: "Store a file.")

        @Argument(help: ArgumentHelp("The file.", valueName: "file"))
        var file: String

        @Option(help: ArgumentHelp("What it is for.", valueName: "purpose"))
        var purpose = PurposeArgument.notification

        @Option(
            help: ArgumentHelp(
                "Its uniform type identifier, such as public.png.",
                discussion: "Default: what the name's ending tells.",
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
            let (handle, size) = try open()
            var metadata = Belfry_V1_AttachmentMetadata()
            metadata.fileName = URL(fileURLWithPath: file).lastPathComponent
            metadata.purpose = purpose.purpose
            metadata.typeHint = type ?? ""
            metadata.mediaType = mediaType ?? ""
            metadata.sizeBytes = size
            try await client.run { [metadata] session in
                // A stream has no time limit: where no server answers, this tells.
                _ = try await session.server.health()
                let progress = ProgressNotes(session.output)
                var sent: UInt64 = 0
                let stored = try await session.attachments.upload(
                    metadata,
                    key: IdempotencyKey.make()
                ) {
                    progress.note("\(sent) of \(size) bytes")
                    let chunk = try handle.read(upToCount: AttachmentClient.chunkByteCount)
                    sent += UInt64(chunk?.count ?? 0)
                    return chunk.map { [UInt8]($0) } ?? []
                }
                guard !session.output.isJSON else {
                    try session.output.print(json: stored)
                    return
                }
                try session.output.print(stored.attachmentID)
                session.output.note(stored.summary)
            }
        }

        /// Opens the file, and gives its size.
        private func open() throws -> (FileHandle, UInt64) {
            do {
                let handle = try FileHandle(forReadingFrom: URL(fileURLWithPath: file))
                let size = try handle.seekToEnd()
                try handle.seek(toOffset: 0)
                return (handle, size)
            } catch {
                AttachmentsCommand.complain(file, error)
                throw ExitReason.badData.code
            }
        }
    }

    /// Tells what a stored file is.
    struct Show: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Show what a stored file is.")

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

    /// Fetches a stored file.
    struct Get: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Fetch a stored file.",
            discussion: "One that is there already is replaced, once all of the new one is."
        )

        @Argument(help: ArgumentHelp("The file, as 'put' named it.", valueName: "id"))
        var identifier: String

        @Option(
            help: ArgumentHelp(
                "Where to write it; \"-\" is standard output.",
                discussion: "Default: its own name, here.",
                valueName: "file"
            )
        )
        var output: String?

        @OptionGroup(title: "Server")
        var client: ClientOptions

        func run() async throws {
            try await client.run { session in
                // A stream has no time limit: where no server answers, this tells.
                let stored = try await session.attachments.get(identifier)
                let progress = ProgressNotes(session.output)
                var bytes = Data()
                try await session.attachments.download(identifier) { _, chunk in
                    bytes.append(contentsOf: chunk)
                    progress.note("\(bytes.count) of \(stored.sizeBytes) bytes")
                }
                let path = output ?? stored.fileName
                do {
                    if path == "-" {
                        try FileHandle.standardOutput.write(contentsOf: bytes)
                        return
                    }
                    try bytes.write(to: URL(fileURLWithPath: path), options: .atomic)
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

    /// Tells on standard error why a file cannot be read or written.
    fileprivate static func complain(_ path: String, _ error: any Error) {
        let line = Data("belfry: \(path.printable): \(error.localizedDescription)\n".utf8)
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
