internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// The rules on attachments: their files, their totals, and when they are removed.

/// The sums of the rules on attachments.
struct AttachmentSums {
    /// The directory of the attachments' files; nil where the files are not checked.
    let files: String?
    /// The number of references to each attachment, by the attachment's key.
    fileprivate(set) var uses: [[UInt8]: UInt32] = [:]
    /// The totals of each app's attachments.
    ///
    /// Bounded: names of apps, which were validated.
    fileprivate(set) var owners: [String: AttachmentOwnerRecord] = [:]
}

extension StoreRules {
    /// The attachments of a request exist, and the request is pending, arriving or delivered.
    mutating func checkAttachmentUses(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let sequence = try tables.attachmentUses.key(key)
        let record = try tables.attachmentUses.row(value, at: key)
        if (try? transaction.isHeld(sequence, tables)) == false {
            found.append("is neither pending nor arriving nor delivered, and holds attachments")
        }
        for identifier in record.identifiers {
            try checkUse(of: identifier, of: record.app)
        }
    }

    /// A sound of an app has a name, and a file that was stored as a sound.
    mutating func checkSound(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let sound = try tables.sounds.key(key)
        guard !sound.name.isEmpty else { throw tables.sounds.error(.undecodable, key) }
        let app = sound.app
        let identifier = try tables.sounds.row(value, at: key).attachment
        try checkUse(of: identifier, of: app)
        if let stored = try? transaction.attachment(identifier, of: app, tables),
            stored.sound == nil
        {
            found.append("its attachment \(identifier.text) is no sound")
        }
    }

    /// The picture of an app exists.
    mutating func checkUse(of name: String, center: CenterNumber) throws(StoreFailure) {
        guard let identifier = AttachmentIdentifier(name),
            let center = try transaction.found(center, in: tables.centers).row?.center
        else { return }
        try checkUse(of: identifier, of: center.name.app)
    }

    /// An attachment that is referred to exists.
    mutating func checkUse(
        of identifier: AttachmentIdentifier,
        of app: String
    ) throws(StoreFailure) {
        let key = AttachmentKey(identifier, of: app)
        attachments.uses[key.bytes, default: 0] += 1
        try require(key, in: tables.attachments, "its attachment \(identifier.text) is gone")
    }

    /// A request that is pending, arriving or delivered has a row for the attachments that it
    /// refers to.
    mutating func checkHolds(
        _ sequence: RequestNumber,
        _ record: RequestRecord
    ) throws(StoreFailure) {
        guard record.request.content.holdsAttachments else { return }
        if (try? transaction.isHeld(sequence, tables)) == true {
            try require(sequence, in: tables.attachmentUses, "does not hold its attachments")
        }
    }

    /// An attachment belongs to an app, has its file, and is to be removed where it is
    /// unreferenced.
    mutating func checkAttachment(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.attachments.key(key)
        let app = name.app
        guard (try? CenterName(app: app, device: "")) != nil else {
            throw tables.attachments.error(.undecodable, key)
        }
        let record = try tables.attachments.row(value, at: key)
        attachments.owners[app, default: AttachmentOwnerRecord()].count += 1
        attachments.owners[app, default: AttachmentOwnerRecord()].byteCount += record.byteCount
        if try !transaction.contains(NameKey(app), in: tables.attachmentOwners) {
            found.append("its app has no row of what its attachments add up to")
        }
        if let end = record.unreferencedUntil {
            let row = AttachmentExpiryKey(end, name)
            try require(row, in: tables.attachmentExpiry, "nothing refers to it, and it never goes")
        }
        let useCount = attachments.uses[key] ?? 0
        if record.referenceCount != useCount {
            found.append("counts \(record.referenceCount) that refer to it, of \(useCount)")
        }
        if (record.referenceCount == 0) != (record.unreferencedUntil != nil) {
            found.append("does not say whether something refers to it")
        }
        guard let files = attachments.files else { return }
        switch try? Files.byteCount(of: files + "/" + record.file.name) {
        case nil: found.append("its file \(record.file.name) is gone")
        case record.byteCount: break
        case let byteCount?:
            found.append(
                "its file \(record.file.name) has \(byteCount) bytes of \(record.byteCount)"
            )
        }
    }

    /// The totals of an app's attachments are the totals in the app's row.
    mutating func checkAttachmentOwner(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let owner = try tables.attachmentOwners.row(value, at: key)
        let counted = attachments.owners[String(decoding: key, as: UTF8.self)]
        if owner != counted ?? AttachmentOwnerRecord() || counted == nil {
            found.append("does not say what its attachments add up to")
        }
    }

    /// A row of the index of attachments to remove agrees with its attachment.
    mutating func checkAttachmentExpiry(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let expiry = try tables.attachmentExpiry.key(key)
        _ = try tables.attachmentExpiry.row(value, at: key)
        switch try transaction.found(expiry.rest, in: tables.attachments) {
        case .missing: found.append("its attachment is gone")
        case .damaged: break
        case .row(let record):
            if record.unreferencedUntil != expiry.instant {
                found.append("its attachment goes at another instant")
            }
        }
    }
}
