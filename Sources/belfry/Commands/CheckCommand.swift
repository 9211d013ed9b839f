internal import ArgumentParser
internal import Foundation
internal import NotificationStore

/// Checks a store that nobody uses.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the store of a server that does not run, or a backup.",
        discussion: """
            Reads every row, and tells each that does not decode or that another one disagrees \
            with: the table, the key and what is wrong. Changes nothing. It ends with status 0 \
            where all is well and with 1 where it is not.
            """
    )

    @Option(
        help: ArgumentHelp(
            "The data directory to check.",
            discussion: "Default: your own server's.",
            valueName: "directory"
        )
    )
    var data: String?

    @Option(help: ArgumentHelp("Check this backup instead.", valueName: "backup"))
    var file: String?

    @Flag(help: "Print one JSON object on each line.")
    var json = false

    func validate() throws {
        guard data == nil || file == nil else {
            throw ValidationError("Use either --data or --file.")
        }
    }

    func run() throws {
        try StoreCommand.run(isJSON: json) { output in
            let report = try check(output)
            if output.isJSON {
                try output.print(
                    json: [
                        "rows": report.rowCount, "problems": report.problemCount,
                        "as_of": report.asOf.text,
                    ]
                )
            } else if report.problemCount == 0 {
                let date = DateText.current().absolute(report.asOf.date)
                try output.print("Clean: \(report.rowCount) rows, as of \(date).")
            } else {
                output.note("Problems: \(report.problemCount), in \(report.rowCount) rows.")
            }
            if report.problemCount > 0 { throw ExitReason.refused.code }
        }
    }

    private func check(_ output: Output) throws -> StoreCheck.Report {
        let progress = ProgressNotes(output)
        let onProblem = { problem in StoreCommand.print(problem, to: output) }
        if let file {
            return try StoreCheck.check(
                file: file,
                onProblem: onProblem,
                onProgress: { progress.note($0) }
            )
        }
        return try StoreCheck.check(
            directory: data ?? ServePaths.dataDirectory,
            onProblem: onProblem,
            onProgress: { progress.note($0) }
        )
    }
}
