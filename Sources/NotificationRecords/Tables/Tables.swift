package import BelfryLMDB
package import NotificationCore

/// The store's tables, all opened at the start.
package struct Tables: Sendable {
    /// The number of the format, which every format has here.
    package let format: TypedTable<MetaKey, FormatRow>
    /// The store-wide state, in the table of ``format``.
    package let state: TypedTable<MetaKey, StoreState>
    /// The secret with which page tokens are signed, in the table of ``format``.
    package let pageTokens: TypedTable<MetaKey, SecretRow>
    /// The secret of which the key is made with which pushes to browsers are signed.
    package let webPushSecret: TypedTable<MetaKey, SecretRow>
    /// Which log goes with the trees, in the table of ``format``.
    package let log: TypedTable<MetaKey, LogRow>
    /// How much of the log is in the trees, in the table of ``format``.
    package let merged: TypedTable<MetaKey, MergedRow>
    package let centerNumbers: TypedTable<CenterName, CenterNumber>
    /// The state of a center.
    package let centers: TypedTable<CenterNumber, CenterRecord>
    /// Requests: appended, and left in place when a request moves.
    package let records: TypedTable<RequestNumber, RequestRecord>
    /// The requests whose records are still to be deleted, 64 to a row.
    package let released: TypedTable<ReleasedKey, ReleasedRow>
    /// All that exists under an identifier.
    package let identifiers: TypedTable<IdentifierKey, IdentifierRecord>
    /// The requests, callbacks and snoozes that wait for elapsed time.
    package let dueElapsed: TypedTable<DueKey<ElapsedInstant>, DueRow>
    /// The requests, summaries and snoozes that wait for a date.
    package let dueWall: TypedTable<DueKey<WallInstant>, DueRow>
    /// The requests and summaries that wait for a date, by zone.
    package let zones: TypedTable<ZoneKey, NoRow>
    /// The fingerprint of the rules of a zone with which dates were computed.
    package let zoneVersions: TypedTable<NameKey, ZoneVersionRow>
    /// The lists of delivered notifications.
    package let delivered: TypedTable<DeliveryKey, DeliveredRecord>
    /// The notifications that left the list for a while.
    package let snoozed: TypedTable<DeliveryKey, SnoozedRecord>
    /// The logs of events.
    package let events: TypedTable<EventKey, EventRun>
    /// The open callbacks.
    package let callbacks: TypedTable<CallbackKey, CallbackRecord>
    /// The last callbacks that ended.
    package let endedCallbacks: TypedTable<CallbackKey, EndedCallbackRecord>
    /// The pushes that wait for the service extension, in the order in which they came.
    package let serviceArrivals: TypedTable<ServiceArrivalKey, ServiceArrivalRecord>
    /// The open callbacks that ask an extension, by app.
    package let extensionQuestions: TypedTable<ExtensionQuestionKey, ExtensionQuestionRecord>
    /// Open prompts and ended prompts.
    package let prompts: TypedTable<PromptNumber, PromptRecord>
    /// Apps on a device; a repair may have removed a row, and left the center.
    package let apps: TypedTable<CenterNumber, AppRecord>
    /// How much each caller has registered and stored, by ``Registrant/name``.
    package let registrants: TypedTable<NameKey, RegistrantRecord>
    /// The bytes that apps and devices keep beside their centers.
    package let accounts: TypedTable<AccountKey, AccountRecord>
    /// The numbers behind which an app goes on that was unregistered, by a digest of its name.
    package let endedNumbers: TypedTable<EndedNumbersKey, EndedNumbersRecord>
    /// The centers whose app was unregistered and whose rows are being removed.
    package let leaving: TypedTable<CenterNumber, NoRow>
    /// The categories of a center.
    package let categories: TypedTable<IdentifierKey, CategoryRecord>
    /// The meanings of the actions of a center's categories.
    package let actionMeanings: TypedTable<ActionMeaningKey, ActionMeaningRow>
    /// The texts of an app in a language: on all devices, whether the app is registered or not.
    package let stringTables: TypedTable<StringTableKey, StringTableRecord>
    /// Devices; a device that was never changed has no row.
    package let devices: TypedTable<NameKey, DeviceRecord>
    /// The devices whose Focus a schedule turns on or off, by the instant.
    package let focusChanges: TypedTable<FocusChangeKey, NoRow>
    /// The acts that wait until their device is unlocked.
    package let unlockWaits: TypedTable<UnlockWaitKey, UnlockWaitRecord>
    /// The centers with events or notifications that expire.
    package let expiry: TypedTable<ExpiryKey, NoRow>
    /// The files that apps stored.
    package let attachments: TypedTable<AttachmentKey, AttachmentRecord>
    /// The totals of an app's files.
    package let attachmentOwners: TypedTable<NameKey, AttachmentOwnerRecord>
    /// The unreferenced files, by the instant of their removal.
    package let attachmentExpiry: TypedTable<AttachmentExpiryKey, NoRow>
    /// The sounds of an app.
    package let sounds: TypedTable<SoundKey, SoundRecord>
    /// The files of a request that is pending, arriving or delivered.
    package let attachmentUses: TypedTable<RequestNumber, AttachmentUseRecord>
    /// The registrations for pushes, by app and device.
    package let registrations: TypedTable<RegistrationKey, RegistrationRecord>
    /// The tokens for pushes: those of the registrations, and those that have ended.
    package let deviceTokens: TypedTable<DeviceToken, DeviceTokenRecord>
    /// The tokens that have ended, in the order of their ends.
    package let endedTokens: TypedTable<OwnedOrderKey, DeviceToken>
    /// The pushes that wait for their app.
    package let backgroundPushes: TypedTable<BackgroundPushKey, BackgroundPushRecord>
    /// The background work of apps; an app that was never asked has no row.
    package let backgroundWork: TypedTable<CenterNumber, BackgroundWorkRecord>
    /// The outcomes of the pushes that providers named.
    package let pushReceipts: TypedTable<PushReceiptKey, PushReceiptRecord>
    /// The pushes that providers named, in the order in which they came.
    package let pushOrder: TypedTable<OwnedOrderKey, PushReceiptKey>
    /// The devices of an app that have a tag, beside the registrations.
    package let tags: TypedTable<TagKey, NoRow>
    /// The pushes to many devices.
    package let tagPushes: TypedTable<TagPushKey, TagPushRecord>
    /// The outcomes of the pushes to many devices, by push and number.
    package let tagPushOutcomes: TypedTable<TagPushOutcomeKey, TagPushOutcomeRecord>
    /// The rich pushes that a device was sent.
    package let richInbox: TypedTable<RichInboxKey, RichInboxRecord>
    /// The devices that a rich push was sent to.
    package let richAddressees: TypedTable<RichAddresseeKey, NoRow>
    /// The rich pushes of an app.
    package let richPushes: TypedTable<RichPushKey, RichPushRecord>
    /// The work on pushes to many devices and on rich pushes, by the elapsed time of it.
    package let pushWork: TypedTable<PushWorkKey<ElapsedInstant>, NoRow>
    /// The pushes to many devices that wait for a date.
    package let pushDates: TypedTable<PushWorkKey<WallInstant>, NoRow>
    /// The counts of an app's pushes to many devices and rich pushes.
    package let pushOwners: TypedTable<NameKey, PushOwnerRecord>
    /// Idempotency keys: version 7 UUIDs, so most are appended.
    package let idempotency: TypedTable<OnceIdentifier, OnceRecord>
    /// The idempotency keys of a caller with a limit, in the order of the keys.
    package let keyOwners: TypedTable<KeyOwnerKey, NoRow>
    /// The browsers that are told of a device's alerts; a device without any has no row.
    package let webPushes: TypedTable<NameKey, WebPushRecord>
    /// The regions that pending requests wait for, by device and place.
    package let regions: TypedTable<RegionKey, RegionRecord>
    /// The regions by center and identifier.
    package let regionNames: TypedTable<RegionNameKey, NoRow>
    /// The regions that devices are inside of, or that may change soon.
    package let regionStates: TypedTable<RegionStateKey, RegionStateRecord>
    /// The newest reports of devices' sensors; a device that never reported has no row.
    package let sensors: TypedTable<NameKey, SensorsRecord>
    /// The reports that take more than one batch.
    package let sensorWork: TypedTable<SensorWorkKey, SensorWorkRecord>
    /// The commands in slices that are begun and not done.
    package let openCommands: TypedTable<StoreOrderKey, OpenCommandRecord>
    /// The person's decisions about apps and the location.
    package let locationAccess: TypedTable<CenterNumber, LocationAccessRecord>

    /// The changes that are not in the trees yet.
    package let keeper: ChangeKeeper
    private let trees: [Table]

    /// Opens the tables of a store, or makes them, and reads the log of changes; once for each
    /// environment, before its other transactions.
    ///
    /// A store that goes with no log, such as a new one or a backup, gets one where there is a
    /// place for it.
    ///
    /// - Parameters:
    ///   - environment: The open trees.
    ///   - place: The directory of the log; nil for trees without a log.
    ///   - limits: How much may be behind.
    ///   - use: What the log is opened for.
    /// - Throws: What LMDB reports, or why the log does not go with the trees.
    /// - Complexity: O(*n*) in the changes that are not merged, which are limited.
    package init(
        _ environment: Environment,
        log place: (any Disk)?,
        changes limits: ChangeLimits = ChangeLimits(),
        for use: LogUse = .service
    ) throws(StoreFailure) {
        let trees = try StoreFailure.ofLMDB { () throws(LMDBError) in
            // All at once: one by one, a first start would sync the disk for each.
            try environment.createTables(TableName.allCases.map(\.rawValue))
            var trees: [Table] = []
            for name in TableName.allCases { trees.append(try environment.table(name.rawValue)) }
            try environment.checkPages()
            return trees
        }
        let keeper = try ChangeKeeper(
            environment,
            trees,
            log: place,
            limits,
            for: use
        )
        environment.keepStates(by: keeper)
        self.init(trees, keeper)
    }

    /// Begins a batch; one at a time.
    ///
    /// - Throws: What LMDB reports.
    package func beginBatch(_ environment: Environment) throws(StoreFailure) -> ChangeTransaction {
        keeper.readKeys(of: identifiers.raw, environment)
        return try StoreFailure.ofLMDB(try ChangeTransaction(environment, keeper))
    }

    /// Begins the batch that follows `last`, while `last` is being written to the log.
    ///
    /// - Throws: What the store reports.
    package func beginBatch(
        _ environment: Environment,
        over last: borrowing ChangeTransaction
    ) throws(StoreFailure) -> ChangeTransaction {
        keeper.readKeys(of: identifiers.raw, isOverUnsynced: true, environment)
        return try last.next()
    }

    /// Writes in one batch, which is durable when this returns.
    ///
    /// `now` are the clocks of the batch. `body` gets the transaction; where `body` throws, nothing
    /// is written.
    ///
    /// - Throws: What the store reports, or what `body` threw.
    package func batch<R>(
        in environment: Environment,
        at now: Now,
        _ body: (borrowing ChangeTransaction) throws(StoreFailure) -> R
    ) throws(StoreFailure) -> R {
        let transaction = try beginBatch(environment)
        let result = try body(transaction)
        try transaction.commit(at: now)
        return result
    }

    /// Merges all changes into the trees, so that the next start has none to replay; while nobody
    /// else writes.
    ///
    /// `mayGoOn` is asked before each part; changes that are not merged stay in the log.
    ///
    /// - Throws: What LMDB reports; the changes that are not merged then stay in the log.
    /// - Complexity: O(*n*) in the changes that are not merged, with a sync for every few thousand.
    package func mergeChanges(
        _ environment: Environment,
        while mayGoOn: () -> Bool = { true }
    ) throws(StoreFailure) {
        try keeper.mergeAll(environment, while: mayGoOn)
    }

    /// Merges all changes into the trees, which go with no log from then on, as those of a backup.
    ///
    /// - Throws: As ``mergeChanges(_:while:)``.
    package func detachLog(_ environment: Environment) throws(StoreFailure) {
        try keeper.detach(environment)
    }

    private init(_ trees: [Table], _ keeper: ChangeKeeper) {
        self.trees = trees
        self.keeper = keeper
        format = TypedTable(trees, .meta)
        state = TypedTable(trees, .meta)
        pageTokens = TypedTable(trees, .meta)
        webPushSecret = TypedTable(trees, .meta)
        log = TypedTable(trees, .meta)
        merged = TypedTable(trees, .meta)
        centerNumbers = TypedTable(trees, .centerNumbers)
        centers = TypedTable(trees, .centers)
        records = TypedTable(trees, .records)
        released = TypedTable(trees, .released)
        identifiers = TypedTable(trees, .identifiers)
        dueElapsed = TypedTable(trees, .dueElapsed)
        dueWall = TypedTable(trees, .dueWall)
        zones = TypedTable(trees, .zones)
        zoneVersions = TypedTable(trees, .zoneVersions)
        delivered = TypedTable(trees, .delivered)
        snoozed = TypedTable(trees, .snoozed)
        events = TypedTable(trees, .events)
        callbacks = TypedTable(trees, .callbacks)
        endedCallbacks = TypedTable(trees, .endedCallbacks)
        serviceArrivals = TypedTable(trees, .serviceArrivals)
        extensionQuestions = TypedTable(trees, .extensionQuestions)
        prompts = TypedTable(trees, .prompts)
        apps = TypedTable(trees, .apps)
        registrants = TypedTable(trees, .registrants)
        accounts = TypedTable(trees, .accounts)
        endedNumbers = TypedTable(trees, .endedNumbers)
        leaving = TypedTable(trees, .leaving)
        categories = TypedTable(trees, .categories)
        actionMeanings = TypedTable(trees, .actionMeanings)
        stringTables = TypedTable(trees, .stringTables)
        devices = TypedTable(trees, .devices)
        focusChanges = TypedTable(trees, .focusChanges)
        unlockWaits = TypedTable(trees, .unlockWaits)
        expiry = TypedTable(trees, .expiry)
        attachments = TypedTable(trees, .attachments)
        attachmentOwners = TypedTable(trees, .attachmentOwners)
        attachmentExpiry = TypedTable(trees, .attachmentExpiry)
        sounds = TypedTable(trees, .sounds)
        attachmentUses = TypedTable(trees, .attachmentUses)
        registrations = TypedTable(trees, .registrations)
        deviceTokens = TypedTable(trees, .deviceTokens)
        endedTokens = TypedTable(trees, .endedTokens)
        backgroundPushes = TypedTable(trees, .backgroundPushes)
        backgroundWork = TypedTable(trees, .backgroundWork)
        pushReceipts = TypedTable(trees, .pushReceipts)
        pushOrder = TypedTable(trees, .pushOrder)
        tags = TypedTable(trees, .tags)
        tagPushes = TypedTable(trees, .tagPushes)
        tagPushOutcomes = TypedTable(trees, .tagPushOutcomes)
        richInbox = TypedTable(trees, .richInbox)
        richAddressees = TypedTable(trees, .richAddressees)
        richPushes = TypedTable(trees, .richPushes)
        pushWork = TypedTable(trees, .pushWork)
        pushDates = TypedTable(trees, .pushDates)
        pushOwners = TypedTable(trees, .pushOwners)
        idempotency = TypedTable(trees, .idempotency)
        keyOwners = TypedTable(trees, .keyOwners)
        webPushes = TypedTable(trees, .webPushes)
        regions = TypedTable(trees, .regions)
        regionNames = TypedTable(trees, .regionNames)
        regionStates = TypedTable(trees, .regionStates)
        sensors = TypedTable(trees, .sensors)
        sensorWork = TypedTable(trees, .sensorWork)
        openCommands = TypedTable(trees, .openCommands)
        locationAccess = TypedTable(trees, .locationAccess)
    }

    /// A table by its name, for the check and the repair, which read rows that do not decode.
    package subscript(name: TableName) -> StoreTable { StoreTable(trees[name.index], name) }

    /// The due index of an instant, and the key of a request in it.
    ///
    /// `isSnoozed` is for the key of the request's notification, which comes back. The keys of both
    /// indexes have one form, so that one type stands for both.
    package func due(
        _ due: Due,
        of request: RequestNumber,
        isSnoozed: Bool = false
    ) -> (key: DueKey<WallInstant>, index: TypedTable<DueKey<WallInstant>, DueRow>) {
        let (nanoseconds, index): (Int64, TypedTable<DueKey<WallInstant>, DueRow>) =
            switch due {
            case .elapsed(let instant): (instant.nanoseconds, TypedTable(dueElapsed))
            case .wall(let date): (date.nanoseconds, dueWall)
            }
        let date = WallInstant(nanoseconds: nanoseconds)
        return (isSnoozed ? DueKey(date, snoozed: request) : DueKey(date, request), index)
    }

    /// Checks all pages of all tables.
    ///
    /// - Complexity: O(*n*) in the rows of the store.
    package func checkPages(_ environment: Environment) throws(LMDBError) {
        try environment.read { transaction throws(LMDBError) in
            try transaction.checkPages(of: nil)
            for name in TableName.allCases { try transaction.checkPages(of: self[name].tree) }
        }
    }

    /// Reads both ends of each table and checks the list of free pages, so that a file with damaged
    /// pages is noticed before the first call is served.
    package func readEnds(_ environment: Environment) throws(LMDBError) {
        let last = environment.statistics.usedPageCount - 1
        try environment.read { transaction throws(LMDBError) in
            try transaction.checkPages(of: nil)
            try transaction.checkFreePages(last: last)
            for name in TableName.allCases {
                try transaction.withCursor(in: self[name].tree) { cursor throws(LMDBError) in
                    if try cursor.move(to: .first) { try Self.touch(cursor) }
                    if try cursor.move(to: .last) { try Self.touch(cursor) }
                }
            }
        }
    }

    /// Reads the last bytes of an entry in the map, without a copy.
    ///
    /// An unused copy ruins the heap: Swift 6.3 frees the copy's memory, then writes into it.
    private static func touch(_ cursor: borrowing Cursor) throws(LMDBError) {
        try cursor.withEntry { key, value in
            _ = key[key.byteCount - 1]
            if value.byteCount > 0 { _ = value[value.byteCount - 1] }
        }
    }
}
