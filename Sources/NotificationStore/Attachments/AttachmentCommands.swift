internal import NotificationCore
internal import NotificationRecords

/// Records a file that is on disk, or finds that the app has stored the same bytes already.
struct StoreAttachmentCommand: Command {
    let app: String
    let form: AttachmentForm
    let record: AttachmentRecord
    /// The caller for whom the file counts; nil for a caller without a limit.
    let registrant: Registrant?

    var growth: Growth { .asked }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<AttachmentReply> {
        let identifier = AttachmentIdentifier(app: app, form: form, sha256: record.sha256)
        let stored = try batch.attachments.store(record, identifier, of: app, by: registrant)
        let attachment = StoredAttachment(stored, identifier, app: app, now: batch.now)
        return .done(.success(AttachmentReply(attachment: attachment, file: stored.file)))
    }
}
