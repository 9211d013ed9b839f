internal import ArgumentParser
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Has a server back its store up.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the server's store to a file, while it serves.",
        discussion: """
            The file is made in the directory 'backups' of the server's data directory, and holds \
            all that was answered before; its attachments are in a directory of its name beside \
            it, and belong to it. 'belfry restore' makes a data directory of it. The \
            newest ten stay, or as many as 'belfry serve --keep-backups' says: move away those \
            that are to stay longer.
            """
    )

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            // A stream has no time limit: where no server answers, this tells.
            _ = try await session.server.health()
            let progress = ProgressNotes(session.output)
            let backup = try await session.admin.backup { part in
                progress.note("\(part.copiedBytes) of about \(part.totalBytes) bytes")
            }
            guard !session.output.isJSON else {
                try session.output.print(json: backup)
                return
            }
            let date = DateText.current().absolute(backup.asOf.date)
            try session.output.print(
                "Backed up to \(backup.path): \(backup.sizeBytes) bytes, as of \(date)."
            )
            if !backup.attachmentsPath.isEmpty {
                try session.output.print(
                    "Its attachments (\(backup.attachmentCount)) are in \(backup.attachmentsPath): "
                        + "\(backup.attachmentsSizeBytes) bytes."
                )
            }
        }
    }
}
