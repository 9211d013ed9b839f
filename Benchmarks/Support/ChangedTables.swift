internal import BelfryLMDB
internal import Foundation
internal import NotificationCore
internal import NotificationLog
internal import NotificationRecords

/// A file with a store's tables, of which all changes are in the log and none is in its tree.
package final class ChangedTables {
    /// How many changes one transaction makes, as many as a large batch.
    private static let batchCount = 4_096

    private let directory: URL
    private var environment: Environment?
    private var tables: Tables

    /// Makes the file and the changes: one row of the identifiers and one of the due requests for
    /// each request.
    ///
    /// - Parameter changeCount: How many changes there are, an even number.
    /// - Throws: Why the file could not be written.
    package init(changeCount: Int) throws {
        directory = URL.temporaryDirectory.appending(path: "belfry-benchmark-\(UUID())")
        let environment = try Environment(directory: directory.path, options: .measured)
        self.environment = environment
        tables = try Self.tables(environment, directory)
        var generator = SplitMix64()
        let requestCount = changeCount / 2
        for start in stride(from: 0, to: requestCount, by: Self.batchCount / 2) {
            let numbers = start..<min(start + Self.batchCount / 2, requestCount)
            try tables.batch(in: environment, at: Self.now) { transaction throws(StoreFailure) in
                for number in numbers {
                    try add(RequestNumber(rawValue: UInt64(number + 1)), &generator, transaction)
                }
            }
        }
    }

    /// More than any of the files has: no merge begins by itself.
    private static var limits: ChangeLimits {
        var limits = ChangeLimits()
        limits.changesPerMerge = 1 << 40
        limits.bytesPerMerge = 1 << 40
        limits.log.segmentByteCount = 512 << 20
        return limits
    }

    private static let now = Now(
        elapsed: ElapsedInstant(nanoseconds: 0),
        wall: WallInstant(nanoseconds: 0)
    )

    private static func tables(_ environment: Environment, _ directory: URL) throws -> Tables {
        let log = directory.appending(path: "log").path
        try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: true)
        return try Tables(environment, log: SystemDisk(directory: log), changes: limits)
    }

    private func add(
        _ number: RequestNumber,
        _ generator: inout SplitMix64,
        _ transaction: borrowing ChangeTransaction
    ) throws(StoreFailure) {
        let due = ElapsedInstant(nanoseconds: .random(in: 1...1 << 50, using: &generator))
        let request = NotificationRequest.reminder(inSeconds: 1, using: &generator)
        try transaction.put(
            IdentifierRecord(pending: .init(sequence: number, due: .elapsed(due))),
            at: IdentifierKey(request.identifier, of: 7),
            in: tables.identifiers
        )
        try transaction.put(DueRow(), at: DueKey(due, number), in: tables.dueElapsed)
    }

    /// Opens the file again as it is, which reads the changes from the log.
    package func replay() throws {
        environment = nil
        let environment = try Environment(directory: directory.path, options: .measured)
        tables = try Self.tables(environment, directory)
        self.environment = environment
    }

    /// Writes all changes into the trees.
    package func merge() throws {
        guard let environment else { preconditionFailure("the file is not open") }
        try tables.mergeChanges(environment)
    }

    /// Closes the file and deletes it.
    package func close() throws {
        environment = nil
        try FileManager.default.removeItem(at: directory)
    }
}
