internal import BelfryLMDB
internal import NotificationCore

// The rows of attachments. A file without references is kept for 24 h after it was stored; a file
// with references is removed with the last reference (ATT-7, ATT-10).

/// The files that apps stored, and the references to them, in a batch.
struct AttachmentWork {
    let batch: Batch

    /// Stores a file's row, or keeps the existing row of the same bytes.
    func store(
        _ record: AttachmentRecord,
        _ identifier: AttachmentIdentifier,
        of app: String
    ) throws(LMDBError) -> Result<AttachmentRecord, Refusal> {
        let key = Key.attachment(identifier, app: app)
        if var stored = try batch.transaction.attachment(identifier, of: app, batch.tables) {
            // The file was stored once more, so it is kept for as long as a new file.
            if stored.unreferencedUntil != nil {
                try setUnreferenced(&stored, key: key)
            }
            return .success(stored)
        }
        var owner = try batch.transaction.attachmentOwner(app, batch.tables)
        owner.count += 1
        owner.byteCount += record.byteCount
        if let refusal = batch.limits.refusal(ofFiles: owner.count, bytes: owner.byteCount) {
            return .failure(refusal)
        }
        guard batch.hasRoomForAdds else { return .failure(.storeFull) }
        let ownerKey = Key.attachmentOwner(app)
        try batch.transaction.put(owner.bytes, forKey: ownerKey, in: batch.tables.attachmentOwners)
        var record = record
        record.createdAt = batch.now.wall
        try setUnreferenced(&record, key: key)
        return .success(record)
    }

    /// Schedules the removal of an attachment in 24 h, and writes its row.
    private func setUnreferenced(_ record: inout AttachmentRecord, key: [UInt8]) throws(LMDBError) {
        if let before = record.unreferencedUntil {
            let row = Key.attachmentExpiry(before, attachment: key)
            try batch.transaction.deleteExisting(row, in: batch.tables.attachmentExpiry)
        }
        let end = batch.now.elapsed.advanced(byNanoseconds: Limits.unreferencedNanoseconds)
        record.unreferencedUntil = end
        let row = Key.attachmentExpiry(end, attachment: key)
        try batch.transaction.put([], forKey: row, in: batch.tables.attachmentExpiry)
        try batch.transaction.put(record.bytes, forKey: key, in: batch.tables.attachments)
        batch.hasChanged = true
    }

    /// Removes the attachments without a reference for 24 h, and gives how many these were.
    func expire(atMost limit: Int) throws(LMDBError) -> Int {
        var count = 0
        while count < limit,
            let due = try DueWork.front(
                of: batch.tables.attachmentExpiry,
                past: batch.damage.setAside,
                in: batch.transaction
            ),
            due.nanoseconds <= batch.now.elapsed.nanoseconds
        {
            guard batch.begin(due.key, in: batch.tables.attachmentExpiry) else { continue }
            let key = due.number.rest
            let record = try batch.transaction.attachment(key: key, batch.tables)
            guard record.unreferencedUntil?.nanoseconds == due.nanoseconds else {
                throw .disagrees(key, in: batch.tables.attachments)
            }
            try batch.transaction.deleteExisting(due.key, in: batch.tables.attachmentExpiry)
            try remove(record, key: key)
            batch.endWork()
            count += 1
        }
        return count
    }

    /// Adds a reference to an attachment that exists.
    func use(_ identifier: AttachmentIdentifier, of app: String) throws(LMDBError) {
        let key = Key.attachment(identifier, app: app)
        var record = try batch.transaction.attachment(key: key, batch.tables)
        if let end = record.unreferencedUntil.take() {
            let row = Key.attachmentExpiry(end, attachment: key)
            try batch.transaction.deleteExisting(row, in: batch.tables.attachmentExpiry)
        }
        record.referenceCount += 1
        try batch.transaction.put(record.bytes, forKey: key, in: batch.tables.attachments)
        batch.hasChanged = true
    }

    /// Removes a reference to an attachment; the last reference removes the attachment.
    func endUse(of identifier: AttachmentIdentifier, of app: String) throws(LMDBError) {
        let key = Key.attachment(identifier, app: app)
        var record = try batch.transaction.attachment(key: key, batch.tables)
        guard record.referenceCount > 0 else { throw .disagrees(key, in: batch.tables.attachments) }
        record.referenceCount -= 1
        if record.referenceCount == 0 {
            try remove(record, key: key)
        } else {
            try batch.transaction.put(record.bytes, forKey: key, in: batch.tables.attachments)
            batch.hasChanged = true
        }
    }

    /// Removes an attachment's row; its file is removed when the commit is durable.
    private func remove(_ record: AttachmentRecord, key: [UInt8]) throws(LMDBError) {
        // The key ends with a zero byte and the identifier's sixteen.
        let ownerKey = Array(key.dropLast(17))
        var owner = try batch.transaction.attachmentOwner(key: ownerKey, batch.tables)
        owner.count -= 1
        owner.byteCount -= record.byteCount
        if owner.count == 0 {
            try batch.transaction.deleteExisting(ownerKey, in: batch.tables.attachmentOwners)
        } else {
            try batch.transaction.put(
                owner.bytes,
                forKey: ownerKey,
                in: batch.tables.attachmentOwners
            )
        }
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
    ) throws(LMDBError) -> AttachmentRecord? {
        let key = Key.attachment(identifier, app: app)
        guard let bytes = try value(forKey: key, in: tables.attachments) else { return nil }
        return try AttachmentRecord(bytes)
    }

    /// An attachment whose row has to exist.
    func attachment(key: [UInt8], _ tables: Tables) throws(LMDBError) -> AttachmentRecord {
        try row(key, in: tables.attachments, AttachmentRecord.init)
    }

    /// The totals of an app's attachments.
    func attachmentOwner(
        _ app: String,
        _ tables: Tables
    ) throws(LMDBError) -> AttachmentOwnerRecord {
        try attachmentOwner(key: Key.attachmentOwner(app), tables)
    }

    fileprivate func attachmentOwner(
        key: [UInt8],
        _ tables: Tables
    ) throws(LMDBError) -> AttachmentOwnerRecord {
        guard let bytes = try value(forKey: key, in: tables.attachmentOwners) else {
            return AttachmentOwnerRecord()
        }
        return try AttachmentOwnerRecord(bytes)
    }
}
