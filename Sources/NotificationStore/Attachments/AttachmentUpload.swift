internal import BelfryHashing
internal import BelfryLMDB
internal import BelfryLocking
internal import NotificationCore
internal import NotificationRecords

/// An upload of a file, part by part.
///
/// One part is taken at a time: the sender waits for the part's completion, so that at most one
/// part waits for the disk. An upload that is cancelled, refused or released leaves nothing behind.
package final class AttachmentUpload: Sendable {
    /// The state of the file so far; used only by the running job.
    private struct Written {
        var descriptor: FileDescriptor?
        let hash = SHA256()
        var byteCount = 0
    }

    private struct State {
        var isBusy = false
        /// Whether the upload takes no more parts: it failed, was cancelled, or is recorded.
        var isEnded = false
        /// How many bytes of the app's room the upload reserves; 0 once they are given back.
        var reservedCount = 0
        var reservedBytes = 0
    }

    private let store: Store
    private let app: String
    private let registrant: Registrant?
    private let metadata: AttachmentMetadata
    private let form: AttachmentForm
    private let file = AttachmentFile()
    private let transfer: AttachmentTransfer
    private let written = Guarded(Written())
    private let state = Guarded(State())

    /// Reserves room and a place for the upload.
    ///
    /// - Throws: That the app or the caller has no room, or that there are too many transfers.
    init(
        _ metadata: AttachmentMetadata,
        _ form: AttachmentForm,
        app: String,
        by registrant: Registrant?,
        in store: Store,
        onStall: @escaping @Sendable (Refusal) -> Void
    ) throws(Refusal) {
        self.store = store
        self.app = app
        self.registrant = registrant
        self.metadata = metadata
        self.form = form
        transfer = AttachmentTransfer(limits: store.limits, onStall: onStall)
        try store.transfers.open(transfer)
        do throws(Refusal) {
            try reserve(Int(metadata.byteCount ?? 0), files: 1)
        } catch {
            store.transfers.close(transfer)
            throw error
        }
    }

    deinit {
        // The upload may be released before its end; its room is given back only once.
        end(keepsFile: state.withLock { $0.isEnded })
    }

    // MARK: From the caller

    /// Writes the next bytes.
    ///
    /// `completion` is told, on a thread of the files, when the bytes are written, or why the
    /// upload has ended: `UNErrorDomain` 102, 104 or 105, `STORE_FULL`, `STOPPING`.
    package func append(_ bytes: [UInt8], completion: @escaping Completion<Void>) {
        run(completion) { [self] () throws(Refusal) in
            try written.withLock { written throws(Refusal) in try write(bytes, &written) }
        } then: { [self] _ in
            transfer.waitForCaller(after: bytes.count)
            completion(.success(()))
        }
    }

    /// Stores the file: it is checked, put on disk under its name, then recorded.
    ///
    /// - Parameters:
    ///   - key: Makes a retry act once; it covers the file's bytes.
    ///   - completion: Told the attachment once it is durable, or why it is not stored:
    ///     `UNErrorDomain` 101, 104 or 105, `STORE_FULL`, `STOPPING` or `OUTCOME_UNKNOWN`.
    package func finish(
        once key: OnceKey?,
        completion: @escaping Completion<StoredAttachment>
    ) {
        run(completion, isLast: true) { [self] () throws(Refusal) in
            try written.withLock { written throws(Refusal) in try complete(&written) }
        } then: { [self] record in
            let command = StoreAttachmentCommand(
                app: app,
                form: form,
                record: record,
                registrant: registrant
            )
            store.submit(command, once: key?.covering(record.sha256)) { [self] result in
                switch result {
                case .success(let reply):
                    end(keepsFile: reply.file == file)
                    completion(.success(reply.attachment))
                case .failure(let refusal):
                    // A store that failed may have recorded the row: the next start decides about
                    // the file.
                    end(keepsFile: refusal == .storeFailed)
                    completion(.failure(refusal))
                }
            }
        }
    }

    /// Ends the upload and removes the written bytes; does nothing after the end.
    ///
    /// From any thread. A file that ``finish(once:completion:)`` has handed to the writer is not
    /// removed.
    package func cancel() {
        let isIdle = state.withLock { state in
            defer { state.isEnded = true }
            return !state.isBusy && !state.isEnded
        }
        // A running job sees that the upload has ended, and cleans up itself.
        if isIdle { end(keepsFile: false) }
    }

    // MARK: One job at a time

    /// Runs `job` on a thread of the files, then calls `then` unless the upload has ended.
    private func run<Reply, Value: Sendable>(
        _ completion: @escaping Completion<Reply>,
        isLast: Bool = false,
        _ job: @escaping @Sendable () throws(Refusal) -> Value,
        then: @escaping @Sendable (Value) -> Void
    ) {
        let isFree = state.withLock { state in
            guard !state.isBusy, !state.isEnded else { return false }
            state.isBusy = true
            return true
        }
        guard isFree else { return completion(.failure(.uploadEnded)) }
        transfer.work()
        let isTaken = store.files.submit { [self] in
            let result = Result { () throws(Refusal) in try job() }
            let isWanted = state.withLock { state in
                state.isBusy = false
                let isWanted = !state.isEnded
                // The writer owns the file from now on: a cancel comes too late.
                if isLast { state.isEnded = true }
                return isWanted
            }
            switch result {
            case .success(let value) where isWanted: then(value)
            case .success:
                end(keepsFile: false)
                completion(.failure(.uploadEnded))
            case .failure(let refusal):
                end(keepsFile: false)
                completion(.failure(refusal))
            }
        }
        if !isTaken {
            end(keepsFile: false)
            completion(.failure(.stopping))
        }
    }

    private func write(_ bytes: [UInt8], _ written: inout Written) throws(Refusal) {
        let byteCount = written.byteCount + bytes.count
        guard byteCount <= form.byteLimit else {
            throw .attachmentTooLarge([.data], form.byteLimit)
        }
        let announced = metadata.byteCount.map(Int.init)
        if let announced, byteCount > announced {
            throw .attachmentCorrupt([.metadata, .byteCount], "is less than the file has")
        }
        if announced == nil { try reserve(bytes.count, files: 0) }
        guard store.hasRoom(for: bytes.count) else { throw .storeFull }
        try orRefuse { () throws(LMDBError) in
            let descriptor: FileDescriptor
            if let open = written.descriptor {
                descriptor = open
            } else {
                if !Files.exists(store.files.directory) {
                    try Files.makeDirectory(store.files.directory)
                }
                descriptor = try FileDescriptor(making: store.files.unfinishedPath(file))
                written.descriptor = descriptor
            }
            try descriptor.write(bytes[...])
        }
        written.hash.update(bytes.span)
        written.byteCount = byteCount
    }

    /// Checks the file, puts it on disk under its name, and gives its row.
    private func complete(_ written: inout Written) throws(Refusal) -> AttachmentRecord {
        guard let descriptor = written.descriptor.take(), written.byteCount > 0 else {
            throw .attachmentCorrupt([.data], "has no bytes")
        }
        if let announced = metadata.byteCount, announced != UInt64(written.byteCount) {
            throw .attachmentCorrupt([.metadata, .byteCount], "is more than the file has")
        }
        let sha256 = written.hash.finish()
        guard metadata.sha256.isEmpty || metadata.sha256.lowercased() == sha256.hexadecimal else {
            throw .attachmentCorrupt([.metadata, .sha256], "is that of another file")
        }
        let part = store.files.unfinishedPath(file)
        let head = try orRefuse { () throws(LMDBError) in
            try Files.beginning(of: part, count: form.checkedByteCount)
        }
        let sound = try form.check(head)
        try orRefuse { () throws(LMDBError) in
            try descriptor.sync()
            descriptor.close()
            try Files.rename(part, to: store.files.path(file))
            try Files.sync(store.files.directory)
        }
        return AttachmentRecord(
            file: file,
            fileName: metadata.fileName,
            type: form.identifier,
            mediaType: form.mediaType,
            purpose: form.purpose,
            byteCount: written.byteCount,
            sha256: sha256,
            createdAt: store.clock.now().wall,
            sound: sound
        )
    }

    private func orRefuse<Result>(
        _ body: () throws(LMDBError) -> Result
    ) throws(Refusal) -> Result {
        do throws(LMDBError) {
            return try body()
        } catch {
            throw error.isOutOfSpace ? .storeFull : .attachmentNotTaken("\(error)")
        }
    }

    // MARK: Its room and its end

    private func reserve(_ byteCount: Int, files: Int) throws(Refusal) {
        var caller: (registrant: Registrant, byteCount: Int)?
        if let registrant {
            caller = (registrant, try store.reader.fileBytes(of: registrant))
        }
        try store.transfers.reserve(
            byteCount,
            files: files,
            for: app,
            beside: try store.reader.attachmentOwner(app),
            by: caller
        )
        state.withLock { state in
            state.reservedBytes += byteCount
            state.reservedCount += files
        }
    }

    /// Gives back the reserved room, once, and removes the file unless a row names it.
    private func end(keepsFile: Bool) {
        let (bytes, files) = state.withLock { state in
            state.isEnded = true
            defer { (state.reservedBytes, state.reservedCount) = (0, 0) }
            return (state.reservedBytes, state.reservedCount)
        }
        store.transfers.giveBack(bytes, files: files, for: app, by: registrant)
        store.transfers.close(transfer)
        if !keepsFile { store.files.remove([file]) }
    }
}

extension Refusal {
    /// The upload was cancelled, or refused before.
    static let uploadEnded = Refusal(
        .failedPrecondition,
        reason: .uploadEnded,
        message: "the upload has ended, and nothing of it is stored"
    )
}
