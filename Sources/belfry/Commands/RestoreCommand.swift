internal import ArgumentParser
internal import Foundation
internal import NotificationStore

/// Makes a data directory from a backup.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make a data directory from a backup, while no server uses the directory.",
        discussion: """
            The backup is checked first, and so are its attachments, which are in a directory of \
            the same name beside the file. Requests that were due since the backup fire late when \
            a server starts, as after any down time. An app that resumes after an event that the \
            backup does not have is refused with EVENT_NUMBER_UNKNOWN.
            """
    )

    @Argument(
        help: ArgumentHelp("The file that 'belfry backup' made.", valueName: "backup"),
        completion: .file()
    )
    var backup: String

    @Option(
        help: ArgumentHelp(
            "The data directory to restore to.",
            discussion: "The directory is made if it is missing.",
            valueName: "directory"
        ),
        completion: .directory
    )
    var data: String = ServePaths.storeDirectory

    @Flag(
        help: ArgumentHelp(
            "Replace the store of the directory.",
            discussion: """
                The old store is kept beside the new store, as data.mdb with the time, and so are \
                its attachments.
                """
        )
    )
    var replace = false

    @Flag(help: "Print one JSON object on each line.")
    var json = false

    func run() throws {
        try StoreCommand.run(isJSON: json) { output in
            let progress = ProgressNotes(output)
            let report = try StoreRestore.restore(
                backup,
                to: data,
                replacing: replace,
                onProblem: { StoreCommand.print($0, to: output) },
                onProgress: { progress.note($0) }
            )
            guard !output.isJSON else {
                var object: [String: Any] = [
                    "data": data, "size_bytes": report.byteCount, "as_of": report.asOf.text,
                ]
                object["replaced"] = report.replacedPath
                try output.print(json: object)
                return
            }
            let date = DateText.current().absolute(report.asOf.date)
            try output.print("Restored \(data): \(report.byteCount) bytes, as of \(date).")
            if let path = report.replacedPath {
                output.note("The store that was there is \(path).")
            }
        }
    }
}
