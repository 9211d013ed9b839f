internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

/// Upgrades a store of an older format to this version's format (ST-5).
///
/// The rows are copied in slices to a new file, with each record written in this version's form;
/// the new file is checked, then takes the old file's name in one step. Until then the old file is
/// the store, so a crash at any point loses nothing: the next start begins again. The old file
/// stays under another name until the first good stop.
///
/// To change a persisted record: give it a new version byte, write only the new version, read the
/// older ones too, raise ``StoreState/format``, keep a file of the old format in the tests, and say
/// so in CHANGELOG.md.
enum StoreUpgrade {
    /// The oldest format that can be read.
    static let oldestFormat: UInt32 = 1
    private static let rowsPerSlice = 1_000

    /// Upgrades the store in a directory that this process has locked, if its format is older.
    ///
    /// - Throws: ``StoreError/format(found:known:)`` for a newer format, ``StoreError/damaged``
    ///   where the check of the copy finds problems, or what LMDB reports.
    static func run(in directory: String, _ options: Environment.Options) throws(StoreError) {
        let store = directory + "/data.mdb"
        guard Files.exists(store) else { return }
        do throws(StoreFailure) {
            let old = try StoreFailure.ofLMDB { () throws(LMDBError) in
                try Environment(readingFile: store)
            }
            let found = try StoreState.format(in: old)
            guard let found,
                (oldestFormat..<StoreState.oldestServedFormat).contains(found)
            else { return }
            try StoreFailure.ofFile { () throws(FileError) in
                try Files.makeDirectory(part(of: directory))
                try removePart(of: directory)
            }
            try copy(old, to: part(of: directory), options)
        } catch {
            throw .failed(error)
        }
        let path = part(of: directory) + "/data.mdb"
        let report = try StoreCheck.check(
            file: path,
            attachments: AttachmentFiles.directory(ofData: directory),
            onProblem: { _ in }
        )
        guard report.problemCount == 0 else {
            throw .damaged(path: store, problemCount: report.problemCount)
        }
        do throws(FileError) {
            let kept = keptPath(in: directory)
            try Files.remove(kept)
            try Files.link(store, to: kept)
            try Files.rename(path, to: store)
            try Files.sync(directory)
            try removePart(of: directory)
        } catch {
            throw .failed(.file(error))
        }
    }

    /// Removes the old file, after the first good stop with the new file.
    static func finish(in directory: String) {
        let kept = keptPath(in: directory)
        if Files.exists(kept) { try? Files.remove(kept) }
    }

    private static func part(of directory: String) -> String { directory + "/upgrade" }

    private static func keptPath(in directory: String) -> String {
        directory + "/data.mdb.before-format-\(StoreState.format)"
    }

    private static func removePart(of directory: String) throws(FileError) {
        for name in ["data.mdb", "lock.mdb"] {
            try Files.remove(part(of: directory) + "/" + name)
        }
    }

    // MARK: Copying

    private static func copy(
        _ old: Environment,
        to directory: String,
        _ options: Environment.Options
    ) throws(StoreFailure) {
        let new = try StoreFailure.ofLMDB { () throws(LMDBError) in
            try Environment(directory: directory, options: options)
        }
        let tables = try Tables(new)
        for name in TableName.allCases {
            let source = try StoreFailure.ofLMDB { () throws(LMDBError) in
                try old.existingTable(name.rawValue)
            }
            guard let source else { continue }
            var position: [UInt8]?
            repeat {
                let rows = try rows(of: source, in: old, after: position)
                try new.writing { transaction throws(StoreFailure) in
                    for row in rows {
                        let value = try StoreFailure.ofRow { () throws(RowProblem) in
                            try upgraded(row.value, key: row.key, in: name)
                        }
                        // Into the tree: the older formats have no log of changes.
                        let tree = StoreTable(tree: tables[name].tree)
                        try transaction.append(bytes: value, at: row.key, in: tree)
                    }
                }
                position = rows.last?.key
            } while position != nil
        }
    }

    private static func rows(
        of table: Table,
        in environment: Environment,
        after position: [UInt8]?
    ) throws(StoreFailure) -> [(key: [UInt8], value: [UInt8])] {
        try environment.reading { transaction throws(StoreFailure) in
            var rows: [(key: [UInt8], value: [UInt8])] = []
            let tree = StoreTable(tree: table)
            try transaction.scan(bytesOf: tree, from: position.map(keyBehind)) { key, value in
                rows.append((key, value))
                return rows.count < rowsPerSlice
            }
            return rows
        }
    }

    /// A row's value in this version's form.
    private static func upgraded(
        _ value: [UInt8],
        key: [UInt8],
        in table: TableName
    ) throws(RowProblem) -> [UInt8] {
        switch table {
        case .meta where key == MetaKey.format.bytes: FormatRow(version: StoreState.format).bytes
        case .meta where key == MetaKey.state.bytes: try StoreState(value).bytes
        case .centers: try CenterRecord(value).bytes
        case .identifiers: try IdentifierRecord(value).bytes
        case .events: try EventRecord(value).bytes
        // The other rows already have this format's versions.
        default: value
        }
    }
}
