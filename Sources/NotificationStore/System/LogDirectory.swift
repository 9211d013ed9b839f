internal import BelfryLMDB
internal import NotificationRecords

/// The directory of the log of a store's file: `log` beside `data.mdb`, and beside another file a
/// name that goes on from it.
enum LogDirectory {
    static func path(beside file: String) -> String {
        DataDirectoryEntry.log.path(besideStore: file) ?? file + ".log"
    }

    /// The log's directory, which is made with the log.
    static func of(_ file: String) -> any Disk { SystemDisk(directory: path(beside: file)) }

    /// The log's directory for reading; nil where there is none.
    static func existing(beside file: String) -> (any Disk)? {
        let path = path(beside: file)
        return Files.exists(path) ? SystemDisk(directory: path, isReadOnly: true) : nil
    }
}
