internal import BelfryLMDB
internal import NotificationCore

/// The working state of one write transaction: what its commands share and what it will publish.
///
/// Used by the writer thread alone. A batch that does not commit is thrown away with everything it
/// holds, and the next one begins from the store.
final class Batch {
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
    /// The rooms of the centers that it touched.
    ///
    /// They hold the batch in turn: ``end()`` empties it.
    private var centers: [UInt32: CenterWork] = [:]
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

    /// The room of `name`'s center; nil where its app never registered.
    func center(_ name: CenterName) throws(LMDBError) -> CenterWork? {
        guard let number = try number(of: name) else { return nil }
        return try center(number)
    }

    /// The room of `name`'s center, whose app is registered where it is new (W-2).
    func register(_ name: CenterName) throws(LMDBError) -> CenterWork {
        if let center = try center(name) { return center }
        let number = state.nextCenter
        state.nextCenter += 1
        let key = Key.centerNumber(name)
        try transaction.put(Key.number(number), forKey: key, in: tables.centerNumbers)
        numbers[name] = number
        let center = CenterWork(registering: name, as: number, in: self)
        centers[number] = center
        try center.setApp(AppRecord(registeredAt: now.wall))
        tell(.app(name), on: name.device)
        return center
    }

    /// The room of a center.
    func center(_ number: UInt32) throws(LMDBError) -> CenterWork {
        if let center = centers[number] { return center }
        let center = CenterWork(number, of: try transaction.center(number, tables), in: self)
        centers[number] = center
        return center
    }

    /// The room of a center that may be gone with its app.
    func knownCenter(_ number: UInt32) throws(LMDBError) -> CenterWork? {
        if let center = centers[number] { return center }
        let isThere = try transaction.contains(key: Key.number(number), in: tables.centers)
        return isThere ? try center(number) : nil
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

    /// Writes what the commands changed together: the centers and the store-wide state.
    ///
    /// A batch that changed nothing, because everything was refused, writes nothing and so needs no
    /// sync.
    ///
    /// - Parameter bootNanoseconds: The boot-time clock at ``now``, not later: a restart counts
    ///   from it.
    /// - Throws: What the store reports.
    func finish(bootNanoseconds: Int64) throws(LMDBError) {
        // In the order of their numbers, which is that of the tables.
        let centers = centers.values.sorted { $0.number < $1.number }
        for center in centers { try center.writeIdentifiers() }
        try releaseAttachments()
        noteWallClock()
        let changed = centers.filter(\.isChanged)
        guard hasChanged || !changed.isEmpty || now != begin else { return }
        for center in changed { try center.write() }
        state.now = now
        state.bootNanoseconds = bootNanoseconds
        try transaction.put(state.bytes, forKey: Key.state, in: tables.meta)
    }

    /// Lets go of the rooms, and of what was not committed.
    func end() {
        transaction.abort()
        centers = [:]
    }
}
