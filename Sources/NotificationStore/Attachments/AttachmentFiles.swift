internal import BelfryLMDB
internal import BelfryLocking
internal import NotificationCore
internal import NotificationRecords

/// The files of attachments, in a directory of their own, and the threads that write, read and
/// remove them: neither the writer thread nor gRPC's threads do (ST-3).
///
/// A row names a file only when the file and its name are on disk, and a file is removed only when
/// the commit that deleted its row is on disk. So a crash leaves at worst files without rows, which
/// the next start removes.
final class AttachmentFiles: Sendable {
    private struct State {
        /// How many holds there are: readers that use file names from an older state of the store.
        var holds = 0
        /// The files to remove when the last hold ends.
        var held: [AttachmentFile] = []
    }

    /// The directory; made for the first file.
    let directory: String
    private let threads = ReaderPool(threadCount: 2)
    private let state = Guarded(State())

    init(dataDirectory: String) {
        directory = Self.directory(ofData: dataDirectory)
    }

    static func directory(ofData directory: String) -> String {
        DataDirectoryEntry.attachments.path(in: directory)
    }

    /// The directory of the files of a store file elsewhere, such as a backup: beside that file.
    static func directory(beside path: String) -> String {
        DataDirectoryEntry.attachments.path(besideStore: path)
            ?? (Files.name(path, without: ".mdb") ?? path) + ".attachments"
    }

    func path(_ file: AttachmentFile) -> String { directory + "/" + file.name }

    func unfinishedPath(_ file: AttachmentFile) -> String { directory + "/" + file.unfinishedName }

    /// Runs `job` on one of the threads; false where they have stopped.
    func submit(_ job: @escaping @Sendable () -> Void) -> Bool { threads.submit(job) }

    /// Ends the threads once the waiting jobs are done.
    func stop() { threads.stop() }

    // MARK: Removing

    /// Removes files, finished or unfinished, now or when the last hold ends; from any thread.
    ///
    /// The next start removes the files that cannot be removed now.
    func remove(_ files: [AttachmentFile]) {
        guard !files.isEmpty else { return }
        let isHeld = state.withLock { state in
            if state.holds > 0 { state.held += files }
            return state.holds > 0
        }
        if !isHeld { removeNow(files) }
    }

    private func removeNow(_ files: [AttachmentFile]) {
        _ = submit { [self] in
            for file in files {
                try? Files.remove(path(file))
                try? Files.remove(unfinishedPath(file))
            }
        }
    }

    /// Keeps every file until ``endHold()``, also files whose rows are deleted meanwhile.
    func hold() { state.withLock { $0.holds += 1 } }

    func endHold() {
        let files = state.withLock { state -> [AttachmentFile] in
            state.holds -= 1
            guard state.holds == 0 else { return [] }
            defer { state.held = [] }
            return state.held
        }
        if !files.isEmpty { removeNow(files) }
    }

    /// Removes the leftovers of earlier runs: unfinished files, and files that no row names.
    ///
    /// The names of the files are read now, before there can be new files; the rest runs on one of
    /// the threads.
    func cleanUp(_ reader: StoreReader) {
        guard let names = try? Files.names(in: directory), !names.isEmpty else { return }
        _ = submit { [self] in
            var leftover = Set(names.compactMap { AttachmentFile($0) })
            for name in names {
                let file = Files.name(name, without: AttachmentFile.unfinished)
                    .flatMap { AttachmentFile($0) }
                if let file { try? Files.remove(unfinishedPath(file)) }
            }
            do throws(StoreFailure) {
                try reader.forEachAttachment { _, record in leftover.remove(record.file) }
            } catch {
                // Remove nothing: without the rows it is unknown which files they name.
                return
            }
            for file in leftover { try? Files.remove(path(file)) }
        }
    }
}

extension StoreReader {
    /// Reads every attachment's row, in transactions of a few hundred.
    func forEachAttachment(
        _ body: (AttachmentKey, AttachmentRecord) throws(StoreFailure) -> Void
    ) throws(StoreFailure) {
        var position: AttachmentKey?
        repeat {
            let rows = try environment.reading { transaction throws(StoreFailure) in
                try transaction.rows(
                    in: tables.attachments,
                    after: position,
                    atMost: limits.rowsPerRead
                )
            }
            for (key, row) in rows { try body(key, row) }
            position = rows.last?.key
        } while position != nil
    }
}
