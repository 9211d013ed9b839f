internal import LMDB
internal import NotificationCore

// Attachments: their files, what they add up to, and when they go.

extension StoreRules {
    /// An attachment is of an app, has its file, and goes where nothing refers to it.
    mutating func checkAttachment(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        guard key.count > 17, key[key.count - 17] == 0 else { throw ByteReader.corrupted }
        let app = String(decoding: key.dropLast(17), as: UTF8.self)
        guard (try? CenterName(app: app, device: "")) != nil else { throw ByteReader.corrupted }
        let record = try AttachmentRecord(value)
        owners[app, default: AttachmentOwnerRecord()].count += 1
        owners[app, default: AttachmentOwnerRecord()].byteCount += record.byteCount
        let owner = Key.attachmentOwner(app)
        if try !transaction.contains(key: owner, in: tables.attachmentOwners) {
            found.append("its app has no row of what its attachments add up to")
        }
        if let end = record.unreferencedUntil {
            let row = Key.attachmentExpiry(end, attachment: key)
            if try !transaction.contains(key: row, in: tables.attachmentExpiry) {
                found.append("nothing refers to it, and it never goes")
            }
        }
        if (record.referenceCount == 0) != (record.unreferencedUntil != nil) {
            found.append("does not say whether something refers to it")
        }
        guard let files else { return }
        switch try? Files.byteCount(of: files + "/" + record.file.name) {
        case nil: found.append("its file \(record.file.name) is gone")
        case record.byteCount: break
        case let byteCount?:
            found.append(
                "its file \(record.file.name) has \(byteCount) bytes of \(record.byteCount)"
            )
        }
    }

    /// What an app's attachments add up to is what its row says.
    mutating func checkAttachmentOwner(_ key: [UInt8], _ value: [UInt8]) throws(LMDBError) {
        let owner = try AttachmentOwnerRecord(value)
        let counted = owners.removeValue(forKey: String(decoding: key, as: UTF8.self))
        if owner != counted ?? AttachmentOwnerRecord() || counted == nil {
            found.append("does not say what its attachments add up to")
        }
    }

    /// A row of the index of what goes is what its attachment says.
    mutating func checkAttachmentExpiry(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        guard key.count > 8, value.isEmpty else { throw ByteReader.corrupted }
        let end = Int64(bitPattern: try numbers(Array(key.prefix(8)), 8)[0])
        let row = Array(key.dropFirst(8))
        guard let bytes = try transaction.value(forKey: row, in: tables.attachments) else {
            found.append("its attachment is gone")
            return
        }
        // One that does not decode is told where the attachments are walked.
        if let record = try? AttachmentRecord(bytes), record.unreferencedUntil?.nanoseconds != end {
            found.append("its attachment goes at another instant")
        }
    }
}
