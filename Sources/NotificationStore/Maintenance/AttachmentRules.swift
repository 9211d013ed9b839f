internal import BelfryLMDB
internal import NotificationCore

/// The rules on attachments: their files, what they add up to, and when they go.
///
/// As those of ``StoreRules``, they note what they find wrong with the row that is being looked at.
struct AttachmentRules {
    let tables: Tables
    /// Where the files of attachments are; nil where nobody looks for them.
    let files: String?
    /// How often something refers to an attachment, by its key.
    private(set) var uses: [[UInt8]: UInt32] = [:]
    /// What the attachments of an app add up to.
    ///
    /// Bounded: names of apps, which were validated.
    private(set) var owners: [String: AttachmentOwnerRecord] = [:]

    init(tables: Tables, files: String?) {
        self.tables = tables
        self.files = files
    }

    /// What a request holds is there, and the request is pending, arriving or delivered.
    mutating func checkUses(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction,
        noting found: inout [String]
    ) throws(LMDBError) {
        let sequence = try StoreRules.numbers(key, 8)[0]
        let record = try AttachmentUseRecord(value)
        // What does not decode is told where it is walked.
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
        // One that does not decode is told where the attachments are walked.
        if let stored = try? transaction.attachment(identifier, of: app, tables),
            stored.sound == nil
        {
            found.append("its attachment \(identifier.text) is no sound")
        }
    }

    /// An app's picture is there.
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

    /// Something refers to an attachment that is there.
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

    /// A request that is pending, arriving or delivered holds what it refers to.
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

    /// An attachment is of an app, has its file, and goes where nothing refers to it.
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

    /// What an app's attachments add up to is what its row says.
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

    /// A row of the index of what goes is what its attachment says.
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
        // One that does not decode is told where the attachments are walked.
        if let record = try? AttachmentRecord(bytes), record.unreferencedUntil?.nanoseconds != end {
            found.append("its attachment goes at another instant")
        }
    }
}
