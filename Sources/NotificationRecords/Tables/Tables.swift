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
    /// How much of ``changes`` is merged, in the table of ``format``.
    package let merged: TypedTable<MetaKey, MergedRow>
    /// How much of ``changes`` is flushed, in the table of ``format``.
    package let flushed: TypedTable<MetaKey, MergedRow>
    /// The log of the changes that are not in the trees of their tables yet, and of the last ones
    /// that are.
    package let changes: TypedTable<ChangeNumber, ChangeLogRow>
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
    package let events: TypedTable<EventKey, EventRecord>
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

    /// Opens the tables of a store, or makes them, and reads the log of changes; once for each
    /// environment, before its other transactions.
    ///
    /// `limits` says how much of the log may be behind. `skipsDamage` says whether rows of the log
    /// that cannot be read are passed over, as a check and a repair do.
    ///
    /// - Throws: What LMDB reports, or the row of the log that does not decode.
    /// - Complexity: O(*n*) in the changes that are not merged, which are limited.
    package init(
        _ environment: Environment,
        changes limits: ChangeLimits = ChangeLimits(),
        skipsDamage: Bool = false
    ) throws(StoreFailure) {
        self = try StoreFailure.ofLMDB { () throws(LMDBError) in
            let tables = try Tables(treesOf: environment)
            try environment.checkPages()
            return tables
        }
        environment.keepStates(
            by: try ChangeKeeper(environment, self, limits, skipsDamage: skipsDamage)
        )
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
        var isMore = true
        while isMore && mayGoOn() {
            isMore = try environment.writing { transaction throws(StoreFailure) in
                transaction.mergeIfBehind()
            }
        }
    }

    private init(treesOf environment: Environment) throws(LMDBError) {
        // All at once: one by one, a first start would sync the disk for each.
        try environment.createTables(TableName.allCases.map(\.rawValue))
        format = try TypedTable(environment, .meta)
        state = try TypedTable(environment, .meta, lagging: .state)
        pageTokens = try TypedTable(environment, .meta)
        webPushSecret = try TypedTable(environment, .meta)
        merged = try TypedTable(environment, .meta)
        flushed = try TypedTable(environment, .meta)
        changes = try TypedTable(environment, .changes)
        centerNumbers = try TypedTable(environment, .centerNumbers)
        centers = try TypedTable(environment, .centers)
        records = try TypedTable(environment, .records)
        released = try TypedTable(environment, .released)
        identifiers = try TypedTable(environment, .identifiers)
        dueElapsed = try TypedTable(environment, .dueElapsed)
        dueWall = try TypedTable(environment, .dueWall)
        zones = try TypedTable(environment, .zones)
        zoneVersions = try TypedTable(environment, .zoneVersions)
        delivered = try TypedTable(environment, .delivered)
        snoozed = try TypedTable(environment, .snoozed)
        events = try TypedTable(environment, .events)
        callbacks = try TypedTable(environment, .callbacks)
        endedCallbacks = try TypedTable(environment, .endedCallbacks)
        serviceArrivals = try TypedTable(environment, .serviceArrivals)
        extensionQuestions = try TypedTable(environment, .extensionQuestions)
        prompts = try TypedTable(environment, .prompts)
        apps = try TypedTable(environment, .apps)
        registrants = try TypedTable(environment, .registrants)
        accounts = try TypedTable(environment, .accounts)
        endedNumbers = try TypedTable(environment, .endedNumbers)
        leaving = try TypedTable(environment, .leaving)
        categories = try TypedTable(environment, .categories)
        actionMeanings = try TypedTable(environment, .actionMeanings)
        stringTables = try TypedTable(environment, .stringTables)
        devices = try TypedTable(environment, .devices)
        focusChanges = try TypedTable(environment, .focusChanges)
        unlockWaits = try TypedTable(environment, .unlockWaits)
        expiry = try TypedTable(environment, .expiry)
        attachments = try TypedTable(environment, .attachments)
        attachmentOwners = try TypedTable(environment, .attachmentOwners)
        attachmentExpiry = try TypedTable(environment, .attachmentExpiry)
        sounds = try TypedTable(environment, .sounds)
        attachmentUses = try TypedTable(environment, .attachmentUses)
        registrations = try TypedTable(environment, .registrations)
        deviceTokens = try TypedTable(environment, .deviceTokens)
        endedTokens = try TypedTable(environment, .endedTokens)
        backgroundPushes = try TypedTable(environment, .backgroundPushes)
        backgroundWork = try TypedTable(environment, .backgroundWork)
        pushReceipts = try TypedTable(environment, .pushReceipts)
        pushOrder = try TypedTable(environment, .pushOrder)
        tags = try TypedTable(environment, .tags)
        tagPushes = try TypedTable(environment, .tagPushes)
        tagPushOutcomes = try TypedTable(environment, .tagPushOutcomes)
        richInbox = try TypedTable(environment, .richInbox)
        richAddressees = try TypedTable(environment, .richAddressees)
        richPushes = try TypedTable(environment, .richPushes)
        pushWork = try TypedTable(environment, .pushWork)
        pushDates = try TypedTable(environment, .pushDates)
        pushOwners = try TypedTable(environment, .pushOwners)
        idempotency = try TypedTable(environment, .idempotency)
        keyOwners = try TypedTable(environment, .keyOwners)
        webPushes = try TypedTable(environment, .webPushes)
        regions = try TypedTable(environment, .regions)
        regionNames = try TypedTable(environment, .regionNames)
        regionStates = try TypedTable(environment, .regionStates)
        sensors = try TypedTable(environment, .sensors)
        sensorWork = try TypedTable(environment, .sensorWork)
        openCommands = try TypedTable(environment, .openCommands)
        locationAccess = try TypedTable(environment, .locationAccess)
    }

    func tree(of table: LaggingTable) -> Table {
        switch table {
        case .identifiers: identifiers.raw.tree
        case .dueElapsed: dueElapsed.raw.tree
        case .dueWall: dueWall.raw.tree
        case .zones: zones.raw.tree
        case .delivered: delivered.raw.tree
        case .events: events.raw.tree
        case .released: released.raw.tree
        case .records: records.raw.tree
        case .idempotency: idempotency.raw.tree
        case .centers: centers.raw.tree
        case .state: state.raw.tree
        }
    }

    /// A table by its name, for the check and the repair, which read rows that do not decode.
    package subscript(name: TableName) -> StoreTable {
        switch name {
        case .meta: state.raw
        case .changes: changes.raw
        case .centerNumbers: centerNumbers.raw
        case .centers: centers.raw
        case .records: records.raw
        case .released: released.raw
        case .identifiers: identifiers.raw
        case .dueElapsed: dueElapsed.raw
        case .dueWall: dueWall.raw
        case .zones: zones.raw
        case .zoneVersions: zoneVersions.raw
        case .delivered: delivered.raw
        case .snoozed: snoozed.raw
        case .events: events.raw
        case .callbacks: callbacks.raw
        case .endedCallbacks: endedCallbacks.raw
        case .serviceArrivals: serviceArrivals.raw
        case .extensionQuestions: extensionQuestions.raw
        case .prompts: prompts.raw
        case .apps: apps.raw
        case .registrants: registrants.raw
        case .accounts: accounts.raw
        case .endedNumbers: endedNumbers.raw
        case .leaving: leaving.raw
        case .categories: categories.raw
        case .actionMeanings: actionMeanings.raw
        case .stringTables: stringTables.raw
        case .devices: devices.raw
        case .focusChanges: focusChanges.raw
        case .unlockWaits: unlockWaits.raw
        case .expiry: expiry.raw
        case .attachments: attachments.raw
        case .attachmentOwners: attachmentOwners.raw
        case .attachmentExpiry: attachmentExpiry.raw
        case .sounds: sounds.raw
        case .attachmentUses: attachmentUses.raw
        case .registrations: registrations.raw
        case .deviceTokens: deviceTokens.raw
        case .endedTokens: endedTokens.raw
        case .backgroundPushes: backgroundPushes.raw
        case .backgroundWork: backgroundWork.raw
        case .pushReceipts: pushReceipts.raw
        case .pushOrder: pushOrder.raw
        case .tags: tags.raw
        case .tagPushes: tagPushes.raw
        case .tagPushOutcomes: tagPushOutcomes.raw
        case .richInbox: richInbox.raw
        case .richAddressees: richAddressees.raw
        case .richPushes: richPushes.raw
        case .pushWork: pushWork.raw
        case .pushDates: pushDates.raw
        case .pushOwners: pushOwners.raw
        case .idempotency: idempotency.raw
        case .keyOwners: keyOwners.raw
        case .webPushes: webPushes.raw
        case .regions: regions.raw
        case .regionNames: regionNames.raw
        case .regionStates: regionStates.raw
        case .sensors: sensors.raw
        case .sensorWork: sensorWork.raw
        case .openCommands: openCommands.raw
        case .locationAccess: locationAccess.raw
        }
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
