internal import BelfryLMDB
internal import NotificationCore

/// The working state of one write transaction: what its commands share and what it will publish.
///
/// Used by the writer thread alone. A batch that does not commit is thrown away with everything it
/// holds, and the next one begins from the store.
final class Batch {
    /// A center that the batch touched.
    struct OpenCenter {
        let number: UInt32
        var center: CenterState
        fileprivate var isChanged: Bool
    }

    /// The one write transaction: released without a commit, nothing of the batch happened.
    let transaction: WriteTransaction
    let tables: Tables
    let limits: StoreLimits
    let profile: Profile
    /// What all decisions of the batch are told; only `AdvanceClock` moves it within a batch.
    var now: Now
    var state: StoreState
    /// Whether requests may be added, or only what makes room or is due already.
    let hasRoomForAdds: Bool
    /// What the batch adds to the counters once it is durable.
    var counts = Counts()
    /// What subscribers and waiting calls are told once the batch is durable.
    var news = Commit()
    /// Whether something beside the centers changed.
    var hasChanged = false
    /// The requests that may have been pending, arriving or delivered for the last time.
    var touched: Set<UInt64> = []
    /// The newest question of how to present a notification.
    var lastAsked: UInt64?
    /// The idempotency keys of commands that are not done.
    var openKeys: OpenKeys
    /// What is left alone, because a row of it is damaged.
    var setAside: SetAside
    /// What is being done beside the commands.
    var work: Work?
    /// The damaged rows that were passed over: told once the batch is durable.
    var damagedRows: [DamagedRow] = []
    /// The commands that wait already.
    private let waiting: WaitingCommands
    /// What the devices that the batch looked at are doing.
    ///
    /// Bounded: names of devices, which were validated.
    var devices: [String: DeviceState] = [:]
    private let apps: any AppPresenceSource
    let observer: any CommitObserver
    let zones: ZoneDatabase
    /// The clock that callers wait on, which is not ``now`` where that is moved by hand.
    let waited: ElapsedInstant
    private let begin: Now
    private var presences: [UInt32: AppPresence] = [:]
    private var centers: [UInt32: OpenCenter] = [:]
    private var numbers: [CenterName: UInt32] = [:]

    init(
        transaction: consuming WriteTransaction,
        tables: Tables,
        limits: StoreLimits,
        profile: Profile,
        apps: any AppPresenceSource,
        observer: any CommitObserver,
        zones: ZoneDatabase,
        now: Now,
        waited: ElapsedInstant,
        state: StoreState,
        openKeys: OpenKeys,
        setAside: SetAside,
        hasRoomForAdds: Bool,
        waiting: WaitingCommands
    ) {
        self.transaction = transaction
        self.waiting = waiting
        self.openKeys = openKeys
        self.setAside = setAside
        self.tables = tables
        self.limits = limits
        self.profile = profile
        self.apps = apps
        self.observer = observer
        self.zones = zones
        self.now = now
        self.waited = waited
        begin = now
        self.state = state
        self.hasRoomForAdds = hasRoomForAdds
    }

    /// The number of `name`'s center, or nil where its app never registered.
    func number(of name: CenterName) throws(LMDBError) -> UInt32? {
        if let number = numbers[name] { return number }
        let number = try transaction.centerNumber(name, tables)
        numbers[name] = number
        return number
    }

    /// Gives `name`'s center, registering its app where that is new (W-2).
    func registerCenter(_ name: CenterName) throws(LMDBError) -> UInt32 {
        if let number = try number(of: name) { return number }
        let number = state.nextCenter
        state.nextCenter += 1
        try transaction.put(
            Key.number(number),
            forKey: Key.centerNumber(name),
            in: tables.centerNumbers
        )
        let app = AppRecord(registeredAt: now.wall)
        try transaction.put(app.bytes, forKey: Key.number(number), in: tables.apps)
        numbers[name] = number
        centers[number] = OpenCenter(
            number: number,
            center: CenterState(name: name),
            isChanged: true
        )
        tell(.app(name), on: name.device)
        return number
    }

    /// Reads a center, from the batch where it touched it already.
    func center(_ number: UInt32) throws(LMDBError) -> CenterState {
        if let open = centers[number] { return open.center }
        let center = try transaction.center(number, tables)
        centers[number] = OpenCenter(number: number, center: center, isChanged: false)
        return center
    }

    /// Reads a center that may be gone with its app.
    func knownCenter(_ number: UInt32) throws(LMDBError) -> CenterState? {
        if let open = centers[number] { return open.center }
        let isThere = try transaction.contains(key: Key.number(number), in: tables.centers)
        return isThere ? try center(number) : nil
    }

    /// Keeps a changed center for ``finish(in:)``.
    func setCenter(_ number: UInt32, _ center: CenterState) {
        centers[number] = OpenCenter(number: number, center: center, isChanged: true)
    }

    /// Whether a command of a center may wait; else it is answered with what there is now.
    func mayWait(for center: CenterName) -> Bool {
        waiting.hasRoom(for: center, limit: limits.queuedCommands)
    }

