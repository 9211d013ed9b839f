internal import BelfryLMDB
internal import Glibc

/// The names of all that the program makes in a data directory.
///
/// Tokens are not listed: they can be made before the store is.
enum DataDirectoryEntry: String, CaseIterable {
    case store = "data.mdb"
    /// The directory of the log, which has what is not in the store's file yet.
    case log
    /// LMDB's table of readers.
    case readers = "lock.mdb"
    /// The file by which a server holds the directory.
    case lock
    /// The directory in which a first start makes the store.
    case firstStart = "new"
    case attachments
    case backups
    /// The note of a server that a signal ended.
    case crashNote = "crashed"
    /// The file that shows whether the disk takes more; removed at once.
    case roomTrial = "trial"
    /// The copy of a backup that becomes the store.
    case unfinishedRestore = "data.mdb.unfinished"
    /// A store that a restore replaced, and the directory of its attachments.
    case replaced = "data.mdb."
    /// Rows that a repair set aside.
    case setAside = "set-aside-"

    /// The entry of a name; nil for what the program does not make.
    init?(name: String) {
        let found = Self.allCases.first { entry in
            let bytes = entry.rawValue.utf8
            return entry.goesOn
                ? name.utf8.starts(with: bytes) : name.utf8.elementsEqual(bytes)
        }
        guard let found else { return nil }
        self = found
    }

    /// Whether a date follows the name.
    var goesOn: Bool { self == .replaced || self == .setAside }

    /// Whether a first start that was killed can leave it, so that it does not show that there was
    /// a store.
    var comesBeforeStore: Bool { self == .lock || self == .firstStart }

    func path(in directory: String) -> String { "\(directory)/\(rawValue)" }

    /// The path beside the store of a data directory, or of a copy of one; nil where a file has
    /// another name than that store's.
    func path(besideStore file: String) -> String? {
        guard let name = Files.name(file, without: Self.store.rawValue),
            name.utf8.last.map({ $0 == UInt8(ascii: "/") }) ?? true
        else { return nil }
        return name + rawValue
    }

    /// Finds an entry that shows that a directory had a store; nil where none does.
    static func trace(in directory: String) throws(LMDBError) -> String? {
        let names: [String]
        do throws(LMDBError) {
            names = try Files.names(in: directory)
        } catch {
            guard error.code == ENOTDIR else { throw error }
            return nil
        }
        // The least name, so that a start and a check say the same.
        return names.filter { name in
            DataDirectoryEntry(name: name).map { !$0.comesBeforeStore } ?? false
        }.min()
    }
}
