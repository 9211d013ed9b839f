internal import BelfryLMDB
internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The working state of one write transaction: the state that its commands share, and the news that
/// it will publish.
///
/// Used by the writer thread alone. A batch that does not commit is thrown away with all its state,
/// and the next batch begins from the store.
final class Batch {
    let context: StoreContext
    /// The transaction of the batch; released without a commit, it changes nothing.
    let transaction: ChangeTransaction
    var clock: BatchClock
    var state: StoreState
    /// The changes for which the disk and the map have space.
    let room: StoreSpace.Room
    /// Whether requests may be added; if not, only removals and due work are done.
    var hasRoomForAdds: Bool { room.takesAdds }
    /// The counts of the batch, added to the server's counters once the batch is durable.
    var counts = Counts()
    /// The news for subscribers and waiting calls, told once the batch is durable.
    var news = Commit()
    /// Whether a row beside the centers' rows changed.
    var hasChanged = false
    /// The requests that may no longer be pending, arriving or delivered; some more than once.
    var touched: [RequestNumber] = []
    var damage: BatchDamage
    var calls: OpenCalls
    private var rooms: Rooms

    /// The centers and devices that a batch has read.
    private struct Rooms {
        /// The rooms of the centers that it touched.
        ///
        /// The rooms refer to the batch in turn: ``Batch/end(isDurable:)`` empties the dictionary.
        var centers: [CenterNumber: CenterWork] = [:]
        var presences: [CenterNumber: AppPresence] = [:]
        /// The other centers, and the devices, as far as they are known.
        var cache: BatchCache
        /// The rows of released requests that are not written yet, by the numbers of their keys.
        var released: [UInt64: ReleasedRow] = [:]
        /// The totals of callers.
        var registrants = RegistrantCounts()
        var presentations: OpenPresentations
    }

    init(
        _ context: StoreContext,
        transaction: consuming ChangeTransaction,
        clock: BatchClock,
        state: StoreState,
        setAside: SetAside,
        calls: OpenCalls,
        room: StoreSpace.Room,
        cache: consuming BatchCache,
        presentations: OpenPresentations
    ) {
        self.context = context
        self.transaction = transaction
        self.clock = clock
        self.state = state
        damage = BatchDamage(setAside: setAside)
        self.calls = calls
        self.room = room
        rooms = Rooms(cache: cache, presentations: presentations)
    }

    var tables: Tables { context.tables }
    var limits: StoreLimits { context.limits }
    var profile: Profile { context.profile }
    var zones: ZoneDatabase { context.zones }
    var observer: any CommitObserver { context.observer }
    /// The reading of the clocks for all decisions of the batch; only commands that move the clock
    /// change it.
    var now: Now { clock.now }

    // MARK: What is in the batch

    /// The due work, and the next due instant.
    var due: DueWork { DueWork(batch: self) }
    var tagPushes: TagPushWork { TagPushWork(batch: self) }
    var richPushes: RichPushWork { RichPushWork(batch: self) }
    /// The records that no row refers to.
    var released: ReleasedWork { ReleasedWork(batch: self) }
    /// The files that apps stored, and the references to them.
    var attachments: AttachmentWork { AttachmentWork(batch: self) }

    // MARK: Centers

    /// The number of the center `name`, or nil where its app is not registered.
    func number(of name: CenterName) throws(StoreFailure) -> CenterNumber? {
        if let number = rooms.cache.numbers[name] { return number }
        let number = try transaction.rowIfAny(name, in: tables.centerNumbers)
        rooms.cache.numbers[name] = number
        return number
    }

    func center(_ name: CenterName) throws(StoreFailure) -> CenterWork? {
        guard let number = try number(of: name) else { return nil }
        return try center(number)
    }

    /// The room of the center `name`, whose app has to be registered: the command is refused
    /// otherwise.
    func registered(_ name: CenterName) throws(StoreFailure) -> CenterWork {
        guard let center = try center(name) else { throw .refused(.notRegistered(name)) }
        return center
    }

