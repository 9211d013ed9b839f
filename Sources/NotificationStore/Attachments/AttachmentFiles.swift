internal import BelfryLMDB
internal import BelfryLocking
internal import NotificationCore

/// The files of attachments, in a directory of their own, and the threads that write, read and
/// remove them: never the writer's and never one of gRPC's (ST-3).
///
/// A file is named by a row only when it and its name are on disk, and removed only when the commit
/// that took its row away is. So whatever ends the server leaves files without rows at the worst,
/// which the next start removes.
final class AttachmentFiles: Sendable {
    private struct State {
        /// How many read names of files from an older state of the store.
        var holds = 0
        /// What goes when nobody does any more.
        var held: [AttachmentFile] = []
    }

    /// The directory; made for the first file.
    let directory: String
    private let threads = ReaderPool(threadCount: 2)
    private let state = Guarded(State())

    init(dataDirectory: String) {
        directory = Self.directory(ofData: dataDirectory)
    }

    /// Where the files of a data directory are.
    static func directory(ofData directory: String) -> String { directory + "/attachments" }

    /// Where the files of a store's file are that lies elsewhere, such as a backup: beside it.
    static func directory(beside path: String) -> String {
        (Files.name(path, without: ".mdb") ?? path) + ".attachments"
    }

    func path(_ file: AttachmentFile) -> String { directory + "/" + file.name }

    func unfinishedPath(_ file: AttachmentFile) -> String { directory + "/" + file.unfinishedName }

    /// Has one of the threads do `job`; false where they have stopped.
    func submit(_ job: @escaping @Sendable () -> Void) -> Bool { threads.submit(job) }

    /// Does what waits and ends the threads.
    func stop() { threads.stop() }

    // MARK: Removing

    /// Removes files, whole or not, now or when the last hold ends; from any thread.
    ///
    /// What cannot be removed is by the next start.
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

    /// Keeps every file until ``endHold()``, also those that lose their rows meanwhile.
    func hold() { state.withLock { $0.holds += 1 } }

    /// Ends one hold.
    func endHold() {
        let files = state.withLock { state -> [AttachmentFile] in
            state.holds -= 1
            guard state.holds == 0 else { return [] }
            defer { state.held = [] }
            return state.held
        }
        if !files.isEmpty { removeNow(files) }
    }

    /// Removes what earlier runs left: parts of files, and files that no row names.
    ///
    /// The names are taken now, before there can be new files; the rest runs on one of the threads.
    func cleanUp(_ reader: StoreReader) {
        guard let names = try? Files.names(in: directory), !names.isEmpty else { return }
        _ = submit { [self] in
            var leftover = Set(names.compactMap { AttachmentFile($0) })
            for name in names {
                let file = Files.name(name, without: AttachmentFile.unfinished)
                    .flatMap { AttachmentFile($0) }
                if let file { try? Files.remove(unfinishedPath(file)) }
            }
            do throws(LMDBError) {
                try reader.forEachAttachment { _, record in leftover.remove(record.file) }
            } catch {
                // Where the rows cannot be read, nobody knows which files they name.
                return
            }
            for file in leftover { try? Files.remove(path(file)) }
        }
    }
}

extension StoreReader {
    /// Reads every attachment's row, in transactions of a few hundred.
    func forEachAttachment(
        _ body: ([UInt8], AttachmentRecord) throws(LMDBError) -> Void
    ) throws(LMDBError) {
        var position: [UInt8]?
        repeat {
            let rows = try rows(of: tables.attachments, after: position)
            for row in rows { try body(row.key, try AttachmentRecord(row.value)) }
            position = rows.last?.key
        } while position != nil
    }

    private func rows(
        of table: Table,
        after position: [UInt8]?
    ) throws(LMDBError) -> [(key: [UInt8], value: [UInt8])] {
        try environment.read { transaction throws(LMDBError) in
            try transaction.rows(in: table, [], after: position, atMost: limits.rowsPerRead)
        }
    }
}
