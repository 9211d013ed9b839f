internal import BelfryLMDB
internal import NotificationCore

/// Takes the damaged rows out of a store that nobody uses, so that it can be served again.
///
/// What is taken away, or is written anew, is kept in a file beside the store, a JSON object on
/// each line: `table` and `key` say where it was, `problem` what was wrong, `key_hex` and
/// `value_hex` are its bytes, and `text` is what a person can read of them. Rows that referred to
/// it are mended where they can be, and else go the same way, until the check finds nothing.
public struct StoreRepair {
    /// What a repair came to.
    public struct Report: Hashable, Sendable {
        /// The rows that were taken away or written anew.
        public var rowCount = 0
        /// The file with what they were; nil where nothing was wrong.
        public var keptPath: String?
    }

    /// Each round mends what the one before laid bare; a damaged row needs three or four.
    private static let roundLimit = 100
    /// The problems of one round; the next one finds the rest.
    private static let problemsPerRound = 10_000

    private let environment: Environment
    private let tables: Tables
    private let kept: FileDescriptor
    private var report = Report()

    /// Repairs the store of a data directory, which no server may hold meanwhile.
    ///
    /// - Parameters:
    ///   - directory: The data directory; it is locked for the length of the repair.
    ///   - onProblem: Told each problem that is mended, on the calling thread.
    /// - Returns: What was taken away, and where it is.
    /// - Throws: As ``StoreCheck``; ``StoreError/damaged(path:problemCount:)`` where that cannot
    ///   help, because the store's own row is damaged or the file is: restore a backup then.
    public static func repair(
        directory: String,
        onProblem: (StoreProblem) -> Void
    ) throws(StoreError) -> Report {
        let path = directory + "/data.mdb"
        guard Files.exists(path) else { throw .missing(path: directory) }
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
            guard problems.allSatisfy({ $0.row != nil && $0.table != "meta" }) else { break }
            do throws(LMDBError) {
                if repair == nil { repair = try StoreRepair(directory) }
                for problem in problems { onProblem(problem) }
                try repair?.mend(problems, sums)
            } catch {
                throw .lmdb(error)
            }
        }
        throw .damaged(path: path, problemCount: problems.count)
    }

    private init(_ directory: String) throws(LMDBError) {
        environment = try Environment(directory: directory)
        tables = try Tables(environment)
        let now = WallInstant(nanoseconds: SystemTime.now().wallNanoseconds)
        let base = Files.unused(directory + "/set-aside-" + now.fileName, suffixes: [".jsonl"])
        kept = try FileDescriptor(making: base + ".jsonl")
        report.keptPath = Files.absolute(base + ".jsonl")
        try Files.sync(directory)
    }

    /// Mends the problems of one round, in one transaction; what rows were is on disk before.
    private mutating func mend(
        _ problems: [StoreProblem],
        _ sums: StoreRules
    ) throws(LMDBError) {
        var lines: [UInt8] = []
        var count = 0
        try environment.write { transaction throws(LMDBError) in
            var mended: Set<SetAside.Row> = []
            for problem in problems {
                guard let name = StoreRules.TableName(rawValue: problem.table),
                    let key = problem.row
                else { continue }
                let mending = Mending(tables: tables, sums: sums)
                for key in try mending.rows(goingWith: key, in: name, transaction) {
                    let row = SetAside.Row(table: name.table(in: tables), key: key)
                    guard mended.insert(row).inserted,
                        let value = try transaction.value(forKey: key, in: row.table)
                    else { continue }
                    lines += Self.line(problem, name, key, value)
                    count += 1
                    try mending.mend(key, value, in: name, transaction)
                }
            }
            try kept.write(lines[...])
            try kept.sync()
        }
        report.rowCount += count
    }

    private static func line(
        _ problem: StoreProblem,
        _ name: StoreRules.TableName,
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

    /// A text in JSON, with a point for each character that does not show.
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
