internal import BelfryLMDB
internal import NotificationCore

// Counts are written again, from the rows that exist.

extension Mending {
    /// A center with the counts of its rows; nil where no center can be found by its name.
    func center(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> [UInt8]? {
        guard key.count == 4, var center = try? CenterRecord.center(value) else { return nil }
        var reader = ByteReader(key)
        let number: UInt32 = try reader.number()
        guard number < sums.state.nextCenter else { return nil }
        let isLeaving = try transaction.contains(key: key, in: tables.leaving)
        let name = Key.centerNumber(center.name)
        switch try transaction.value(forKey: name, in: tables.centerNumbers) {
        case nil where !isLeaving: try transaction.put(key, forKey: name, in: tables.centerNumbers)
        case key? where isLeaving: try transaction.delete(key: name, in: tables.centerNumbers)
        case nil, key?: break
        default: if !isLeaving { return nil }
        }
        if let prompt = center.openPrompt,
            try !transaction.contains(key: Key.number(prompt), in: tables.prompts)
        {
            center.openPrompt = nil
        }
        let tally = sums.tallies[number] ?? StoreRules.Tally()
        center.pendingCount = tally.pending
        center.deliveredCount = tally.delivered
        center.arrivingCount = tally.arriving
        center.openResponseCount = tally.openResponses
        center.endedCallbackCount = tally.endedCallbacks
        center.eventBytes = tally.eventBytes
        center.firstEvent = tally.firstEvent ?? center.lastEvent + 1
        if tally.firstEvent != nil { center.lastEvent = tally.lastEvent }
        try mendSummary(of: &center, number, held: tally.held, transaction)
        let keeps = tally.firstEvent != nil || tally.delivered > 0
        center.expiry = keeps ? center.expiry ?? sums.state.now.elapsed : nil
        if let expiry = center.expiry {
            let row = Key.expiry(expiry, center: number)
            try transaction.put([], forKey: row, in: tables.expiry)
        }
        return CenterRecord.bytes(of: center)
    }

    /// Writes the index rows of a summary for which notifications wait; where its instant is lost,
    /// the summary is due now.
    private func mendSummary(
        of center: inout CenterState,
        _ number: UInt32,
        held: Int,
        _ transaction: borrowing WriteTransaction
    ) throws(LMDBError) {
        center.heldCount = held
        guard held > 0 else {
            center.summaryDue = nil
            return
        }
        let due = center.summaryDue ?? sums.state.now.wall
        center.summaryDue = due
        let summary = Key.summaryNumber(number)
        let row = Key.due(due.nanoseconds, number: summary)
        try transaction.put(Key.number(number), forKey: row, in: tables.dueWall)
        let zone = Key.zone("", center: number, sequence: summary)
        try transaction.put([], forKey: zone, in: tables.zones)
    }

    /// Writes an attachment with the number of its references, and its app's row; nil where the
    /// file is missing.
    func attachment(
        _ key: [UInt8],
        _ value: [UInt8],
        _ transaction: borrowing WriteTransaction
    ) throws(LMDBError) -> [UInt8]? {
        guard key.count > 17, var record = try? AttachmentRecord(value),
            let files = sums.attachments.files,
            let byteCount = try? Files.byteCount(of: files + "/" + record.file.name),
            byteCount == record.byteCount
        else { return nil }
        record.referenceCount = sums.attachments.uses[key] ?? 0
        if record.referenceCount == 0 {
            let end =
                record.unreferencedUntil
                ?? sums.state.now.elapsed.advanced(byNanoseconds: Limits.unreferencedNanoseconds)
            record.unreferencedUntil = end
            let row = Key.attachmentExpiry(end, attachment: key)
            try transaction.put([], forKey: row, in: tables.attachmentExpiry)
        } else {
            record.unreferencedUntil = nil
        }
        let app = String(decoding: key.dropLast(17), as: UTF8.self)
        if let owner = sums.attachments.owners[app] {
            let row = Key.attachmentOwner(app)
            try transaction.put(owner.bytes, forKey: row, in: tables.attachmentOwners)
        }
        return record.bytes
    }
}
