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
    /// The newest event before the batch.
    let lastEventBefore: EventNumber
    /// The center's oldest deliveries, as far as ``DeliveredList`` has read them.
    var oldestDeliveries: OldestDeliveries
    /// The identifiers to which something happened.
    var named: [String] = []
    /// The caller for whom the app counts; nil until it is read.
    private var knownRegistrant: String?
    var identifiers: IdentifierTable
    /// The center's newest events and its oldest ones, where ``EventLog`` works on them.
    var openRun: OpenRun?
    var oldestRun: OldestRun?

    /// The room of a center as it is stored; where the batch registers it, it is not.
    init(
        _ number: CenterNumber,
        _ center: consuming CachedCenter,
        isStored: Bool = true,
        in batch: Batch
    ) {
        self.batch = batch
        self.number = number
        state = center.state
        stored = isStored ? center.state : nil
        lastEventBefore = center.state.lastEvent
        oldestDeliveries = center.oldestDeliveries
        knownRegistrant = center.registrant
        identifiers = center.identifiers
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

    /// The state of an identifier; `due` is its pending request, where that is due for the only
    /// time and as its record says.
    ///
    /// The identifier of such a request is not read where nothing else can exist under it: the
    /// identifiers of all deliveries of the center are known, and nothing is arriving or snoozed,
    /// or has replacement keys.
    func identifier(
        _ name: String,
        due pending: IdentifierRecord.Pending? = nil
    ) throws(StoreFailure) -> IdentifierWork {
        let isKnown =
            oldestDeliveries.hasAllIdentifiers && state.arrivingCount == 0
            && state.snoozedCount == 0 && !state.hasUsedKeys && state.pendingCount > 0
        return try identifiers.identifier(name) { () throws(StoreFailure) in
            let key = IdentifierKey(name, of: number).bytes
            if let pending, isKnown {
                let record = IdentifierRecord(pending: pending)
                return IdentifierWork(name, record, stored: IdentifierWork.unreadRow, at: key)
            }
            let table = batch.tables.identifiers
            guard let row = try batch.transaction.bytes(at: key, in: table) else {
                return IdentifierWork(name, IdentifierRecord(), stored: [], at: key)
            }
            return IdentifierWork(name, try table.row(row, at: key), stored: row, at: key)
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
        for identifier in identifiers.touched { try identifier.write(batch) }
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
    /// Leaves what the room has to the next batch, once this one is durable.
    func leave() -> CachedCenter {
        identifiers.endBatch(keeping: oldestDeliveries.count)
        var center = CachedCenter(state)
        center.registrant = knownRegistrant
        swap(&center.oldestDeliveries, &oldestDeliveries)
        swap(&center.identifiers, &identifiers)
        return center
    }

    /// Subtracts the stored center's counts from the totals.
    func leaveTotals() {
        if let stored { batch.state.totals -= StoreTotals(of: stored) }
    }
}

/// The part of a center's room that has to do with one kind of its rows.
protocol CenterPart {
    var center: CenterWork { get }
}

extension CenterPart {
    var batch: Batch { center.batch }
    var tables: Tables { batch.tables }
}
