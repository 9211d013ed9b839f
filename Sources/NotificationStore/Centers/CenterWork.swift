internal import BelfryLMDB
internal import NotificationCore

/// The room of one center in a batch: what the batch knows of the center, and what it will write.
///
/// Commands and due work ask it to add, fire, deliver, remove and respond. All of a batch share one
/// room for each center, so that each sees what those before it changed; the room writes it back
/// once, when the batch finishes. It is the writer thread's alone.
final class CenterWork {
    let batch: Batch
    let number: UInt32
    /// The center as the batch leaves it.
    var state: CenterState
    /// The center as the store has it; nil where the batch registered it.
    private let stored: CenterState?
    /// The identifiers that were read, by key.
    ///
    /// Bounded: a batch touches a limited number of rows.
    private var identifiers: [[UInt8]: IdentifierWork] = [:]

    /// The room of a center that the store has.
    init(_ number: UInt32, of stored: CenterState, in batch: Batch) {
        self.batch = batch
        self.number = number
        state = stored
        self.stored = stored
    }

    /// The room of a center that the batch registers.
    init(registering name: CenterName, as number: UInt32, in batch: Batch) {
        self.batch = batch
        self.number = number
        state = CenterState(name: name)
        stored = nil
    }

    /// Whose center it is.
    var name: CenterName { state.name }

    /// Whether the app is in front; the same throughout the batch, while the clock stands.
    var presence: AppPresence { batch.presence(of: number) }

    /// What the app is believed to do.
    var appState: AppState { batch.context.apps.appState(of: number, at: batch.now.elapsed) }

    /// Whether a subscription is the one that the app is asked through.
    func isPrimary(_ subscription: String) -> Bool {
        batch.context.apps.isPrimary(subscription, of: number, at: batch.now.elapsed)
    }

    /// Whether a subscriber is there that the app is asked something through.
    func isAsked(_ question: CallbackRecord.Question) -> Bool {
        let capability: DelegateCapabilities =
            switch question {
            case .willPresent: .willPresent
            case .didReceive: .didReceive
            }
        return batch.context.apps.isConnected(capability, of: number)
    }

    /// What the center's device is doing.
    func device() throws(LMDBError) -> DeviceState { try batch.device(name.device) }

    /// What the center's app is registered with.
    func app() throws(LMDBError) -> AppRecord {
        // A file that is older than registrations knows the centers alone.
        try batch.transaction.app(number, batch.tables) ?? AppRecord(registeredAt: batch.now.wall)
    }

    /// Writes what the center's app is registered with.
    func setApp(_ app: AppRecord) throws(LMDBError) {
        batch.hasChanged = true
        let key = Key.number(number)
        try batch.transaction.put(app.bytes, forKey: key, in: batch.tables.apps)
    }

    /// Notes something for those who watch the center's device.
    func tell(_ news: @autoclosure () -> DeviceNews) { batch.tell(news(), on: name.device) }

    /// Names a delivery of the center.
    func reference(_ identifier: String, _ delivery: UInt64) -> NotificationReference {
        NotificationReference(center: name, identifier: identifier, delivery: delivery)
    }

    // MARK: What is in the room

    /// The log of what happened.
    var events: EventLog { EventLog(center: self) }
    /// The rows of what the app asked to be notified of.
    var records: RequestRecords { RequestRecords(center: self) }
    /// The rows by which what is pending is found when it is due.
    var schedule: Schedule { Schedule(center: self) }
    /// What becomes of requests that fire.
    var occurrences: Occurrences { Occurrences(center: self) }
    /// The list of delivered notifications.
    var delivered: DeliveredList { DeliveredList(center: self) }
    /// What waits for the scheduled summary.
    var summary: HeldSummary { HeldSummary(center: self) }
    /// What the app is asked.
    var callbacks: Callbacks { Callbacks(center: self) }
    /// What the person is asked about the app.
    var prompts: Prompts { Prompts(center: self) }

    /// What those who watch the device are told of the center.
    var news: CenterNews { CenterNews(center: self) }
    /// The end of the center, once its app is taken off the device.
    var departure: Departure { Departure(center: self) }

    // MARK: Identifiers

    /// What an identifier stands for.
    func identifier(_ name: String) throws(LMDBError) -> IdentifierWork {
        let key = Key.identifier(name, center: number)
        if let known = identifiers[key] { return known }
        let record = try batch.transaction.identifierRecord(key: key, batch.tables)
        let identifier = IdentifierWork(name, key, record)
        identifiers[key] = identifier
        return identifier
    }

    /// Reads keys of the center's rows in a table, those behind `position` or all.
    ///
    /// - Complexity: O(log *n* + *k*) in the keys that it gives.
    func keys(
        in table: Table,
        after position: [UInt8]? = nil,
        atMost limit: Int
    ) throws(LMDBError) -> [[UInt8]] {
        guard limit > 0 else { return [] }
        if table == batch.tables.identifiers { try writeIdentifiers() }
        let prefix = Key.number(number)
        return try batch.transaction.keys(in: table, prefix, after: position, atMost: limit)
    }

    // MARK: The end of the batch

    /// Whether the center is not as the store has it.
    var isChanged: Bool { stored != state }

    /// Writes the identifiers that changed, in the order of the table.
    ///
    /// At the end of the batch, and before the table is gone through.
    func writeIdentifiers() throws(LMDBError) {
        let changed = identifiers.values.filter(\.isChanged)
        guard !changed.isEmpty else { return }
        for identifier in changed.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
            try identifier.write(batch)
        }
    }

    /// Writes the center.
    func write() throws(LMDBError) {
        let key = Key.number(number)
        try batch.transaction.put(
            CenterRecord.bytes(of: state),
            forKey: key,
            in: batch.tables.centers
        )
    }
}

/// What one identifier of a center stands for in a batch; its room writes it back.
final class IdentifierWork {
    let name: String
    let key: [UInt8]
    /// What it stands for as the batch leaves it.
    var record: IdentifierRecord
    /// What the table has.
    private var stored: IdentifierRecord

    init(_ name: String, _ key: [UInt8], _ record: IdentifierRecord) {
        self.name = name
        self.key = key
        self.record = record
        stored = record
    }

    /// Whether the table has something else.
    var isChanged: Bool { record != stored }

    /// Writes the row, or deletes it where the identifier stands for nothing any more.
    fileprivate func write(_ batch: Batch) throws(LMDBError) {
        batch.hasChanged = true
        if record.isEmpty {
            try batch.transaction.deleteExisting(key, in: batch.tables.identifiers)
        } else {
            try batch.transaction.put(record.bytes, forKey: key, in: batch.tables.identifiers)
        }
        stored = record
    }
}