    /// Notes that a name leads to no center any more.
    func forgetNumber(of name: CenterName) { numbers[name] = nil }

    /// Notes that a center's row is deleted, so that ``finish(in:)`` does not write it.
    func forgetCenter(_ number: UInt32) {
        centers[number] = nil
        news.lastEvents[number] = nil
        news.openedCallbacks[number] = nil
        hasChanged = true
    }

    /// Whether a center's app is in front; the same throughout the batch, while the clock stands.
    func presence(of number: UInt32) -> AppPresence {
        if let known = presences[number] { return known }
        var presence = apps.presence(of: number, at: now.elapsed)
        if news.missedDeadlines.contains(number) {
            presence = presence.afterMissedDeadline(profile)
        }
        presences[number] = presence
        return presence
    }

    /// Looks at the apps' presence again, as of an instant that the clock was moved to.
    func forgetPresences() { presences.removeAll(keepingCapacity: true) }

    /// Whether a subscriber is there that a center's app is asked something through.
    func isAsked(_ question: CallbackRecord.Question, of number: UInt32) -> Bool {
        let capability: DelegateCapabilities =
            switch question {
            case .willPresent: .willPresent
            case .didReceive: .didReceive
            }
        return apps.isConnected(capability, of: number)
    }

    /// Notes that a center's app let a deadline pass: from now on it counts as in the background,
    /// until it calls again (D-14).
    func noteSilence(of number: UInt32) {
        let presence = presence(of: number)
        let after = presence.afterMissedDeadline(profile)
        guard after != presence else { return }
        presences[number] = after
        news.missedDeadlines.insert(number)
    }

    /// Notes that a center's app called: it is believed to be in front again.
    func noteCall(from number: UInt32) {
        apps.noteCall(from: number)
        presences[number] = nil
        news.missedDeadlines.remove(number)
    }

    /// What a center's app is believed to do.
    func appState(of number: UInt32) -> AppState {
        apps.appState(of: number, at: now.elapsed)
    }

    /// Whether a subscription is the one that a center's app is asked through.
    func isPrimary(_ subscription: String, of number: UInt32) -> Bool {
        apps.isPrimary(subscription, of: number, at: now.elapsed)
    }

    /// Appends an event to a center's log.
    ///
    /// - Parameters:
    ///   - kind: What happened.
    ///   - request: The request that the event refers to.
    ///   - center: The center.
    ///   - number: The center's number.
    /// - Throws: What the store reports.
    func record(
        _ kind: EventRecord.Kind,
        of request: NotificationRequest? = nil,
        for center: inout CenterState,
        number: UInt32
    ) throws(LMDBError) {
        let event = EventRecord(
            date: now.wall,
            byteCount: EventRecord.byteCount(of: kind, request),
            kind: kind
        )
        center.lastEvent += 1
        center.eventBytes += event.byteCount
        counts.events += 1
        news.lastEvents[number] = center.lastEvent
        try transaction.put(
            event.bytes,
            forKey: Key.numbered(center.lastEvent, center: number),
            in: tables.events
        )
        tell(kind, of: center)
        try limitEvents(of: &center, number: number)
        try scheduleExpiry(of: &center, number: number)
    }

    /// Stores a request at the end of the records.
    func store(
        _ request: NotificationRequest,
        center: UInt32
    ) throws(LMDBError) -> (sequence: UInt64, record: RequestRecord) {
        let sequence = state.nextSequence
        state.nextSequence += 1
        let record = RequestRecord(
            center: center,
            request: request,
            base: now.elapsed,
            addedAt: now.wall
        )
        try transaction.append(record.bytes, forKey: Key.number(sequence), in: tables.records)
        return (sequence, record)
    }

    /// Writes an identifier's row, or deletes it where nothing stands for it any more.
    func setIdentifier(key: [UInt8], to record: IdentifierRecord) throws(LMDBError) {
        if record.isEmpty {
            try transaction.delete(key: key, in: tables.identifiers)
        } else {
            try transaction.put(record.bytes, forKey: key, in: tables.identifiers)
        }
    }

    /// Writes what the commands changed together: the centers and the store-wide state.
    ///
    /// A batch that changed nothing, because everything was refused, writes nothing and so needs no
    /// sync.
    ///
    /// - Parameter bootNanoseconds: The boot-time clock at ``now``, not later: a restart counts
    ///   from it.
    /// - Throws: What the store reports.
    func finish(bootNanoseconds: Int64) throws(LMDBError) {
        try releaseAttachments()
        let changed = centers.values.filter(\.isChanged)
        noteWallClock()
        guard hasChanged || !changed.isEmpty || now != begin else { return }
        for open in changed {
            try transaction.put(
                CenterRecord.bytes(of: open.center),
                forKey: Key.number(open.number),
                in: tables.centers
            )
        }
        state.now = now
        state.bootNanoseconds = bootNanoseconds
        try transaction.put(state.bytes, forKey: Key.state, in: tables.meta)
    }
}
