internal import ArgumentParser
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf

/// Tells a server to back up its store.
struct BackupCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the server's store to a file, while it serves.",
        discussion: """
            The backup is a file in the directory 'backups' of the server's data directory. It \
            holds every change that was answered before. Its attachments are in a directory of \
            the same name beside the file, and belong to the backup. 'belfry restore' makes a data \
            directory from a backup. The newest ten backups are kept, or as many as 'belfry serve \
            --keep-backups' says: move a backup elsewhere to keep it longer.
            """
    )

    @OptionGroup(title: "Server")
    var client: ClientOptions

    func run() async throws {
        try await client.run { session in
            // Find out whether a server answers: the backup has no time limit.
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
