internal import BelfryLMDB
internal import NotificationCore

/// The repair of a row that the check reported: the row is written again from other rows, or
/// deleted.
///
/// One repair need not mend everything: the check runs again until it finds no problem.
struct Mending {
    let tables: Tables
    /// The counts of the check.
    let sums: StoreRules

    /// The rows that are mended together with a row: the log of a center has no gaps, so the events
    /// before a damaged event are deleted with it, as if they were too old.
    func rows(
        goingWith key: [UInt8],
        in name: StoreRules.TableName,
        _ transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> [[UInt8]] {
        guard name == .events, key.count == 12 else { return [key] }
        return try transaction.withCursor(in: tables.events) { cursor throws(LMDBError) in
            var keys: [[UInt8]] = []
            var found = try cursor.seek(atOrAfter: Array(key.prefix(4)))
            while found {
                let next = try cursor.key()
                guard !key.lexicographicallyPrecedes(next) else { break }
                keys.append(next)
                found = try cursor.move(to: .next)
            }
            return keys
        }
    }

    /// Writes a row again, or deletes it where it cannot be mended.
    func mend(
        _ key: [UInt8],
        _ value: [UInt8],
        in name: StoreRules.TableName,
        _ transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        let table = name.table(in: tables)
        let mended: [UInt8]? =
            switch name {
            case .identifiers: try identifier(key, value, transaction)
            case .centers: try center(key, value, transaction)
            case .records: try record(key, value, transaction)
            case .apps: try app(value, transaction)
            case .attachments: try attachment(key, value, transaction)
            case .attachmentOwners:
                sums.attachments.owners[String(decoding: key, as: UTF8.self)]?.bytes
            default: nil
            }
        if let mended {
            try transaction.put(mended, forKey: key, in: table)
        } else {
            try transaction.delete(key: key, in: table)
        }
    }

    /// The part of an identifier's row whose rows exist; nil where none exists.
    private func identifier(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> [UInt8]? {
        guard key.count > 4, var identifier = try? IdentifierRecord(value),
            try transaction.contains(key: Array(key.prefix(4)), in: tables.centers)
        else { return nil }
        if let pending = identifier.pending {
            if let record = try request(pending.sequence, of: key, transaction) {
                try schedule(pending, record, transaction)
            } else {
                identifier.pending = nil
            }
        }
        if let arriving = identifier.arriving {
            let row = Array(key.prefix(4)) + Key.number(arriving.callback)
            let isAsked = try transaction.contains(key: row, in: tables.callbacks)
            let request = try request(arriving.sequence, of: key, transaction)
            if !isAsked || request == nil { identifier.arriving = nil }
        }
        if let delivery = identifier.delivered {
            let row = Array(key.prefix(4)) + Key.number(delivery)
            let bytes = try transaction.value(forKey: row, in: tables.delivered)
            let sequence = bytes.flatMap { try? DeliveredRecord($0) }?.sequence
            // No request has the number 0.
            let request = try request(sequence ?? 0, of: key, transaction)
            if request == nil { identifier.delivered = nil }
        }
        return identifier.isEmpty ? nil : identifier.bytes
    }

    /// A request that exists and has the identifier of `key`.
    private func request(
        _ sequence: UInt64,
        of key: [UInt8],
        _ transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> RequestRecord? {
        let row = Key.number(sequence)
        guard let bytes = try transaction.value(forKey: row, in: tables.records),
            let record = try? RequestRecord(bytes),
            Key.identifier(record.request.identifier, center: record.center) == key
        else { return nil }
        return record
    }

    /// Adds the missing index rows of a pending request.
    private func schedule(
        _ pending: IdentifierRecord.Pending,
        _ record: RequestRecord,
        _ transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        switch pending.due {
        case .elapsed(let instant):
            let row = Key.due(instant.nanoseconds, number: pending.sequence)
            try transaction.put([], forKey: row, in: tables.dueElapsed)
        case .wall(let date):
            let row = Key.due(date.nanoseconds, number: pending.sequence)
            try transaction.put([], forKey: row, in: tables.dueWall)
        }
        if let zone = record.request.trigger?.timeZone {
            let row = Key.zone(zone, center: record.center, sequence: pending.sequence)
            try transaction.put([], forKey: row, in: tables.zones)
        }
    }

    /// The record of a repeating request, corrected whether the request ended; nil where something
    /// else is wrong with the record.
    private func record(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> [UInt8]? {
        guard var record = try? RequestRecord(value), key.count == 8,
            let bytes = try transaction.value(
                forKey: Key.number(record.center),
                in: tables.centers
            ), let center = try? CenterRecord.center(bytes)
        else { return nil }
        var reader = ByteReader(key)
        let sequence: UInt64 = try reader.number()
        let row = Key.identifier(record.request.identifier, center: record.center)
        let identifier = try transaction.value(forKey: row, in: tables.identifiers)
        let isPending =
            identifier.flatMap { try? IdentifierRecord($0) }?.pending?.sequence == sequence
        let last = record.lastEvent
        guard record.request.trigger?.repeats == true, isPending != (last == nil) else {
            return nil
        }
        record.lastEvent = isPending ? nil : center.lastEvent
        return record.bytes
    }

    /// The row of an app, without prompts that do not exist; nil where that does not mend the row.
    private func app(
        _ value: [UInt8],
        _ transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> [UInt8]? {
        guard var app = try? AppRecord(value) else { return nil }
        var prompts: [UInt64] = []
        for prompt in app.endedPrompts
        where try transaction.contains(key: Key.number(prompt), in: tables.prompts) {
            prompts.append(prompt)
        }
        guard prompts.count < app.endedPrompts.count else { return nil }
        app.endedPrompts = prompts
        return app.bytes
    }
}
