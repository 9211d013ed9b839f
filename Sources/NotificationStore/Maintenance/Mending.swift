internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

/// The repair of a row that the check reported: the row is written again from other rows, or
/// deleted.
///
/// One repair need not mend everything: the check runs again until it finds no problem.
struct Mending: ~Copyable {
    let tables: Tables
    /// The counts of the check.
    let sums: StoreRules
    /// The transaction of the repair; without ``commit()`` it changes nothing.
    let transaction: WriteTransaction

    init(_ environment: Environment, _ tables: Tables, _ sums: StoreRules) throws(StoreFailure) {
        transaction = try StoreFailure.ofLMDB(try environment.beginWriting())
        self.tables = tables
        self.sums = sums
    }

    /// Makes all repairs durable.
    func commit() throws(StoreFailure) {
        try StoreFailure.ofLMDB(try transaction.commit())
    }

    /// The rows that are mended together with a row.
    ///
    /// The log of a center has no gaps, so the events before a damaged event are deleted with it,
    /// as if they were too old; and all events are deleted of a center that has lost its newest
    /// ones.
    func rows(goingWith key: [UInt8], in name: TableName) throws(StoreFailure) -> [SetAside.Row] {
        var rows = [SetAside.Row(table: name, key: key)]
        switch name {
        case .events:
            guard let event = try? EventKey(key) else { break }
            rows = try events(of: event.center)
                .filter { !key.lexicographicallyPrecedes($0.key) }
        case .centers:
            guard let number = try? CenterNumber(key),
                let center = try transaction.found(number, in: tables.centers).row?.center,
                lacksNewest(center, number)
            else { break }
            rows += try events(of: number)
        default: break
        }
        return rows
    }

    private func events(of center: CenterNumber) throws(StoreFailure) -> [SetAside.Row] {
        try transaction.keys(bytesOf: tables.events.raw, center.bytes).map {
            SetAside.Row(table: .events, key: $0)
        }
    }

    /// Whether the newest events of a center are lost: the numbers of events that subscribers were
    /// told are never given again (P4).
    func lacksNewest(_ center: CenterState, _ number: CenterNumber) -> Bool {
        let tally = sums.tallies[number] ?? StoreRules.Tally()
        return tally.events.first != nil && tally.events.last < center.lastEvent
    }

    /// Writes a row again, or deletes it where it cannot be mended.
    func mend(_ key: [UInt8], _ value: [UInt8], in name: TableName) throws(StoreFailure) {
        let table = tables[name]
        let mended: [UInt8]? =
            switch name {
            case .identifiers: try identifier(key, value)
            case .centers: try center(key, value)
            case .snoozed: try snooze(key, value)
            case .devices: try device(key, value)
            case .released: try released(key, value)
            case .records: try record(key, value)
            case .apps: try app(value)
            case .attachments: try attachment(key, value)
            case .attachmentOwners:
                sums.attachments.owners[String(decoding: key, as: UTF8.self)]?.bytes
            case .registrations: try registration(value)
            case .tagPushes: try tagPush(key, value)
            case .richPushes: try richPush(key, value)
            case .registrants: sums.registrants[String(decoding: key, as: UTF8.self)]?.bytes
            case .accounts: try account(key)
            case .idempotency: try kept(key, value)
            case .pushReceipts:
                try counted(try? PushReceiptRecord(value).registrant, value)
            case .deviceTokens:
                try counted(try? DeviceTokenRecord(value).end?.registrant, value)
            case .pushOwners: sums.pushOwners[String(decoding: key, as: UTF8.self)]?.bytes
            default: nil
            }
        if let mended {
            try transaction.put(bytes: mended, at: key, in: table)
        } else {
            try transaction.delete(bytes: key, in: table)
        }
    }

    /// The part of an identifier's row whose rows exist; nil where none exists.
    private func identifier(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) -> [UInt8]? {
        guard let key = try? IdentifierKey(key), var identifier = try? IdentifierRecord(value),
            try transaction.contains(key.center, in: tables.centers)
        else { return nil }
        if let pending = identifier.pending {
            if let record = try request(pending.sequence, of: key),
                pending.due != nil || record.request.trigger?.region != nil
            {
                try schedule(pending, record)
            } else {
                identifier.pending = nil
            }
        }
        if let arriving = identifier.arriving {
            let row = CallbackKey(arriving.callback, of: key.center)
            let isAsked = try transaction.contains(row, in: tables.callbacks)
            let isWaiting = try transaction.contains(row, in: tables.serviceArrivals)
            let request = try request(arriving.sequence, of: key)
            if !isAsked && !isWaiting || request == nil { identifier.arriving = nil }
        }
        if let delivery = identifier.delivered {
            let row = DeliveryKey(delivery, of: key.center)
            let sequence = try transaction.found(row, in: tables.delivered).row?.sequence
            // No request has the number 0, so none is found.
            let request = try request(sequence ?? 0, of: key)
            if request == nil { identifier.delivered = nil }
        }
        identifier.keys = try identifier.soundKeys(under: key) { other throws(StoreFailure) in
            try transaction.found(other, in: tables.identifiers).row
        }
        if let delivery = identifier.snoozed {
            let row = DeliveryKey(delivery, of: key.center)
            let sequence = try transaction.found(row, in: tables.snoozed).row?.sequence
            let request = try request(sequence ?? 0, of: key)
            if request == nil || identifier.delivered != nil { identifier.snoozed = nil }
        }
        return identifier.isEmpty ? nil : identifier.bytes
    }

