internal import BelfryLMDB
internal import BelfryLocking
internal import NotificationCore
internal import NotificationRecords

/// A download of a stored file, part by part.
package final class AttachmentDownload: Sendable {
    package let attachment: StoredAttachment

    private struct State {
        var descriptor: FileDescriptor?
        var offset: Int
    }

    private let store: Store
    private let file: AttachmentFile
    private let transfer: AttachmentTransfer
    private let state: Guarded<State>

    private static let partByteCount = 256 * 1024

    /// Takes a place for the download.
    ///
    /// - Throws: That there are too many transfers.
    init(
        _ attachment: StoredAttachment,
        _ file: AttachmentFile,
        from offset: Int,
        in store: Store,
        onStall: @escaping @Sendable (Refusal) -> Void
    ) throws(Refusal) {
        self.attachment = attachment
        self.file = file
        self.store = store
        transfer = AttachmentTransfer(limits: store.limits, onStall: onStall)
        state = Guarded(State(offset: offset))
        try store.transfers.open(transfer)
    }

    deinit { cancel() }

    /// Reads the next bytes, one call at a time.
    ///
    /// - Parameter completion: Told, on a thread of the files, up to 256 KiB, no bytes at the end,
    ///   or why the download ended: `UNErrorDomain` 103 where the file was removed meanwhile, 105
    ///   where it is damaged, `STOPPING`.
    package func next(completion: @escaping Completion<[UInt8]>) {
        transfer.work()
        let isTaken = store.files.submit { [self] in
            let result = Result { () throws(Refusal) in
                try state.withLock { state throws(Refusal) in try read(&state) }
            }
            transfer.waitForCaller(after: (try? result.get())?.count ?? 0)
            completion(result)
        }
        if !isTaken { completion(.failure(.stopping)) }
    }

    package func cancel() { store.transfers.close(transfer) }

    private func read(_ state: inout State) throws(Refusal) -> [UInt8] {
        let count = min(Self.partByteCount, attachment.byteCount - state.offset)
        guard count > 0 else { return [] }
        do throws(LMDBError) {
            let descriptor: FileDescriptor
            if let open = state.descriptor {
                descriptor = open
            } else {
                descriptor = try FileDescriptor(reading: store.files.path(file))
                try descriptor.seek(to: state.offset)
                state.descriptor = descriptor
            }
            var bytes = [UInt8](repeating: 0, count: count)
            let readCount = try descriptor.read(into: &bytes)
            guard readCount > 0 else {
                throw LMDBError(code: LMDBError.truncated, operation: "a file is short")
            }
            state.offset += readCount
            bytes.removeLast(count - readCount)
            return bytes
        } catch {
            // An open file stays readable after its removal: this one was removed before it was
            // opened.
            throw state.descriptor == nil
                ? .attachmentNotInDataStore([.file])
                : .attachmentCorrupt([.file], "its file is damaged: \(error)")
        }
    }
}
