internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// The rows of attachments. A file without references is kept for 24 h after it was stored; a file
// with references is removed with the last reference (ATT-7, ATT-10).

/// The files that apps stored, and the references to them, in a batch.
struct AttachmentWork {
    let batch: Batch

    /// Stores a file's row, or keeps the row that the same bytes have; the first caller that stored
    /// them stays charged.
    func store(
        _ record: AttachmentRecord,
        _ identifier: AttachmentIdentifier,
        of app: String,
        by registrant: Registrant?
    ) throws(StoreFailure) -> AttachmentRecord {
        let key = AttachmentKey(identifier, of: app)
        if var stored = try batch.transaction.rowIfAny(key, in: batch.tables.attachments) {
            // The bytes were sent again: keep the file for as long as a new one.
            if stored.unreferencedUntil != nil {
                try setUnreferenced(&stored, key: key)
            }
            return stored
        }
        var owner = try batch.transaction.attachmentOwner(app, batch.tables)
        owner.count += 1
        owner.byteCount += record.byteCount
        let tooMuch = batch.limits.refusal(ofFiles: owner.count, bytes: owner.byteCount)
        try StoreFailure.refuse(tooMuch)
        try StoreFailure.refuse(batch.refusal(ofKeeping: 512, of: .app(app)))
        try StoreFailure.refuse(batch.countFile(of: record.byteCount, by: registrant))
        try batch.transaction.put(owner, at: NameKey(app), in: batch.tables.attachmentOwners)
        var record = record
        record.createdAt = batch.now.wall
        record.registrant = registrant?.name ?? ""
        try setUnreferenced(&record, key: key)
        return record
    }

    /// Schedules the removal of an attachment in 24 h, and writes its row.
    private func setUnreferenced(
        _ record: inout AttachmentRecord,
        key: AttachmentKey
    ) throws(StoreFailure) {
        if let before = record.unreferencedUntil {
            let row = AttachmentExpiryKey(before, key)
            try batch.transaction.deleteExisting(row, in: batch.tables.attachmentExpiry)
        }
        let end = batch.now.elapsed.advanced(byNanoseconds: Limits.unreferencedNanoseconds)
        record.unreferencedUntil = end
        let row = AttachmentExpiryKey(end, key)
        try batch.transaction.put(row, in: batch.tables.attachmentExpiry)
        try batch.transaction.put(record, at: key, in: batch.tables.attachments)
        batch.hasChanged = true
    }

    /// Removes the attachments without a reference for 24 h, and gives how many these were.
    func expire(atMost limit: Int) throws(StoreFailure) -> Int {
        let (index, now) = (batch.tables.attachmentExpiry, batch.now.elapsed)
        return try batch.forEachDue(in: index, until: now, atMost: limit) {
            due throws(StoreFailure) in
            let record = try batch.transaction.row(due.rest, in: batch.tables.attachments)
            guard record.unreferencedUntil == due.instant else {
                throw .disagrees(due.rest, in: batch.tables.attachments)
            }
            try batch.transaction.deleteExisting(due, in: index)
            try remove(record, key: due.rest)
            return 0
        }
    }

    /// Adds a reference to an attachment that exists.
    func use(_ identifier: AttachmentIdentifier, of app: String) throws(StoreFailure) {
        let key = AttachmentKey(identifier, of: app)
        var record = try batch.transaction.row(key, in: batch.tables.attachments)
        if let end = record.unreferencedUntil.take() {
            let row = AttachmentExpiryKey(end, key)
            try batch.transaction.deleteExisting(row, in: batch.tables.attachmentExpiry)
        }
        record.referenceCount += 1
        try batch.transaction.put(record, at: key, in: batch.tables.attachments)
        batch.hasChanged = true
    }

    /// Removes a reference to an attachment; the last reference removes the attachment.
    func endUse(of identifier: AttachmentIdentifier, of app: String) throws(StoreFailure) {
        let key = AttachmentKey(identifier, of: app)
        var record = try batch.transaction.row(key, in: batch.tables.attachments)
        guard record.referenceCount > 0 else { throw .disagrees(key, in: batch.tables.attachments) }
        record.referenceCount -= 1
        if record.referenceCount == 0 {
            try remove(record, key: key)
        } else {
            try batch.transaction.put(record, at: key, in: batch.tables.attachments)
            batch.hasChanged = true
        }
    }

    /// Removes an attachment's row; its file is removed when the commit is durable.
    private func remove(_ record: AttachmentRecord, key: AttachmentKey) throws(StoreFailure) {
        let ownerKey = NameKey(key.app)
        var owner = try batch.transaction.attachmentOwner(key.app, batch.tables)
        owner.count -= 1
        owner.byteCount -= record.byteCount
        if owner.count == 0 {
            try batch.transaction.deleteExisting(ownerKey, in: batch.tables.attachmentOwners)
        } else {
            try batch.transaction.put(owner, at: ownerKey, in: batch.tables.attachmentOwners)
        }
        try batch.endFile(record)
        try batch.transaction.deleteExisting(key, in: batch.tables.attachments)
        batch.news.removedFiles.append(record.file)
        batch.hasChanged = true
    }
}

extension BelfryLMDB.Transaction where Self: ~Copyable {
    /// An attachment of an app; nil where the app has none of this identifier.
    func attachment(
        _ identifier: AttachmentIdentifier,
        of app: String,
        _ tables: Tables
    ) throws(StoreFailure) -> AttachmentRecord? {
        try rowIfAny(AttachmentKey(identifier, of: app), in: tables.attachments)
    }

    func attachmentOwner(
        _ app: String,
        _ tables: Tables
    ) throws(StoreFailure) -> AttachmentOwnerRecord {
        try rowIfAny(NameKey(app), in: tables.attachmentOwners) ?? AttachmentOwnerRecord()
    }
}