    /// The room of the center `name`; a new app is registered by this (W-2).
    func register(_ name: CenterName) throws(StoreFailure) -> CenterWork {
        if let center = try center(name) { return center }
        let number = state.nextCenter
        state.nextCenter = number.next
        try transaction.put(number, at: name, in: tables.centerNumbers)
        rooms.cache.numbers[name] = number
        let new = CachedCenter(try newCenter(name))
        let center = CenterWork(number, new, isStored: false, in: self)
        rooms.centers[number] = center
        try center.setApp(AppRecord(registeredAt: now.wall))
        tell(.app(name), on: name.device)
        return center
    }

    /// The room of a center.
    func center(_ number: CenterNumber) throws(StoreFailure) -> CenterWork {
        if let center = rooms.centers[number] { return center }
        let center = CenterWork(number, try cached(number), in: self)
        rooms.centers[number] = center
        return center
    }

    private func cached(_ number: CenterNumber) throws(StoreFailure) -> CachedCenter {
        if let known = rooms.cache.take(number) { return known }
        return CachedCenter(try transaction.center(number, tables))
    }

    /// The room of a center; nil where the center no longer exists because its app was
    /// unregistered.
    func knownCenter(_ number: CenterNumber) throws(StoreFailure) -> CenterWork? {
        if let center = rooms.centers[number] { return center }
        let exists = try transaction.contains(number, in: tables.centers)
        return exists ? try center(number) : nil
    }

    /// Whether a command of a center may wait; if not, it is answered at once with the present
    /// state.
    func mayWait(for center: CenterName) -> Bool {
        calls.waiting.hasRoom(for: center, limit: limits.queuedCommands)
    }

    /// Notes that no center has this name any more.
    func forgetNumber(of name: CenterName) { rooms.cache.numbers[name] = nil }

    /// Notes that a center's row is deleted, so that ``finish(in:)`` does not write it.
    func forgetCenter(_ number: CenterNumber) {
        rooms.centers[number]?.leaveTotals()
        rooms.centers[number] = nil
        news.openedCallbacks[number] = nil
        hasChanged = true
    }

    /// Whether a center's app is in front; the same throughout the batch, while the clock stands.
    func presence(of number: CenterNumber) -> AppPresence {
        if let known = rooms.presences[number] { return known }
        var presence = context.apps.presence(of: number, at: now.elapsed)
        if news.missedDeadlines.contains(number) {
            presence = presence.afterMissedDeadline(profile)
        }
        rooms.presences[number] = presence
        return presence
    }

    /// Forgets the apps' presences, since the clock was moved: they are read again for the new
    /// instant.
    func forgetPresences() { rooms.presences.removeAll(keepingCapacity: true) }

    /// Marks a center's app as unresponsive: it let a deadline pass, and counts as in the
    /// background until it calls again (D-14).
    func noteSilence(of number: CenterNumber) {
        let presence = presence(of: number)
        let after = presence.afterMissedDeadline(profile)
        guard after != presence else { return }
        rooms.presences[number] = after
        news.missedDeadlines.insert(number)
    }

    /// Notes that a center's app called, so that it counts as responsive again.
    func noteCall(from number: CenterNumber) {
        context.apps.noteCall(from: number)
        rooms.presences[number] = nil
        news.missedDeadlines.remove(number)
    }

    // MARK: Devices

    func device(_ name: String) throws(StoreFailure) -> DeviceState { try boxedDevice(name).value }

    /// The state of a device, by reference: each firing looks at it.
    func boxedDevice(_ name: String) throws(StoreFailure) -> Boxed<DeviceState> {
        if let known = rooms.cache.device(name) { return known }
        let device = Boxed(try transaction.device(name, tables))
        rooms.cache.note(device, named: name)
        return device
    }

