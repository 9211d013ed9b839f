internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

/// The rules that hold between the tables of a store: each rule is a function that notes the
/// problems of one row.
///
/// A rule reads other rows by their keys and keeps no rows, so that a large store can be checked:
/// only a few numbers for each center and a bit for each request are kept.
struct StoreRules {
    /// The pending requests of a center.
    struct Pending {
        var count = 0
        /// Bytes of the store that they take; nil where a record cannot be read.
        var bytes: Int? = 0
    }

    /// The log of a center.
    struct Events {
        var first: EventNumber?
        var last: EventNumber = 0
        /// Whether the last row does not decode, so that there may be more events in it.
        var isCutShort = false
        var bytes = 0
        /// How many of the bytes tell of settings.
        var settingsBytes = 0
    }

    /// The counts of a center's rows.
    struct Tally {
        var pending = Pending()
        var delivered = 0
        var held = 0
        var snoozed = 0
        var arriving = 0
        var openResponses = 0
        var endedCallbacks = 0
        var events = Events()
        var categories = CategoryTotals()
        /// Bytes of the rows that are counted where they are written; nil where one of them has
        /// another problem, which is mended first.
        var rowBytes: Int? = 0
    }

    let tables: Tables
    let state: StoreState
    var attachments: AttachmentSums
    var tallies: [CenterNumber: Tally] = [:]
    /// The counts of each app's pushes.
    ///
    /// Bounded: names of apps, which were validated.
    var pushOwners: [String: PushOwnerRecord] = [:]
    /// The totals of each caller, counted from the rows.
    ///
    /// Bounded: names of callers, as the rows have them.
    var registrants: [String: RegistrantRecord] = [:]
    /// The bytes of the rows of each app and device.
    ///
    /// Bounded: names of apps and devices, which were validated.
    var accounts: [AccountKey: AccountRecord] = [:]
    /// The accounts of which a row has a problem, so that their bytes are not compared.
    var uncertainAccounts: Set<AccountKey> = []
    /// The requests with a reference other than an identifier's row.
    var referred = RequestSet()
    /// The problems of the row that is being checked.
    var found: [String] = []

    init(tables: Tables, state: StoreState, files: String? = nil) {
        self.tables = tables
        self.state = state
        attachments = AttachmentSums(files: files)
    }

