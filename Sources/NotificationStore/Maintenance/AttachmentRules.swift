internal import BelfryLMDB
internal import NotificationCore

/// The rules on attachments: their files, their totals, and when they are removed.
///
/// Like the rules of ``StoreRules``, they note the problems of the row that is being checked.
struct AttachmentRules {
    let tables: Tables
    /// The directory of the attachments' files; nil where the files are not checked.
    let files: String?
    /// The number of references to each attachment, by the attachment's key.
    private(set) var uses: [[UInt8]: UInt32] = [:]
    /// The totals of each app's attachments.
    ///
    /// Bounded: names of apps, which were validated.
    private(set) var owners: [String: AttachmentOwnerRecord] = [:]

    init(tables: Tables, files: String?) {
        self.tables = tables
        self.files = files
    }

    /// The attachments of a request exist, and the request is pending, arriving or delivered.
    mutating func checkUses(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction,
        noting found: inout [String]
    ) throws(LMDBError) {
        let sequence = try StoreRules.numbers(key, 8)[0]
        let record = try AttachmentUseRecord(value)
        // A row that does not decode is reported where its table is walked.
        if (try? transaction.isHeld(sequence, tables)) == false {
            found.append("is neither pending nor arriving nor delivered, and holds attachments")
        }
        for identifier in record.identifiers {
            try checkUse(of: identifier, of: record.app, transaction, noting: &found)
        }
    }

    /// A sound of an app has a name, and a file that was stored as a sound.
    mutating func checkSound(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction,
        noting found: inout [String]
    ) throws(LMDBError) {
        guard let end = key.firstIndex(of: 0), end + 1 < key.count else {
            throw ByteReader.corrupted
        }
        let app = String(decoding: key[..<end], as: UTF8.self)
        let identifier = try SoundRecord(value).attachment
        try checkUse(of: identifier, of: app, transaction, noting: &found)
        // An attachment that does not decode is reported where the attachments are walked.
        if let stored = try? transaction.attachment(identifier, of: app, tables),
            stored.sound == nil
        {
            found.append("its attachment \(identifier.text) is no sound")
        }
    }

    /// The picture of an app exists.
    mutating func checkUse(
        of name: String,
        center: UInt32,
        _ transaction: borrowing ReadTransaction,
        noting found: inout [String]
    ) throws(LMDBError) {
        guard let identifier = AttachmentIdentifier(name),
            let bytes = try transaction.value(forKey: Key.number(center), in: tables.centers),
            let center = try? CenterRecord.center(bytes)
        else { return }
        try checkUse(of: identifier, of: center.name.app, transaction, noting: &found)
    }

    /// An attachment that is referred to exists.
    mutating func checkUse(
        of identifier: AttachmentIdentifier,
        of app: String,
        _ transaction: borrowing ReadTransaction,
        noting found: inout [String]
    ) throws(LMDBError) {
        let key = Key.attachment(identifier, app: app)
        uses[key, default: 0] += 1
        if try !transaction.contains(key: key, in: tables.attachments) {
            found.append("its attachment \(identifier.text) is gone")
        }
    }

    /// A request that is pending, arriving or delivered has a row for the attachments that it
    /// refers to.
    func checkHolds(
        _ sequence: UInt64,
        _ record: RequestRecord,
        _ transaction: borrowing ReadTransaction,
        noting found: inout [String]
    ) throws(LMDBError) {
        guard record.request.content.holdsAttachments else { return }
        let row = Key.number(sequence)
        if (try? transaction.isHeld(sequence, tables)) == true,
            try !transaction.contains(key: row, in: tables.attachmentUses)
        {
            found.append("does not hold its attachments")
        }
    }

    /// An attachment belongs to an app, has its file, and is to be removed where it is
    /// unreferenced.
    mutating func checkAttachment(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction,
        noting found: inout [String]
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
        let useCount = uses[key] ?? 0
        if record.referenceCount != useCount {
            found.append("counts \(record.referenceCount) that refer to it, of \(useCount)")
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

    /// The totals of an app's attachments are the totals in the app's row.
    func checkOwner(
        _ key: [UInt8],
        _ value: [UInt8],
        noting found: inout [String]
    ) throws(LMDBError) {
        let owner = try AttachmentOwnerRecord(value)
        let counted = owners[String(decoding: key, as: UTF8.self)]
        if owner != counted ?? AttachmentOwnerRecord() || counted == nil {
            found.append("does not say what its attachments add up to")
        }
    }

    /// A row of the index of attachments to remove agrees with its attachment.
    func checkExpiry(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction,
        noting found: inout [String]
    ) throws(LMDBError) {
        guard key.count > 8, value.isEmpty else { throw ByteReader.corrupted }
        let end = Int64(bitPattern: try StoreRules.numbers(Array(key.prefix(8)), 8)[0])
        let row = Array(key.dropFirst(8))
        guard let bytes = try transaction.value(forKey: row, in: tables.attachments) else {
            found.append("its attachment is gone")
            return
        }
        // An attachment that does not decode is reported where the attachments are walked.
        if let record = try? AttachmentRecord(bytes), record.unreferencedUntil?.nanoseconds != end {
            found.append("its attachment goes at another instant")
        }
    }
}
