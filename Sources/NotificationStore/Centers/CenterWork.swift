internal import NotificationCore
internal import NotificationRecords

/// The room of one center in a batch: the center's state as the batch changes it.
///
/// Commands and due work add, fire, deliver, remove and respond through the room. All commands of a
/// batch share one room for each center, so that each command sees the changes of earlier commands;
/// the room writes the state back once, when the batch finishes. Used by the writer thread alone.
final class CenterWork {
    let batch: Batch
    let number: CenterNumber
    /// The center as the batch leaves it.
    var state: CenterState
    private let stored: CenterState?
    /// The center's oldest deliveries, which ``DeliveredList`` read ahead.
    var oldestDeliveries = OldestDeliveries()
    /// The identifiers to which something happened.
    var named: [String] = []
    /// The caller for whom the app counts; nil until it is read.
    private var knownRegistrant: String?
    /// The identifiers that were read.
    private var identifiers = IdentifierTable()
    /// The center's newest events and its oldest ones, where ``EventLog`` works on them.
    var openRun: OpenRun?
    var oldestRun: OldestRun?

    init(_ number: CenterNumber, of stored: CenterState, in batch: Batch) {
        self.batch = batch
        self.number = number
        state = stored
        self.stored = stored
    }

    /// The room of a center that the batch registers.
    init(registering center: CenterState, as number: CenterNumber, in batch: Batch) {
        self.batch = batch
        self.number = number
        state = center
        stored = nil
    }

    var name: CenterName { state.name }

    /// Whether the app is in front; the same throughout the batch, while the clock stands.
    var presence: AppPresence { batch.presence(of: number) }

    var appState: AppState { batch.context.apps.appState(of: number, at: batch.now.elapsed) }

    /// Whether a subscription is the primary, through which the app is asked.
    func isPrimary(_ subscription: String) -> Bool {
        batch.context.apps.isPrimary(subscription, of: number, at: batch.now.elapsed)
    }

    /// Whether a connected primary subscriber, or a connected extension, answers a question.
    func isAsked(_ question: CallbackRecord.Question) -> Bool {
        let capability: DelegateCapabilities
        switch question {
        case .willPresent: capability = .willPresent
        case .didReceive: capability = .didReceive
        case .backgroundPush: capability = .backgroundPush
        case .content(let act):
            return batch.context.extensions.isConnected(
                .content,
                named: act.contentExtension,
                for: name.app
            )
        case .service:
            return batch.context.extensions.isConnected(.service, named: "", for: name.app)
        }
        return batch.context.apps.isConnected(capability, of: number)
    }

    func device() throws(StoreFailure) -> DeviceState { try batch.device(name.device) }

    /// The state of the center's device as it decides about notifications now: without a Focus that
    /// its schedule has turned off (QH-2).
    func decisiveDevice() throws(StoreFailure) -> Boxed<DeviceState> {
        try batch.decisiveDevice(name.device)
    }

    /// When each act that waits for the unlock is dropped, by its notification: no limit removes
    /// these notifications before.
    func unlockDeadlines() throws(StoreFailure) -> [DeliveryNumber: ElapsedInstant] {
        try UnlockWaits(batch: batch, device: name.device).deadlines(of: number)
    }

    func app() throws(StoreFailure) -> AppRecord {
        // A file from before registrations has only the center.
        try batch.transaction.rowIfAny(number, in: batch.tables.apps)
            ?? AppRecord(registeredAt: batch.now.wall)
    }

    /// The caller for whom the app counts, as ``AppRecord/registrant`` has it; read once.
    ///
    /// An app whose row is damaged counts for nobody.
    func registrant() throws(StoreFailure) -> String {
        if let knownRegistrant { return knownRegistrant }
        let name =
            try batch.reportingDamage { () throws(StoreFailure) in try app().registrant } ?? ""
        knownRegistrant = name
        return name
    }

    func setApp(_ app: AppRecord) throws(StoreFailure) {
        batch.hasChanged = true
        knownRegistrant = app.registrant
        try batch.transaction.put(app, at: number, in: batch.tables.apps)
    }

    /// Notes news for the watchers of the center's device.
    func tell(_ news: @autoclosure () -> DeviceNews) { batch.tell(news(), on: name.device) }

    func reference(_ identifier: String, _ delivery: DeliveryNumber) -> NotificationReference {
        NotificationReference(center: name, identifier: identifier, delivery: delivery)
    }

    // MARK: What is in the room

    var events: EventLog { EventLog(center: self) }
    var records: RequestRecords { RequestRecords(center: self) }
    /// The rows by which pending requests are found when they are due.
    var schedule: Schedule { Schedule(center: self) }
    var occurrences: Occurrences { Occurrences(center: self) }
    var delivered: DeliveredList { DeliveredList(center: self) }
    /// The replacement keys of notifications, and the identifiers that have them.
    var replacementKeys: ReplacementKeys { ReplacementKeys(center: self) }
    /// The notifications that the person snoozed.
    var snoozed: SnoozedList { SnoozedList(center: self) }
    /// The notifications that wait for the scheduled summary.
    var summary: HeldSummary { HeldSummary(center: self) }
    var callbacks: Callbacks { Callbacks(center: self) }
    /// The pushes that wait for the app's service extension.
    var serviceArrivals: ServiceArrivals { ServiceArrivals(center: self) }
    /// The prompts to the person about the app.
    var prompts: Prompts { Prompts(center: self) }

