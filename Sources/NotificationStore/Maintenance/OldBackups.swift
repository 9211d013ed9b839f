internal import BelfryLMDB

/// The existing backups: the newest are kept, the others are removed.
enum OldBackups {
    /// Removes the oldest backups of a directory, their attachments too.
    ///
    /// Only a file with a backup's name counts: a backup that was renamed stays.
    static func remove(in directory: String, keeping count: Int) throws(LMDBError) {
        var backups: [(date: Int64, path: String)] = []
        for name in try Files.names(in: directory) where isBackup(name) {
            let path = directory + "/" + name
            backups.append((try Files.changeDate(of: path), path))
        }
        // Sort by the files' dates, from the machine's clock: the clock in the names may have been
        // set back.
        backups.sort { ($0.date, $0.path) > ($1.date, $1.path) }
        for backup in backups.dropFirst(count) {
            // Remove the attachments first: a backup that a crash leaves half removed then visibly
            // lacks its files.
            try Files.removeDirectory(AttachmentFiles.directory(beside: backup.path))
            try Files.remove(backup.path)
        }
    }

    /// Whether a name is an instant such as 20260101T000000Z, perhaps with a number, and then
    /// `.mdb`.
    private static func isBackup(_ name: String) -> Bool {
        guard let base = Files.name(name, without: ".mdb") else { return false }
        let parts = base.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard parts.count <= 2,
            parts.dropFirst().allSatisfy({ !$0.isEmpty && $0.allSatisfy(digits.contains) })
        else { return false }
        let form = parts[0].map { digits.contains($0) ? digits.lowerBound : $0 }
        return form.elementsEqual("00000000T000000Z".utf8)
    }
}
