internal import ArgumentParser
internal import Foundation
internal import NotificationStore

/// Checks a store that no server uses.
struct CheckCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Check the store of a server that does not run, or a backup.",
        discussion: """
            Reads every row, and prints each row that does not decode or that contradicts another \
            row: the table, the key and the problem. It changes nothing without --repair. It ends \
            with status 0 when the store is clean, and with 1 otherwise.
            """
    )

    @Option(
        help: ArgumentHelp(
            "The data directory to check.",
            discussion: "Default: your own server's.",
            valueName: "directory"
        ),
        completion: .directory
    )
    var data: String?

    @Option(
        help: ArgumentHelp("Check this backup instead.", valueName: "backup"),
        completion: .file()
    )
    var file: String?

    @Flag(
        help: ArgumentHelp(
            "Set the damaged rows aside, so that the server can serve all other rows.",
            discussion: """
                The rows are kept in DATA/set-aside-TIME.jsonl, as a JSON object for each row. No \
                other file has them.
                """
        )
    )
    var repair = false

    @Flag(help: "Print one JSON object on each line.")
    var json = false

    func validate() throws {
        guard data == nil || file == nil else {
            throw ValidationError("Use either --data or --file.")
        }
        guard file == nil || !repair else {
            throw ValidationError("--repair is for a data directory: a backup stays as it is.")
        }
    }

    func run() throws {
        try StoreCommand.run(isJSON: json) { output in
            if repair { try setAside(output) }
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

    private func setAside(_ output: Output) throws {
        let report = try StoreRepair.repair(
            directory: data ?? ServePaths.storeDirectory,
            onProblem: { problem in StoreCommand.print(problem, to: output) }
        )
        guard let path = report.keptPath else { return }
        if output.isJSON {
            try output.print(json: ["set_aside": report.rowCount, "kept_in": path])
        } else {
            try output.print("Set aside: \(report.rowCount) rows, kept in \(path.printable).")
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
            directory: data ?? ServePaths.storeDirectory,
            onProblem: onProblem,
            onProgress: { progress.note($0) }
        )
    }
}
