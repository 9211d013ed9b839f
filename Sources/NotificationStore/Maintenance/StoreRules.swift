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
    /// The transaction from which the rules read; nil while no row is being checked.
    var reading: CheckReading?
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

    /// Reads the rows that a rule compares; only while a row is being checked.
    var transaction: ReadTransaction {
        _read {
            guard let reading else { preconditionFailure("the rules read outside of a check") }
            yield reading.transaction
        }
    }

    /// The problems of one row; empty for a sound row.
    ///
    /// - Throws: The error of LMDB for a damaged file.
    mutating func problems(
        in name: TableName,
        _ key: [UInt8],
        _ value: [UInt8]
    ) throws(StoreFailure) -> [String] {
        found = []
        do throws(StoreFailure) {
            try check(name, key, value)
        } catch {
            guard error.row != nil else { throw error }
            found.append("does not decode")
        }
        try count(name, key, found.isEmpty ? value.count : nil)
        return found
    }

    private mutating func check(
        _ name: TableName,
        _ key: [UInt8],
        _ value: [UInt8]
    ) throws(StoreFailure) {
        switch name {
        case .meta: try checkMeta(key, value)
        case .categories: try checkCategory(key, value)
        case .actionMeanings: try checkActionMeaning(key, value)
        case .stringTables: try checkStringTable(key, value)
        case .apps: try checkApp(key, value)
        case .prompts: try checkPrompt(key, value)
        case .leaving: try checkLeaving(key, value)
        case .identifiers: try checkIdentifier(key, value)
        case .callbacks: try checkCallback(key, value)
        case .endedCallbacks: try checkEndedCallback(key, value)
        case .serviceArrivals: try checkServiceArrival(key, value)
        case .extensionQuestions: try checkExtensionQuestion(key, value)
        case .dueElapsed: try checkDueElapsed(key, value)
        case .dueWall: try checkDueWall(key, value)
        case .zones: try checkZone(key, value)
        case .zoneVersions: _ = try tables.zoneVersions.row(value, at: key)
        case .delivered: try checkDelivered(key, value)
        case .snoozed: try checkSnoozed(key, value)
        case .events: try checkEvent(key, value)
        case .centers: try checkCenter(key, value)
        case .endedNumbers:
            _ = (try tables.endedNumbers.key(key), try tables.endedNumbers.row(value, at: key))
        case .expiry: try checkExpiry(key, value)
        case .centerNumbers: try checkCenterNumber(key, value)
        case .released: try checkReleased(key, value)
        case .records: try checkRecord(key, value)
        case .devices: try checkDevice(key, value)
        case .focusChanges: try checkFocusChange(key, value)
        case .unlockWaits: try checkUnlockWait(key, value)
        case .webPushes:
            guard isDevice(key) else { throw tables.webPushes.error(.undecodable, key) }
            _ = try tables.webPushes.row(value, at: key)
        case .sounds: try checkSound(key, value)
        case .attachmentUses: try checkAttachmentUses(key, value)
        case .attachments:
            try checkAttachment(key, value)
            let file = try tables.attachments.row(value, at: key)
            try count(file.registrant) { $0.fileBytes &+= file.byteCount }
        case .attachmentOwners: try checkAttachmentOwner(key, value)
        case .attachmentExpiry: try checkAttachmentExpiry(key, value)
        case .registrations: try checkRegistration(key, value)
        case .deviceTokens: try checkDeviceToken(key, value)
        case .endedTokens: try checkEndedToken(key, value)
        case .backgroundPushes: try checkBackgroundPush(key, value)
        case .backgroundWork: try checkBackgroundWork(key, value)
        case .pushReceipts: try checkPushReceipt(key, value)
        case .pushOrder: try checkPushOrder(key, value)
        case .tags: try checkTag(key, value)
        case .tagPushes: try checkTagPush(key, value)
        case .tagPushOutcomes: try checkTagPushOutcome(key, value)
        case .richInbox: try checkRichInbox(key, value)
        case .richAddressees: try checkRichAddressee(key, value)
        case .richPushes: try checkRichPush(key, value)
        case .pushWork: try checkPushWork(key, value)
        case .pushDates: try checkPushDate(key, value)
        case .pushOwners: try checkPushOwner(key, value)
        case .accounts: try checkAccount(key, value)
        case .registrants: try checkRegistrant(key, value)
        case .idempotency: try checkIdempotency(key, value)
        case .keyOwners: try checkKeyOwner(key, value)
        case .regions: try checkRegion(key, value)
        case .regionNames: try checkRegionName(key, value)
        case .regionStates: try checkRegionState(key, value)
        case .sensors: try checkSensors(key, value)
        case .sensorWork: try checkSensorWork(key, value)
        case .openCommands: try checkOpenCommand(key, value)
        case .locationAccess: try checkLocationAccess(key, value)
        }
    }

    /// Counts a row for its owner.
    ///
    /// `byteCount` is the bytes of the row; nil for one with a problem, which may go.
    private mutating func count(
        _ name: TableName,
        _ key: [UInt8],
        _ byteCount: Int?
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

    /// Notes a problem where the row of a key is not there.
    mutating func require<Key, Row>(
        _ key: Key,
        in table: TypedTable<Key, Row>,
        _ problem: @autoclosure () -> String
    ) throws(StoreFailure) {
        if try !transaction.contains(key, in: table) { found.append(problem()) }
    }

    /// Reads a row, and notes a problem where it is not there; nil also where it does not decode.
    mutating func look<Key, Row>(
        at key: Key,
        in table: TypedTable<Key, Row>,
        orElse problem: @autoclosure () -> String
    ) throws(StoreFailure) -> Row? {
        let row = try transaction.found(key, in: table)
        if row.isMissing { found.append(problem()) }
        return row.row
    }

    /// Notes the value of a row whose key holds everything.
    mutating func requireEmpty(_ value: [UInt8]) {
        if !value.isEmpty { found.append("has a value") }
    }

    mutating func checkCenterExists(_ center: CenterNumber) throws(StoreFailure) {
        try require(center, in: tables.centers, "is of center \(center), which is not there")
    }

    /// The number of a row was given before.
    mutating func checkIsGiven<Number: SerialNumber>(_ number: Number)
    where Number.RawValue == UInt64 {
        if number.rawValue >= state.nextSequence { found.append("its number is still to be given") }
    }

    /// The request that an identifier names exists and has this identifier.
    mutating func checkRequest(
        _ sequence: RequestNumber,
        isOf key: IdentifierKey
    ) throws(StoreFailure) {
        guard let own = try identifierKey(ofRequest: sequence) else { return }
        if own != key { found.append("stands for request \(sequence), of another one") }
    }

    /// The record of a request's identifier; nil, with a note, where it cannot be found.
    mutating func identifier(
        ofRequest sequence: RequestNumber
    ) throws(StoreFailure) -> IdentifierRecord? {
        guard let key = try identifierKey(ofRequest: sequence) else { return nil }
        return try identifier(key)
    }

    /// The record of an identifier; nil where its row does not decode.
    func identifier(_ key: IdentifierKey) throws(StoreFailure) -> IdentifierRecord? {
        switch try transaction.found(key, in: tables.identifiers) {
        case .missing: IdentifierRecord()
        case .damaged: nil
        case .row(let record): record
        }
    }

    /// The key of a request's identifier; nil, with a note, where there is no such request.
    mutating func identifierKey(
        ofRequest sequence: RequestNumber
    ) throws(StoreFailure) -> IdentifierKey? {
        guard let record = try record(of: sequence) else { return nil }
        return IdentifierKey(record.request.identifier, of: record.center)
    }

    /// The record of a request; nil, with a note, where it is gone.
    mutating func record(of request: RequestNumber) throws(StoreFailure) -> RequestRecord? {
        try look(
            at: request,
            in: tables.records,
            orElse: "stands for request \(request), which is gone"
        )
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