    /// The problems of one row; empty for a sound row.
    ///
    /// - Throws: The error of LMDB for a damaged file.
    mutating func problems(
        in name: TableName,
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(StoreFailure) -> [String] {
        found = []
        do throws(StoreFailure) {
            try check(name, key, value, transaction)
        } catch {
            guard error.row != nil else { throw error }
            found.append("does not decode")
        }
        try count(name, key, found.isEmpty ? value.count : nil, transaction)
        return found
    }

    private mutating func check(
        _ name: TableName,
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing ReadTransaction
    ) throws(StoreFailure) {
        switch name {
        case .meta: try checkMeta(key, value)
        case .categories, .actionMeanings: try checkCategories(name, key, value, transaction)
        case .stringTables: try checkStringTable(key, value)
        case .apps: try checkApp(key, value, transaction)
        case .prompts: try checkPrompt(key, value, transaction)
        case .leaving: try checkLeaving(key, value, transaction)
        case .identifiers: try checkIdentifier(key, value, transaction)
        case .callbacks: try checkCallback(key, value, transaction)
        case .endedCallbacks: try checkEndedCallback(key, value, transaction)
        case .serviceArrivals: try checkServiceArrival(key, value, transaction)
        case .extensionQuestions: try checkExtensionQuestion(key, value, transaction)
        case .dueElapsed: try checkDueElapsed(key, value, transaction)
        case .dueWall: try checkDueWall(key, value, transaction)
        case .zones: try checkZone(key, value, transaction)
        case .zoneVersions: _ = try tables.zoneVersions.row(value, at: key)
        case .delivered: try checkDelivered(key, value, transaction)
        case .snoozed: try checkSnoozed(key, value, transaction)
        case .events: try checkEvent(key, value, transaction)
        case .centers: try checkCenter(key, value, transaction)
        case .endedNumbers: try checkEndedNumbers(key, value)
        case .expiry: try checkExpiry(key, value, transaction)
        case .centerNumbers: try checkCenterNumber(key, value, transaction)
        case .released: try checkReleased(key, value, transaction)
        case .records: try checkRecord(key, value, transaction)
        case .devices: try checkDevice(key, value, transaction)
        case .focusChanges: try checkFocusChange(key, value, transaction)
        case .unlockWaits: try checkUnlockWait(key, value)
        case .webPushes: try checkWebPushes(key, value)
        case .sounds: try checkSound(key, value, transaction)
        case .attachmentUses: try checkAttachmentUses(key, value, transaction)
        case .attachments:
            try checkAttachment(key, value, transaction)
            let file = try tables.attachments.row(value, at: key)
            try count(file.registrant, transaction) { $0.fileBytes &+= file.byteCount }
        case .attachmentOwners: try checkAttachmentOwner(key, value)
        case .attachmentExpiry: try checkAttachmentExpiry(key, value, transaction)
        case .registrations: try checkRegistration(key, value, transaction)
        case .deviceTokens: try checkDeviceToken(key, value, transaction)
        case .endedTokens: try checkEndedToken(key, value, transaction)
        case .backgroundPushes: try checkBackgroundPush(key, value, transaction)
        case .backgroundWork: try checkBackgroundWork(key, value, transaction)
        case .pushReceipts: try checkPushReceipt(key, value, transaction)
        case .pushOrder: try checkPushOrder(key, value, transaction)
        case .tags: try checkTag(key, value, transaction)
        case .tagPushes: try checkTagPush(key, value, transaction)
        case .tagPushOutcomes: try checkTagPushOutcome(key, value, transaction)
        case .richInbox: try checkRichInbox(key, value, transaction)
        case .richAddressees: try checkRichAddressee(key, value, transaction)
        case .richPushes: try checkRichPush(key, value, transaction)
        case .pushWork: try checkPushWork(key, value, transaction)
        case .pushDates: try checkPushDate(key, value, transaction)
        case .pushOwners: try checkPushOwner(key, value)
        case .accounts: try checkAccount(key, value, transaction)
        case .registrants: try checkRegistrant(key, value)
        case .idempotency: try checkIdempotency(key, value, transaction)
        case .keyOwners: try checkKeyOwner(key, value, transaction)
        case .regions: try checkRegion(key, value, transaction)
        case .regionNames: try checkRegionName(key, value, transaction)
        case .regionStates: try checkRegionState(key, value, transaction)
        case .sensors: try checkSensors(key, value)
        case .sensorWork: try checkSensorWork(key, value)
        case .openCommands: try checkOpenCommand(key, value)
        case .locationAccess: try checkLocationAccess(key, value, transaction)
        }
    }

    private func checkEndedNumbers(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        _ = (try tables.endedNumbers.key(key), try tables.endedNumbers.row(value, at: key))
    }

    /// Counts a row for its owner.
    ///
    /// `byteCount` is the bytes of the row; nil for one with a problem, which may go.
    private mutating func count(
        _ name: TableName,
        _ key: [UInt8],
        _ byteCount: Int?,
        _ transaction: borrowing ReadTransaction
    ) throws(StoreFailure) {
        guard let row = name.count(of: key, bytes: byteCount ?? 0) else { return }
        var center: CenterNumber?
        switch row.owner {
        case .center(let number): center = number
        case .named(let name):
            center = try transaction.found(name, in: tables.centerNumbers).row
        case .app, .device:
            guard let key = AccountKey(row.owner) else { return }
            accounts[key, default: AccountRecord()].byteCount += row.byteCount
            if byteCount == nil { uncertainAccounts.insert(key) }
        }
        guard let center else { return }
        var tally = tallies[center] ?? Tally()
        tally.rowBytes = byteCount == nil ? nil : tally.rowBytes.map { $0 + row.byteCount }
        tallies[center] = tally
    }

    // MARK: Shared by the rules

    mutating func checkCenterExists(
        _ center: CenterNumber,
        _ transaction: borrowing ReadTransaction
    ) throws(StoreFailure) {
        if try !transaction.contains(center, in: tables.centers) {
            found.append("is of center \(center), which is not there")
        }
    }

    /// The number of a row was given before.
    mutating func checkIsGiven<Number: SerialNumber>(_ number: Number)
    where Number.RawValue == UInt64 {
        if number.rawValue >= state.nextSequence { found.append("its number is still to be given") }
    }

    /// The request that an identifier names exists and has this identifier.
    mutating func checkRequest(
        _ sequence: RequestNumber,
        isOf key: IdentifierKey,
        _ transaction: borrowing ReadTransaction
    ) throws(StoreFailure) {
        guard let own = try identifierKey(ofRequest: sequence, transaction) else { return }
        if own != key { found.append("stands for request \(sequence), of another one") }
    }

    /// The record of a request's identifier; nil, with a note, where it cannot be found.
    mutating func identifier(
        ofRequest sequence: RequestNumber,
        _ transaction: borrowing ReadTransaction
    ) throws(StoreFailure) -> IdentifierRecord? {
        guard let key = try identifierKey(ofRequest: sequence, transaction) else { return nil }
        return try identifier(key, transaction)
    }

    /// The record of an identifier; nil where its row does not decode.
    func identifier(
        _ key: IdentifierKey,
        _ transaction: borrowing ReadTransaction
    ) throws(StoreFailure) -> IdentifierRecord? {
        switch try transaction.found(key, in: tables.identifiers) {
        case .missing: IdentifierRecord()
        case .damaged: nil
        case .row(let record): record
        }
    }

    /// The key of a request's identifier; nil, with a note, where there is no such request.
    mutating func identifierKey(
        ofRequest sequence: RequestNumber,
        _ transaction: borrowing ReadTransaction
    ) throws(StoreFailure) -> IdentifierKey? {
        switch try transaction.found(sequence, in: tables.records) {
        case .missing:
            found.append("stands for request \(sequence), which is gone")
            return nil
        case .damaged: return nil
        case .row(let record):
            return IdentifierKey(record.request.identifier, of: record.center)
        }
    }
}

/// A set of requests with one bit for each: a `Set` of a large store's numbers would not
/// fit in memory.
struct RequestSet {
    private var words: [UInt64: UInt64] = [:]

    mutating func insert(_ sequence: RequestNumber) {
        words[sequence.rawValue / 64, default: 0] |= 1 << (sequence.rawValue % 64)
    }

    func contains(_ sequence: RequestNumber) -> Bool {
        words[sequence.rawValue / 64, default: 0] & 1 << (sequence.rawValue % 64) != 0
    }
}