    /// The pushes on which the app works in the background.
    var backgroundPushes: BackgroundPushes { BackgroundPushes(center: self) }
    /// The registration of the app for pushes.
    var remote: RemoteRegistration { RemoteRegistration(center: self) }
    /// The center's news for the watchers of its device.
    var news: CenterNews { CenterNews(center: self) }
    /// The removal of the center, once its app is unregistered.
    var departure: Departure { Departure(center: self) }

    // MARK: Identifiers

    func identifier(_ name: String) throws(StoreFailure) -> IdentifierWork {
        try identifiers.identifier(name) { () throws(StoreFailure) in
            let key = IdentifierKey(name, of: number).bytes
            let table = batch.tables.identifiers
            let row = try batch.transaction.bytes(at: key, in: table)
            return try IdentifierWork(name, row, at: key, in: table)
        }
    }

    /// Reads keys of the center's rows in a table: all keys, or the keys behind `position`.
    ///
    /// - Complexity: O(log *n* + *k*) in the keys that it gives.
    func keys<Key: CenterOwnedKey, Row>(
        in table: TypedTable<Key, Row>,
        after position: Key? = nil,
        atMost limit: Int = .max
    ) throws(StoreFailure) -> [Key] {
        if table.name == .identifiers { try writeIdentifiers() }
        let prefix = KeyPrefix<Key>.center(number)
        return try batch.transaction.keys(in: table, prefix, after: position, atMost: limit)
    }

    // MARK: The end of the batch

    /// Whether the center differs from the stored center.
    var isChanged: Bool { stored != state }

    /// Writes the identifiers that changed.
    ///
    /// Called at the end of the batch, and before a loop over the table.
    func writeIdentifiers() throws(StoreFailure) {
        for identifier in identifiers.all { try identifier.write(batch) }
    }

    /// Writes the center, and adds the growth of its counts to the totals.
    func write() throws(StoreFailure) {
        try countStoreBytes()
        try events.writeRuns()
        batch.state.totals += StoreTotals(of: state)
        leaveTotals()
        try batch.transaction.put(CenterRecord(state), at: number, in: batch.tables.centers)
    }
}

extension CenterWork {
    /// Subtracts the stored center's counts from the totals.
    func leaveTotals() {
        if let stored { batch.state.totals -= StoreTotals(of: stored) }
    }
}

/// The state of one identifier of a center in a batch; the room writes it back.
final class IdentifierWork {
    let name: String
    let key: [UInt8]
    /// The identifier's record, as the batch changes it.
    var record: IdentifierRecord
    /// The request whose occurrence is being settled and has no event yet: its record stays,
    /// whichever older event is trimmed meanwhile.
    var settling: RequestNumber?
    /// The row as it is stored; empty where there is none.
    private var stored: [UInt8]

    /// Begins with the row that was read; nil where there is none.
    fileprivate init(
        _ name: String,
        _ row: [UInt8]?,
        at key: [UInt8],
        in table: TypedTable<IdentifierKey, IdentifierRecord>
    ) throws(StoreFailure) {
        self.name = name
        self.key = key
        record = if let row { try table.row(row, at: key) } else { IdentifierRecord() }
        stored = row ?? []
    }

    /// The row as the batch leaves it; empty where nothing exists under the identifier.
    private var row: [UInt8] { record.isEmpty ? [] : record.bytes }

    var isChanged: Bool { row != stored }

    /// The error for a row that contradicts another row.
    func disagreement(in batch: Batch) -> StoreFailure {
        batch.tables.identifiers.error(.disagrees, key)
    }

    /// Writes the row if it changed, or deletes it where nothing exists under the identifier any
    /// more.
    fileprivate func write(_ batch: Batch) throws(StoreFailure) {
        let row = row
        guard row != stored else { return }
        batch.hasChanged = true
        let table = batch.tables.identifiers.raw
        if row.isEmpty {
            // The row was read, or written by the batch.
            _ = try batch.transaction.remove(key, in: table, wasRead: true)
        } else {
            try batch.transaction.set(row, at: key, in: table, isNew: stored.isEmpty)
        }
        stored = row
    }
}

/// The identifiers of a center that a batch has read, by their names.
///
/// A firing and an add look for them so often that growing a dictionary, which hashes each name
/// again, was a twentieth of their work.
private struct IdentifierTable {
    /// In the order in which they were read.
    ///
    /// Bounded: a batch touches a limited number of rows.
    private(set) var all: [IdentifierWork] = []
    /// The hashes of their names.
    private var hashes: [Int] = []
    /// For each place of a hash, the number of the identifier there, from 1 on; half of them are 0.
    private var places = [UInt32](repeating: 0, count: 32)

    /// The identifier of a name; `read` reads one that is not known.
    mutating func identifier(
        _ name: String,
        _ read: () throws(StoreFailure) -> IdentifierWork
    ) throws(StoreFailure) -> IdentifierWork {
        // Apps choose the names, so the hash is one whose seed they do not know.
        let hash = ExactText(name).hashValue
        var place = hash & (places.count - 1)
        while places[place] != 0 {
            let index = Int(places[place]) - 1
            if hashes[index] == hash, all[index].name.isExactly(name) { return all[index] }
            place = (place + 1) & (places.count - 1)
        }
        let identifier = try read()
        all.append(identifier)
        hashes.append(hash)
        places[place] = UInt32(all.count)
        if 2 * all.count > places.count { grow() }
        return identifier
    }

    private mutating func grow() {
        places = [UInt32](repeating: 0, count: 4 * places.count)
        for (index, hash) in hashes.enumerated() {
            var place = hash & (places.count - 1)
            while places[place] != 0 { place = (place + 1) & (places.count - 1) }
            places[place] = UInt32(index + 1)
        }
    }
}
