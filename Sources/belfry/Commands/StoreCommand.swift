internal import ArgumentParser
internal import Foundation
internal import NotificationCore
internal import NotificationStore

/// What the commands have in common that work on the files of a store, without a server.
enum StoreCommand {
    /// Runs `body`, and ends the program where the store cannot be had.
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
        // Where nobody reads the output, the exit status still tells.
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

/// Tells a person once a second how far something long is, on standard error.
final class ProgressNotes {
    private let output: Output
    private let clock = ContinuousClock()
    private var next: ContinuousClock.Instant

    init(_ output: Output) {
        self.output = output
        next = clock.now + .seconds(1)
    }

    /// Tells `text`, unless something was told within this second.
    func note(_ text: @autoclosure () -> String) {
        guard clock.now >= next else { return }
        next = clock.now + .seconds(1)
        output.note(text())
    }

    /// Tells how far a check is.
    func note(_ progress: StoreCheck.Progress) {
        note("\(progress.table): \(progress.rowCount) of \(progress.totalCount) rows")
    }
}

extension StoreError {
    /// The status that a command ends with.
    var exitCode: ExitCode {
        switch self {
        case .inUse, .directory: ServeExit.cannotStart.code
        case .missing: ExitReason.notFound.code
        case .notAStore, .format: ExitReason.badData.code
        case .exists, .damaged: ExitReason.refused.code
        case .lmdb: isDamage ? ExitReason.refused.code : ServeExit.storeFailed.code
        }
    }
}

extension WallInstant {
    /// The instant as Foundation has it, to the microsecond or so.
    var date: Date {
        Date(timeIntervalSince1970: Double(nanoseconds) / Double(Int64.nanosecondsPerSecond))
    }

    /// The instant in ISO 8601, in UTC to the second.
    var text: String { date.ISO8601Format() }
}