    /// The account of an app or a device, counted from its rows; nil where it has none.
    private func account(_ key: [UInt8]) throws(StoreFailure) -> [UInt8]? {
        (try? AccountKey(key)).flatMap { sums.accounts[$0]?.bytes }
    }

    /// A kept key that is in its caller's index, and counts for its caller; nil where that does not
    /// mend it.
    private func kept(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) -> [UInt8]? {
        guard let identifier = try? OnceIdentifier(key), let record = try? OnceRecord(value),
            let registrant = Registrant(named: record.registrant)
        else { return nil }
        let row = KeyOwnerKey(identifier, of: registrant.digest)
        try transaction.put(row, in: tables.keyOwners)
        return try counted(registrant.name, value) ?? value
    }

    /// A row that counts for a caller that has lost its own row; nil where the caller has one.
    private func counted(_ registrant: String?, _ value: [UInt8]) throws(StoreFailure) -> [UInt8]? {
        guard let registrant, let count = sums.registrants[registrant],
            try !transaction.contains(NameKey(registrant), in: tables.registrants)
        else { return nil }
        try transaction.put(count, at: NameKey(registrant), in: tables.registrants)
        return value
    }

    /// A device that is in the index of Focuses to turn; nil where its state is wrong.
    private func device(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) -> [UInt8]? {
        guard let row = try? DeviceRecord(value), let change = row.focusChange,
            (try? row.device.validate()) != nil
        else { return nil }
        let place = FocusChangeKey(change, NameKey(String(decoding: key, as: UTF8.self)))
        guard try !transaction.contains(place, in: tables.focusChanges) else { return nil }
        try transaction.put(place, in: tables.focusChanges)
        return value
    }

    /// A snooze with its row in the due index; nil where its identifier is not snoozed so.
    private func snooze(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) -> [UInt8]? {
        guard let key = try? DeliveryKey(key), let row = try? SnoozedRecord(value),
            let record = try transaction.found(row.sequence, in: tables.records).row
        else { return nil }
        let name = IdentifierKey(record.request.identifier, of: record.center)
        let identifier = try transaction.found(name, in: tables.identifiers).row
        guard record.center == key.center, identifier?.snoozed == key.number else { return nil }
        let (due, index) = tables.due(row.due, of: row.sequence, isSnoozed: true)
        try transaction.put(DueRow(center: key.center), at: due, in: index)
        return value
    }

    /// A request that exists and has the identifier of `key`.
    private func request(
        _ sequence: RequestNumber,
        of key: IdentifierKey
    ) throws(StoreFailure) -> RequestRecord? {
        guard let record = try transaction.found(sequence, in: tables.records).row,
            IdentifierKey(record.request.identifier, of: record.center) == key
        else { return nil }
        return record
    }

    /// Adds the missing index rows of a pending request.
    private func schedule(
        _ pending: IdentifierRecord.Pending,
        _ record: RequestRecord
    ) throws(StoreFailure) {
        if let due = pending.due {
            let (key, index) = tables.due(due, of: pending.sequence)
            try transaction.put(DueRow(), at: key, in: index)
        } else {
            try watch(pending.sequence, record)
        }
        if let zone = record.request.trigger?.timeZone {
            let row = ZoneKey(zone, of: record.center, .request(pending.sequence))
            try transaction.put(row, in: tables.zones)
        }
    }

    /// The record of a repeating request, corrected whether the request ended; nil where something
    /// else is wrong with the record.
    private func record(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) -> [UInt8]? {
        guard var record = try? RequestRecord(value), let sequence = try? RequestNumber(key),
            let center = try transaction.found(record.center, in: tables.centers).row?.center
        else { return nil }
        let row = IdentifierKey(record.request.identifier, of: record.center)
        let identifier = try transaction.found(row, in: tables.identifiers).row
        let isPending = identifier?.pending?.sequence == sequence
        let last = record.lastEvent
        guard record.request.trigger?.repeats == true, isPending != (last == nil) else {
            return nil
        }
        record.lastEvent = isPending ? nil : center.lastEvent
        return record.bytes
    }

    /// The released requests of a row whose records exist and are not referred to; nil where there
    /// is none.
    private func released(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) -> [UInt8]? {
        guard let key = try? ReleasedKey(key), let row = try? ReleasedRow(value) else { return nil }
        var mended = ReleasedRow()
        for request in row.requests(at: key) {
            switch try transaction.found(request, in: tables.records) {
            case .missing: continue
            case .damaged: mended.insert(request)
            case .row(let record):
                if try !sums.isKept(request, record, transaction) { mended.insert(request) }
            }
        }
        return mended.isEmpty ? nil : mended.bytes
    }

    /// The row of an app, without prompts that do not exist, and counted for its caller; nil where
    /// that does not mend the row.
    private func app(_ value: [UInt8]) throws(StoreFailure) -> [UInt8]? {
        guard var app = try? AppRecord(value) else { return nil }
        var prompts: [PromptNumber] = []
        for prompt in app.endedPrompts
        where try transaction.contains(prompt, in: tables.prompts) {
            prompts.append(prompt)
        }
        let registrant = NameKey(app.registrant)
        var isUncounted = false
        if !app.registrant.isEmpty {
            isUncounted = try !transaction.contains(registrant, in: tables.registrants)
        }
        guard prompts.count < app.endedPrompts.count || isUncounted else { return nil }
        if isUncounted, let count = sums.registrants[app.registrant] {
            try transaction.put(count, at: registrant, in: tables.registrants)
        }
        app.endedPrompts = prompts
        return app.bytes
    }
}
