internal import ArgumentParser
internal import Foundation
internal import NotificationCore
internal import NotificationStore

/// The common part of the commands that work on the files of a store, without a server.
enum StoreCommand {
    /// Runs `body`, and ends the program when the store cannot be opened.
    static func run(isJSON: Bool, _ body: (Output) throws -> Void) throws {
        let output = Output(isJSON: isJSON, environment: ProcessInfo.processInfo.environment)
        DamagedFile.endInOrder()
        do {
            try body(output)
        } catch let error as StoreError {
            output.complain(error.description)
            throw error.exitCode
        }
    }

    /// Prints a problem on a line of its own.
    static func print(_ problem: StoreProblem, to output: Output) {
        // Ignore a closed output: the exit status still reports the problem.
        if output.isJSON {
            try? output.print(
                json: [
                    "table": problem.table, "key": problem.key, "problem": problem.explanation,
                ]
            )
        } else {
            try? output.print(problem.description.printable)
        }
    }
}

/// Prints the progress of a long operation on standard error, at most once a second.
final class ProgressNotes {
    private let output: Output
    private let clock = ContinuousClock()
    private var next: ContinuousClock.Instant

    init(_ output: Output) {
        self.output = output
        next = clock.now + .seconds(1)
    }

    /// Prints `text`, unless a note was printed within the last second.
    func note(_ text: @autoclosure () -> String) {
        guard clock.now >= next else { return }
        next = clock.now + .seconds(1)
        output.note(text())
    }

    func note(_ progress: StoreCheck.Progress) {
        note("\(progress.table): \(progress.rowCount) of \(progress.totalCount) rows")
    }
}

extension StoreError {
    var exitCode: ExitCode {
        switch self {
        case .inUse, .directory: ExitReason.cannotOpen.code
        case .missing: ExitReason.notFound.code
        case .notAStore, .emptied, .lost, .format: ExitReason.badData.code
        case .exists, .damaged, .beyondRepair: ExitReason.refused.code
        case .failed: isDamage ? ExitReason.refused.code : ExitReason.failed.code
        }
    }
}

extension WallInstant {
    /// The instant as a Foundation date, precise to about a microsecond.
    var date: Date {
        Date(timeIntervalSince1970: Double(nanoseconds) / Double(Int64.nanosecondsPerSecond))
    }

    /// The instant in ISO 8601, in UTC to the second.
    var text: String { date.ISO8601Format() }
}
