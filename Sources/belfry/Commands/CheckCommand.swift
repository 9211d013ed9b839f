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
            with: the table, the key and what is wrong. Changes nothing, unless --repair is there. \
            It ends with status 0 where all is well and with 1 where it is not.
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

    @Flag(
        help: ArgumentHelp(
            "Set the damaged rows aside, so that the server can serve all others.",
            discussion: """
                What they were is kept in DATA/set-aside-TIME.jsonl, a JSON object for each row: \
                nothing else remembers it.
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
            directory: data ?? ServePaths.dataDirectory,
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
            directory: data ?? ServePaths.dataDirectory,
            onProblem: onProblem,
            onProgress: { progress.note($0) }
        )
    }
}
