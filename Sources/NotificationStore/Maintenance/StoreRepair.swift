internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

/// Removes the damaged rows from a store that is not in use, so that it can be served again.
///
/// Each row that is removed or written again is kept in a file beside the store, with a JSON object
/// on each line: `table` and `key` say where the row was, `problem` what was wrong, `key_hex` and
/// `value_hex` are the row's bytes, and `text` is their readable part. Rows that referred to the
/// row are mended where that is possible, and otherwise removed in the same way, until the check
/// finds no problem.
package struct StoreRepair {
    package struct Report: Hashable, Sendable {
        /// How many rows were removed or written again.
        package var rowCount = 0
        /// The path of the file with the old rows; nil where there was no problem.
        package var keptPath: String?
    }

    /// The most rounds: each round mends the problems that the round before revealed; a damaged row
    /// needs three or four rounds.
    private static let roundLimit = 100
    /// The most problems of one round; the next round finds the rest.
    private static let problemsPerRound = 10_000

    private let environment: Environment
    private let tables: Tables
    private let kept: FileDescriptor
    private var report = Report()

    /// Repairs the store of a data directory, which no server may hold during the repair.
    ///
    /// - Parameters:
    ///   - directory: The data directory; it is locked for the length of the repair.
    ///   - onProblem: Told each problem that is mended, on the calling thread.
    /// - Returns: How many rows were removed or written again, and where the old rows are.
    /// - Throws: As ``StoreCheck``; ``StoreError/beyondRepair(path:problemCount:)`` where a repair
    ///   cannot help, because the store-wide row or the file is damaged: restore a backup then.
    package static func repair(
        directory: String,
        onProblem: (StoreProblem) -> Void
    ) throws(StoreError) -> Report {
        let path = StoreContext.path(in: directory)
        guard try StoreCreation.requireStore(in: directory) else {
            throw .missing(path: directory)
        }
        let lock = try DataDirectoryLock(directory: directory)
        defer { withExtendedLifetime(lock) {} }
        var repair: StoreRepair?
        var problems: [StoreProblem] = []
        for _ in 0..<roundLimit {
            problems = []
            let sums = try StoreCheck.run(
                file: path,
                attachments: AttachmentFiles.directory(ofData: directory),
                onProblem: { if problems.count < problemsPerRound { problems.append($0) } }
            ).rules
            if problems.isEmpty { return repair?.report ?? Report() }
            let rows = problems.filter { $0.table != StoreProblem.log }
            guard rows.allSatisfy({ $0.row != nil && $0.table != "meta" }) else { break }
            do throws(StoreFailure) {
                if repair == nil { repair = try StoreRepair(directory) }
                for problem in problems { onProblem(problem) }
                // The trees have more rows now where the log was damaged.
                if rows.count == problems.count { try repair?.mend(rows, sums) }
            } catch {
                throw .failed(error)
            }
        }
        throw .beyondRepair(path: path, problemCount: problems.count)
    }

    private init(_ directory: String) throws(StoreFailure) {
        environment = try StoreFailure.ofLMDB(try Environment(directory: directory))
        let log = LogDirectory.existing(beside: StoreContext.path(in: directory))
        var found: Tables?
        var isLogDamaged = false
        do throws(StoreFailure) {
            found = try Tables(environment, log: log, for: .reading)
        } catch {
            guard error.logDamage != nil else { throw error }
            isLogDamaged = true
            // Take what is before the damage, where the log can be read at all.
            found = try? Tables(environment, log: log, for: .repair)
        }
        if let found {
            tables = found
        } else {
            tables = try Tables(environment, log: nil, for: .nothing)
        }
        // Mend the trees themselves: the next start makes a new log.
        try tables.detachLog(environment)
        let now = WallInstant(nanoseconds: SystemTime.now().wallNanoseconds)
        let base = Files.unused(
            DataDirectoryEntry.setAside.path(in: directory) + now.fileName,
            suffixes: [".jsonl", ".log"]
        )
        if isLogDamaged, log != nil {
            try StoreFailure.ofLMDB { () throws(LMDBError) in
                try Files.rename(
                    LogDirectory.path(beside: StoreContext.path(in: directory)),
                    to: base + ".log"
                )
            }
        }
        kept = try StoreFailure.ofLMDB { () throws(LMDBError) in
            let kept = try FileDescriptor(making: base + ".jsonl")
            try Files.sync(directory)
            return kept
        }
        report.keptPath = Files.absolute(base + ".jsonl")
    }

    /// Mends the problems of one round, in one transaction; the old rows are on disk before it.
    private mutating func mend(
        _ problems: [StoreProblem],
        _ sums: StoreRules
    ) throws(StoreFailure) {
        var lines: [UInt8] = []
        var count = 0
        let mending = try Mending(environment, tables, sums)
        var mended: Set<SetAside.Row> = []
        for problem in problems {
            guard let name = TableName(rawValue: problem.table), let key = problem.row else {
                continue
            }
            for row in try mending.rows(goingWith: key, in: name) {
                guard mended.insert(row).inserted,
                    let value = try mending.transaction.value(at: row.key, in: tables[row.table])
                else { continue }
                lines += Self.line(problem, row.table, row.key, value)
                count += 1
                try mending.mend(row.key, value, in: row.table)
            }
        }
        var state = try mending.transaction.state(tables)
        state.totals = try StoreTotals(counting: tables, in: mending.transaction)
        state.released = try ReleasedRecords(counting: tables, in: mending.transaction)
        try mending.transaction.put(state, at: .state, in: tables.state)
        try StoreFailure.ofLMDB { () throws(LMDBError) in
            try kept.write(lines[...])
            try kept.sync()
        }
        try mending.commit()
        report.rowCount += count
    }

    private static func line(
        _ problem: StoreProblem,
        _ name: TableName,
        _ key: [UInt8],
        _ value: [UInt8]
    ) -> [UInt8] {
        let fields = [
            ("table", name.rawValue), ("key", KeyText.describe(key, in: name)),
            ("problem", problem.explanation), ("key_hex", key.hexadecimal),
            ("value_hex", value.hexadecimal), ("text", String(decoding: value, as: UTF8.self)),
        ].map { "\(quoted($0)): \(quoted($1))" }
        return Array("{\(fields.joined(separator: ", "))}\n".utf8)
    }

    /// A text in JSON, with a point in place of each invisible character.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\": quoted += "\\\(scalar)"
            case "\u{FFFD}": quoted += "·"
            case _ where FileName.isHidden(scalar): quoted += "·"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
