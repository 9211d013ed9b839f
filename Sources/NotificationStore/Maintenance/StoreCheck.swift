internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

/// Reads every row of a store that is not in use, and reports rows that do not decode and tables
/// that disagree.
///
/// The check changes nothing. It reads at most 256 rows in a transaction and keeps little in
/// memory, so that it can check a store of any size.
package struct StoreCheck {
    package struct Report: Hashable, Sendable {
        package var rowCount = 0
        /// Problems that were found.
        package var problemCount = 0
        /// The wall clock at the store's newest change.
        package var asOf: WallInstant
    }

    package struct Progress: Hashable, Sendable {
        /// The table whose rows are being read.
        package var table: String
        /// How many rows of the table were read.
        package var rowCount: Int
        /// How many rows the table has.
        package var totalCount: Int
    }

    /// Rows of one transaction.
    private static let rowsPerRead = 256

    private let environment: Environment
    private(set) var rules: StoreRules
    private var report: Report
    private let onProblem: (StoreProblem) -> Void
    private let onProgress: (Progress) -> Void

    /// Checks the store of a data directory, which no server may hold during the check.
    ///
    /// - Parameters:
    ///   - directory: The data directory; it is locked for the length of the check.
    ///   - onProblem: Told each problem as it is found, on the calling thread.
    ///   - onProgress: Told the progress every few hundred rows, on the calling thread.
    /// - Returns: The result.
    /// - Throws: Why there was nothing to check: ``StoreError/missing(path:)``,
    ///   ``StoreError/inUse(directory:holder:)``, or as ``check(file:onProblem:onProgress:)``.
    package static func check(
        directory: String,
        onProblem: @escaping (StoreProblem) -> Void,
        onProgress: @escaping (Progress) -> Void = { _ in }
    ) throws(StoreError) -> Report {
        let path = StoreContext.path(in: directory)
        guard try StoreCreation.requireStore(in: directory) else {
            throw .missing(path: directory)
        }
        let lock = try DataDirectoryLock(directory: directory)
        defer { withExtendedLifetime(lock) {} }
        return try check(
            file: path,
            attachments: AttachmentFiles.directory(ofData: directory),
            onProblem: onProblem,
            onProgress: onProgress
        )
    }

    /// Checks a file, such as a backup, which no process may write during the check.
    ///
    /// A file that was cut short may end the process with `SIGBUS`: reading a missing page is no
    /// error that can be caught.
    ///
    /// `attachments` is the directory of the attachments' files; nil means beside the file, as for
    /// a backup. `onProblem` is told each problem as it is found, on the calling thread.
    /// `onProgress` is told the progress every few hundred rows, on the calling thread.
    ///
    /// - Throws: Why there was nothing to check: ``StoreError/missing(path:)``,
    ///   ``StoreError/notAStore(path:)``, ``StoreError/format(found:known:)`` or
    ///   ``StoreError/failed(_:)``.
    package static func check(
        file path: String,
        attachments: String? = nil,
        onProblem: @escaping (StoreProblem) -> Void,
        onProgress: @escaping (Progress) -> Void = { _ in }
    ) throws(StoreError) -> Report {
        try run(
            file: path,
            attachments: attachments,
            onProblem: onProblem,
            onProgress: onProgress
        ).report
    }

    /// Checks a file; returns the report and the counts.
    static func run(
        file path: String,
        attachments: String?,
        onProblem: @escaping (StoreProblem) -> Void,
        onProgress: @escaping (Progress) -> Void = { _ in }
    ) throws(StoreError) -> StoreCheck {
        guard try StoreCreation.isThere(path) else { throw .missing(path: path) }
        try StoreCreation.requireFile(path)
        do {
            let files = attachments ?? AttachmentFiles.directory(beside: path)
            var check = try StoreCheck(path, files, onProblem, onProgress)
            for name in TableName.allCases { check.walk(name) }
            check.readEnds()
            return check
        } catch let error as StoreError {
            throw error
        } catch let error as LMDBError {
            let isOther =
                [LMDBError.invalid, LMDBError.versionMismatch, LMDBError.incompatible]
                .contains(error.code)
            throw isOther ? .notAStore(path: path) : .failed(.lmdb(error))
        } catch let error as StoreFailure {
            throw .failed(error)
        } catch {
            preconditionFailure("an unknown error came from a check: \(error)")
        }
    }

    private init(
        _ path: String,
        _ files: String,
        _ onProblem: @escaping (StoreProblem) -> Void,
        _ onProgress: @escaping (Progress) -> Void
    ) throws {
        environment = try Environment(readingFile: path)
        var problem: StoreProblem?
        guard try StoreState.requireKnownFormat(in: environment) else {
            throw StoreError.notAStore(path: path)
        }
        try environment.requireTables(TableName.allCases.map(\.rawValue))
        let tables: Tables
        do throws(StoreFailure) {
            let log = LogDirectory.existing(beside: path)
            tables = try Tables(environment, log: log, for: .reading)
        } catch {
            guard let damage = error.logDamage else { throw error }
            tables = try Tables(environment, log: nil, for: .nothing)
            problem = StoreProblem(
                table: StoreProblem.log,
                key: "of the changes",
                explanation: damage
            )
        }
        let state = try environment.reading { transaction throws(StoreFailure) in
            try transaction.state(tables)
        }
        rules = StoreRules(tables: tables, state: state, files: files)
        report = Report(asOf: state.now.wall)
        self.onProblem = onProblem
        self.onProgress = onProgress
        if let problem { note(problem) }
    }

    /// Checks all rows of a table by the rules.
    private mutating func walk(_ name: TableName) {
        let table = rules.tables[name]
        var position: [UInt8]?
        var progress = Progress(table: name.rawValue, rowCount: 0, totalCount: 0)
        do throws(StoreFailure) {
            progress.totalCount = try environment.reading { transaction throws(StoreFailure) in
                try transaction.estimatedRowCount(of: table)
            }
            var isMore = true
            while isMore {
                isMore = try walkSlice(name, table, after: &position, &progress)
                onProgress(progress)
            }
        } catch {
            // Go on with the other tables: the file itself is damaged here.
            let place = position.map { "after " + KeyText.describe($0, in: name) } ?? "first row"
            note(StoreProblem(table: name.rawValue, key: place, explanation: "\(error)"))
        }
    }

    /// Looks at the pages as a start does, which refuses damaged ones.
    private mutating func readEnds() {
        do throws(LMDBError) {
            try rules.tables.readEnds(environment)
        } catch {
            note(StoreProblem(table: "pages", key: "of all tables", explanation: "\(error)"))
        }
    }

    /// Reads the next rows of a table; false at its end.
    private mutating func walkSlice(
        _ name: TableName,
        _ table: StoreTable,
        after position: inout [UInt8]?,
        _ progress: inout Progress
    ) throws(StoreFailure) -> Bool {
        var key = position
        var count = 0
        defer {
            position = key
            progress.rowCount += count
            report.rowCount += count
        }
        let reading = try CheckReading(environment)
        rules.reading = reading
        defer { rules.reading = nil }
        try reading.transaction.scan(bytesOf: table, from: position.map(keyBehind)) {
            row,
            value throws(StoreFailure) in
            key = row
            count += 1
            for problem in try rules.problems(in: name, row, value) {
                let text = KeyText.describe(row, in: name)
                note(StoreProblem(table: name.rawValue, key: text, explanation: problem, row: row))
            }
            return count < Self.rowsPerRead
        }
        return count == Self.rowsPerRead
    }

    private mutating func note(_ problem: StoreProblem) {
        report.problemCount += 1
        onProblem(problem)
    }
}
