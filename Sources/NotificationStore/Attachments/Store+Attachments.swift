internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

extension Store {
    /// Begins the upload of a file of an app; the app need not be registered.
    ///
    /// - Parameters:
    ///   - metadata: What the sender says about the file.
    ///   - app: The app of the file: the `app_id` of a ``CenterName``.
    ///   - registrant: For whom the file counts; nil for a caller without a limit.
    ///   - onStall: Told, on a thread of its own, that the sender is slower than
    ///     ``StoreLimits/transferStallNanoseconds`` and ``StoreLimits/transferBytesPerSecond``
    ///     allow; cancel the upload then.
    /// - Returns: The upload, which takes the bytes.
    /// - Throws: As ``AttachmentMetadata/validate()``, `UNErrorDomain` 104 where the app has no
    ///   room, `FILE_BYTES_LIMIT` where the caller has none, `OVERLOADED` where there are too many
    ///   transfers.
    package func storeAttachment(
        _ metadata: AttachmentMetadata,
        of app: String,
        by registrant: Registrant? = nil,
        onStall: @escaping @Sendable (Refusal) -> Void = { _ in }
    ) throws(Refusal) -> AttachmentUpload {
        let form: AttachmentForm
        do throws(Refusal) {
            form = try metadata.validate()
        } catch {
            throw error.within([.metadata])
        }
        return try AttachmentUpload(
            metadata,
            form,
            app: app,
            by: registrant,
            in: self,
            onStall: onStall
        )
    }

    /// Reads the row of an attachment.
    ///
    /// A point read: it runs on the calling thread.
    ///
    /// - Throws: `UNErrorDomain` 103 where the app has no such attachment, or that the store
    ///   failed.
    package func attachment(
        _ identifier: String,
        of app: String
    ) throws(Refusal) -> StoredAttachment {
        try found(identifier, of: app).attachment
    }

    /// Begins the download of an attachment's file.
    ///
    /// `offset` is where in the file to begin. `onStall` is told, on a thread of its own, that the
    /// receiver is slower than ``StoreLimits/transferStallNanoseconds`` and
    /// ``StoreLimits/transferBytesPerSecond`` allow; cancel the download then.
    ///
    /// - Returns: The download, which gives the bytes.
    /// - Throws: As ``attachment(_:of:)``, `ATTACHMENT_OFFSET_INVALID`, or `OVERLOADED` where there
    ///   are too many transfers.
    package func download(
        _ identifier: String,
        of app: String,
        from offset: UInt64,
        onStall: @escaping @Sendable (Refusal) -> Void = { _ in }
    ) throws(Refusal) -> AttachmentDownload {
        let (attachment, file) = try found(identifier, of: app)
        guard offset <= UInt64(attachment.byteCount) else {
            throw .attachmentOffset(beyond: attachment.byteCount)
        }
        return try AttachmentDownload(
            attachment,
            file,
            from: Int(offset),
            in: self,
            onStall: onStall
        )
    }

    private func found(
        _ identifier: String,
        of app: String
    ) throws(Refusal) -> (attachment: StoredAttachment, file: AttachmentFile) {
        guard let identifier = AttachmentIdentifier(identifier) else {
            throw .attachmentNotInDataStore([.file])
        }
        let record = try damage.orRefuse {
            try environment.reading { transaction throws(StoreFailure) in
                try transaction.attachment(identifier, of: app, tables)
            }
        }
        guard let record else { throw .attachmentNotInDataStore([.file]) }
        let attachment = StoredAttachment(record, identifier, app: app, now: clock.now())
        return (attachment, record.file)
    }

    /// Whether the disk has room for more bytes, beside the reserve that adds leave free (ST-2).
    func hasRoom(for byteCount: Int) -> Bool {
        guard let disk = DiskSpace(ofFile: path) else { return true }
        return disk.freeBytes - byteCount >= space.reservedDiskBytes
    }
}

extension StoreReader {
    func attachmentOwner(_ app: String) throws(Refusal) -> AttachmentOwnerRecord {
        try damage.orRefuse {
            try environment.reading { transaction throws(StoreFailure) in
                try transaction.attachmentOwner(app, tables)
            }
        }
    }
}

extension Refusal {
    /// A download cannot begin behind the file's end.
    static func attachmentOffset(beyond byteCount: Int) -> Refusal {
        Refusal(
            .outOfRange,
            reason: .attachmentOffsetInvalid,
            message: "the file has \(byteCount) bytes",
            fields: [WrongField([.offset], "the file has \(byteCount) bytes")],
            facts: [.byteCount: "\(byteCount)"]
        )
    }
}
