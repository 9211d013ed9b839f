internal import BelfryLMDB
internal import NotificationCore

/// What holds between the tables of a store, row by row: each rule is a function that notes what
/// it finds wrong with one row.
///
/// A rule reads other rows by their keys and keeps no rows, so that a large store can be checked:
/// what is kept is a few numbers for each center and a bit for each request.
struct StoreRules {
    /// The tables in the order in which they are walked: the rules of a later one use what was
    /// counted in an earlier one.
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

    /// What the rows of a center add up to.
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
    /// The rules on attachments, with what they counted.
    var attachments: AttachmentRules
    var tallies: [UInt32: Tally] = [:]
    /// The requests that something other than an identifier's row refers to.
    var referred = SequenceSet()
    /// What was found wrong with the row that is being looked at.
    var found: [String] = []

    init(tables: Tables, state: StoreState, files: String? = nil) {
        self.tables = tables
        self.state = state
        attachments = AttachmentRules(tables: tables, files: files)
    }

    func table(_ name: TableName) -> Table { name.table(in: tables) }

    /// What is wrong with one row; nothing where all is well.
    ///
    /// - Throws: What LMDB reports of a damaged file.
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

    /// The request that an identifier stands for is there and has this identifier.
    mutating func checkRequest(
        _ sequence: UInt64,
        isOf key: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) {
        guard let own = try identifierKey(ofRequest: sequence, transaction) else { return }
        if own != key { found.append("stands for request \(sequence), of another one") }
    }

    /// What a request's identifier stands for; nil where that cannot be told, which is noted.
    mutating func identifier(
        ofRequest sequence: UInt64,
        _ transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> IdentifierRecord? {
        guard let key = try identifierKey(ofRequest: sequence, transaction) else { return nil }
        return try identifier(key, transaction)
    }

    /// What an identifier stands for; nil where its row does not decode, which is told where the
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
        // One that does not decode is told where the records are walked.
        guard let record = try? RequestRecord(bytes) else { return nil }
        return Key.identifier(record.request.identifier, center: record.center)
    }

    /// The numbers that a key or a value is made of, of the sizes that are given in bytes.
    static func numbers(_ bytes: [UInt8], _ sizes: Int...) throws(LMDBError) -> [UInt64] {
        guard let numbers = KeyText.numbers(bytes, sizes) else { throw ByteReader.corrupted }
        return numbers
    }
}

/// Sequence numbers, a bit for each: those of a large store have room where a `Set` has not.
struct SequenceSet {
    private var words: [UInt64: UInt64] = [:]

    mutating func insert(_ sequence: UInt64) {
        words[sequence / 64, default: 0] |= 1 << (sequence % 64)
    }

    func contains(_ sequence: UInt64) -> Bool {
        words[sequence / 64, default: 0] & 1 << (sequence % 64) != 0
    }
}
