internal import BelfryLMDB
internal import NotificationCore

/// The rules that hold between the tables of a store: each rule is a function that notes the
/// problems of one row.
///
/// A rule reads other rows by their keys and keeps no rows, so that a large store can be checked:
/// only a few numbers for each center and a bit for each request are kept.
struct StoreRules {
    /// The tables in the order in which they are walked: the rules of a later table use the counts
    /// of an earlier table.
    enum TableName: String, CaseIterable {
        case meta
        case categories
        case stringTables = "string_tables"
        case identifiers
        case callbacks
        case endedCallbacks = "ended_callbacks"
        case dueElapsed = "due_elapsed"
        case dueWall = "due_wall"
        case zones
        case zoneVersions = "zone_versions"
        case delivered
        case events
        case apps
        case prompts
        case leaving
        case centers
        case expiry
        case centerNumbers = "center_numbers"
        case records
        case devices
        case unlockWaits = "unlock_waits"
        case sounds
        case attachmentUses = "attachment_uses"
        case attachments
        case attachmentOwners = "attachment_owners"
        case attachmentExpiry = "attachment_expiry"
        case idempotency
    }

    /// The counts of a center's rows.
    struct Tally {
        var pending = 0
        var delivered = 0
        var held = 0
        var arriving = 0
        var openResponses = 0
        var endedCallbacks = 0
        var firstEvent: UInt64?
        var lastEvent: UInt64 = 0
        var eventBytes = 0
        var categories = 0
        var categoryBytes = 0
    }

    let tables: Tables
    let state: StoreState
    /// The rules on attachments, with their counts.
    var attachments: AttachmentRules
    var tallies: [UInt32: Tally] = [:]
    /// The requests with a reference other than an identifier's row.
    var referred = SequenceSet()
    /// The problems of the row that is being checked.
    var found: [String] = []

    init(tables: Tables, state: StoreState, files: String? = nil) {
        self.tables = tables
        self.state = state
        attachments = AttachmentRules(tables: tables, files: files)
    }

    func table(_ name: TableName) -> Table { name.table(in: tables) }

    /// The problems of one row; empty for a sound row.
    ///
    /// - Throws: The error of LMDB for a damaged file.
    mutating func problems(
        in name: TableName,
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> [String] {
        found = []
        do throws(LMDBError) {
            switch name {
            case .meta: try checkMeta(key, value)
            case .categories: try checkCategory(key, value, transaction)
            case .stringTables: try checkStringTable(key, value)
            case .apps: try checkApp(key, value, transaction)
            case .prompts: try checkPrompt(key, value, transaction)
            case .leaving: try checkLeaving(key, value, transaction)
            case .identifiers: try checkIdentifier(key, value, transaction)
            case .callbacks: try checkCallback(key, value, transaction)
            case .endedCallbacks: try checkEndedCallback(key, value, transaction)
            case .dueElapsed: try checkDueElapsed(key, value, transaction)
            case .dueWall: try checkDueWall(key, value, transaction)
            case .zones: try checkZone(key, value, transaction)
            case .zoneVersions: if value.count != 16 { throw ByteReader.corrupted }
            case .delivered: try checkDelivered(key, value, transaction)
            case .events: try checkEvent(key, value, transaction)
            case .centers: try checkCenter(key, value, transaction)
            case .expiry: try checkExpiry(key, value, transaction)
            case .centerNumbers: try checkCenterNumber(key, value, transaction)
            case .records: try checkRecord(key, value, transaction)
            case .devices: try checkDevice(key, value)
            case .unlockWaits: try checkUnlockWait(key, value)
            case .sounds: try attachments.checkSound(key, value, transaction, noting: &found)
            case .attachmentUses: try attachments.checkUses(key, value, transaction, noting: &found)
            case .attachments:
                try attachments.checkAttachment(key, value, transaction, noting: &found)
            case .attachmentOwners: try attachments.checkOwner(key, value, noting: &found)
            case .attachmentExpiry:
                try attachments.checkExpiry(key, value, transaction, noting: &found)
            case .idempotency: try checkIdempotency(key, value)
            }
        } catch {
            guard error.isDamagedRow else { throw error }
            found.append("does not decode")
        }
        return found
    }

    // MARK: What rules have in common

    mutating func checkCenterExists(
        _ center: UInt32,
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        if try !transaction.contains(key: Key.number(center), in: tables.centers) {
            found.append("is of center \(center), which is not there")
        }
    }

    /// The request that an identifier names exists and has this identifier.
    mutating func checkRequest(
        _ sequence: UInt64,
        isOf key: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        guard let own = try identifierKey(ofRequest: sequence, transaction) else { return }
        if own != key { found.append("stands for request \(sequence), of another one") }
    }

    /// The record of a request's identifier; nil, with a note, where it cannot be found.
    mutating func identifier(
        ofRequest sequence: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> IdentifierRecord? {
        guard let key = try identifierKey(ofRequest: sequence, transaction) else { return nil }
        return try identifier(key, transaction)
    }

    /// The record of an identifier; nil where its row does not decode, which is reported where the
    /// identifiers are walked.
    func identifier(
        _ key: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> IdentifierRecord? {
        guard let bytes = try transaction.value(forKey: key, in: tables.identifiers) else {
            return IdentifierRecord()
        }
        return try? IdentifierRecord(bytes)
    }

    /// The key of a request's identifier; nil, with a note, where there is no such request.
    mutating func identifierKey(
        ofRequest sequence: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> [UInt8]? {
        let row = Key.number(sequence)
        guard let bytes = try transaction.value(forKey: row, in: tables.records) else {
            found.append("stands for request \(sequence), which is gone")
            return nil
        }
        // A record that does not decode is reported where the records are walked.
        guard let record = try? RequestRecord(bytes) else { return nil }
        return Key.identifier(record.request.identifier, center: record.center)
    }

    /// The numbers of a key or a value, by their sizes in bytes.
    static func numbers(_ bytes: [UInt8], _ sizes: Int...) throws(LMDBError) -> [UInt64] {
        guard let numbers = KeyText.numbers(bytes, sizes) else { throw ByteReader.corrupted }
        return numbers
    }
}

/// A set of sequence numbers with one bit for each: a `Set` of a large store's numbers would not
/// fit in memory.
struct SequenceSet {
    private var words: [UInt64: UInt64] = [:]

    mutating func insert(_ sequence: UInt64) {
        words[sequence / 64, default: 0] |= 1 << (sequence % 64)
    }

    func contains(_ sequence: UInt64) -> Bool {
        words[sequence / 64, default: 0] & 1 << (sequence % 64) != 0
    }
}
