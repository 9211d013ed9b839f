package import NotificationRecords

/// Why a store could not be opened, checked or restored, or why it stopped.
package enum StoreError: Error, Sendable, CustomStringConvertible {
    /// Another process holds the data directory.
    case inUse(directory: String, holder: Int32?)
    /// The directory cannot be made, opened or locked.
    case directory(path: String, problem: String)
    /// The file is of a format that this version does not read; nil is one from before the first
    /// release.
    case format(found: UInt32?, known: UInt32)
    /// There is no file at the path.
    case missing(path: String)
    /// The store's file is empty.
    case emptied(path: String)
    /// The store's file is gone from a directory that shows that there was one.
    case lost(path: String, trace: String)
    /// The file is no store.
    case notAStore(path: String)
    /// The directory holds a store already, and replacing it was not asked for.
    case exists(directory: String)
    /// The check of a backup found problems, so it was not restored.
    case damaged(path: String, problemCount: Int)
    /// A repair cannot mend what the check of a store found.
    case beyondRepair(path: String, problemCount: Int)
    /// LMDB, a row of the file or the disk failed.
    case failed(StoreFailure)

    /// Whether the store's file is damaged: starting again does not help.
    package var isDamage: Bool {
        switch self {
        case .failed(let error): error.isDamage
        case .emptied, .lost, .notAStore: true
        case .inUse, .directory, .format, .missing, .exists, .damaged, .beyondRepair: false
        }
    }

    /// Whether starting again cannot help: the file stays as it is.
    package var isLasting: Bool {
        if case .format = self { return true }
        return isDamage
    }

    package var description: String {
        switch self {
        case .inUse(let directory, let holder):
            let process = holder.map { " (process \($0))" } ?? ""
            return "another belfry server\(process) is using the data directory \(directory)"
        case .directory(let path, let problem):
            return "\(path): \(problem)"
        case .format(nil, _):
            return """
                the store was written before the first release of belfry, and this version does \
                not read it: use the version that wrote it, or move the data directory away and \
                begin anew
                """
        case .format(let found?, let known):
            return """
                the store has format \(found), and this version reads format \(known): \
                use the version of belfry that wrote it
                """
        case .missing(let path):
            return "\(path): there is no store here"
        case .emptied(let path):
            return """
                \(path) is empty: what was in the store is lost; 'belfry restore --replace' puts a \
                backup in its place, and without one remove the data directory to begin anew
                """
        case .lost(let path, DataDirectoryEntry.unfinishedRestore.rawValue):
            return """
                there is no \(path) yet: a restore to this directory did not end: run \
                'belfry restore' again, or remove the data directory to begin anew
                """
        case .lost(let path, DataDirectoryEntry.store.rawValue):
            return """
                \(path) is a link to a file that is not there: mount or put back what it leads to, \
                or 'belfry restore' puts a backup in its place
                """
        case .lost(let path, let trace):
            return """
                \(path) is gone, and \(trace) beside it shows that there was a store: \
                'belfry restore' puts a backup in its place, and without one remove the data \
                directory to begin anew
                """
        case .notAStore(let path):
            return "\(path): this is not a store of belfry"
        case .exists(let directory):
            return "\(directory) holds a store already: it is kept unless you say --replace"
        case .damaged(let path, let problemCount):
            return "\(path) is damaged (problems: \(problemCount)): it was not restored"
        case .beyondRepair(let path, let problemCount):
            return """
                \(path) is damaged (problems: \(problemCount)), and setting rows aside cannot mend \
                it: 'belfry restore --replace' puts a backup in its place
                """
        case .failed(let error):
            guard error.isDamage else { return "the store failed: \(error)" }
            return """
                the store is damaged: \(error); 'belfry check' tells more, 'belfry check --repair' \
                sets rows aside, and 'belfry restore' puts a backup in its place
                """
        }
    }
}