    func setDevice(_ name: String, to device: DeviceState) throws(StoreFailure) {
        try putDevice(name, device)
        rooms.cache.note(Boxed(device), named: name)
        tellState(of: device, on: name)
    }

    /// Notes news for the watchers of a device.
    func tell(_ news: @autoclosure () -> DeviceNews, on device: String) {
        guard observer.isWatched(device) else { return }
        self.news.devices[device, default: []].append(news())
    }

    // MARK: Callers

    /// The totals of callers, as the batch changes them.
    var registrants: RegistrantCounts {
        _read { yield rooms.registrants }
        _modify { yield &rooms.registrants }
    }

    // MARK: Released requests

    /// The rows of released requests, as ``ReleasedWork`` changes them.
    var releasedRows: [UInt64: ReleasedRow] {
        _read { yield rooms.released }
        _modify { yield &rooms.released }
    }

    // MARK: Open notifications

    var presentations: OpenPresentations {
        _read { yield rooms.presentations }
        _modify { yield &rooms.presentations }
    }

    /// Notes news for a content extension; nil is none.
    func tell(_ news: ContentNews?) {
        guard let news else { return }
        self.news.extensions[news.center.app, default: ExtensionNews()].contents.append(news)
    }

    // MARK: The end

    /// Writes what the commands changed together: the centers and the store-wide state.
    ///
    /// A batch that changed nothing, because all commands were refused, writes nothing and needs no
    /// sync.
    ///
    /// `bootNanoseconds` is the boot-time clock at ``now``, not later: a restart counts elapsed
    /// time from it.
    func finish(bootNanoseconds: Int64) throws(StoreFailure) {
        try trimKeys()
        for center in sortedCenters { try center.writeIdentifiers() }
        try released.write()
        try attachments.release()
        try settleRows()
        try released.deleteIfMany()
        noteWallClock()
        for center in sortedCenters where !center.named.isEmpty {
            news.named[center.number] = center.named
        }
        news.lastEvents = lastEvents
        let changed = sortedCenters.filter(\.isChanged)
        guard hasChanged || !changed.isEmpty || now != clock.begin else { return }
        for center in changed { try center.write() }
        try writeRegistrants()
        if !Fault.clockNotStored.isPlanted { state.now = now }
        state.bootNanoseconds = bootNanoseconds
        try transaction.put(state, at: .state, in: tables.state)
    }

    /// As ``Commit/lastEvents``, of the batch until now.
    var lastEvents: [CenterNumber: EventNumber] {
        rooms.centers.compactMapValues { $0.events.hasNew ? $0.state.lastEvent : nil }
    }

    /// The rooms in the order of their numbers, which is the order of the tables.
    private var sortedCenters: [CenterWork] {
        rooms.centers.values.sorted { $0.number < $1.number }
    }

    /// Releases the rooms, and gives what a later batch may know of them: nothing if this one
    /// failed.
    func end(isDurable: Bool) -> BatchCache {
        defer { rooms.centers = [:] }
        var cache = BatchCache()
        guard isDurable || Fault.cacheOfFailedBatchKept.isPlanted else { return cache }
        swap(&cache, &rooms.cache)
        for (number, room) in rooms.centers { cache.insert(room.leave(), as: number) }
        cache.fit(limits, newest: rooms.centers.keys)
        return cache
    }
}

/// The clocks of a batch, which are read once.
struct BatchClock {
    var now: Now
    /// The clock that callers wait on, which differs from ``now`` on a manual clock.
    let waited: ElapsedInstant
    /// ``now`` as the batch began.
    let begin: Now

    init(_ now: Now, waited: ElapsedInstant) {
        self.now = now
        self.waited = waited
        begin = now
    }
}

/// The calls that are not done: their idempotency keys, and which calls wait.
struct OpenCalls {
    var keys: OpenKeys
    let waiting: WaitingCommands
    /// The idempotency keys whose rows the batch wrote.
    var kept = KeptKeys()
}
