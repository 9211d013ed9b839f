internal import ArgumentParser
internal import Foundation
internal import NotificationStore

/// Makes a data directory of a backup.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Make a data directory of a backup, where no server runs.",
        discussion: """
            The backup is checked first, and so are its attachments, in the directory of its name \
            beside it. What was due since it was made fires late when a server \
            starts, as after any time that it was down. Apps that knew later events than the \
            backup has are told EVENT_NUMBER_UNKNOWN.
            """
    )

    @Argument(help: ArgumentHelp("The file that 'belfry backup' made.", valueName: "backup"))
    var backup: String

    @Option(
        help: ArgumentHelp(
            "The data directory to restore to.",
            discussion: "Made where it is missing.",
            valueName: "directory"
        )
    )
    var data: String = ServePaths.dataDirectory

    @Flag(
        help: ArgumentHelp(
            "Replace the store that is there.",
            discussion: """
                It is kept beside the new one, as data.mdb with the time, and its attachments \
                beside that.
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
