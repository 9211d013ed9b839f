internal import BelfryLMDB
internal import Faults
internal import NotificationCore
internal import NotificationRecords

// Counts are written again, from the rows that exist.

extension Mending {
    /// A center with the counts of its rows; nil where no center can be found by its name.
    func center(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) -> [UInt8]? {
        guard let number = try? CenterNumber(key), var center = (try? CenterRecord(value))?.center,
            number < sums.state.nextCenter
        else { return nil }
        let isLeaving = try transaction.contains(number, in: tables.leaving)
        let (name, names) = (center.name, tables.centerNumbers)
        switch try transaction.bytes(at: name.bytes, in: names) {
        case nil where !isLeaving: try transaction.put(number, at: name, in: names)
        case key? where isLeaving: try transaction.delete(name, in: names)
        case nil, key?: break
        default: if !isLeaving { return nil }
        }
        if let prompt = center.openPrompt,
            try !transaction.contains(prompt, in: tables.prompts)
        {
            center.openPrompt = nil
        }
        let tally = sums.tallies[number] ?? StoreRules.Tally()
        center.pendingCount = tally.pending.count
        center.deliveredCount = tally.delivered
        center.snoozedCount = tally.snoozed
        center.arrivingCount = tally.arriving
        center.openResponseCount = tally.openResponses
        center.endedCallbackCount = tally.endedCallbacks
        let lacksNewest = lacksNewest(center, number)
        center.eventBytes = lacksNewest ? 0 : tally.events.bytes
        center.settingsBytes = lacksNewest ? 0 : tally.events.settingsBytes
        center.pendingBytes = tally.pending.bytes ?? center.pendingBytes
        center.categories = tally.categories
        center.rowBytes = tally.rowBytes ?? center.rowBytes
        let registrant = try transaction.found(number, in: tables.apps).row?.registrant ?? ""
        center.countedBytes = registrant.isEmpty ? 0 : center.storeBytes
        let forgets = Fault.lostEventNumbersGivenAgain.isPlanted
        center.lastEvent = forgets ? tally.events.last : max(center.lastEvent, tally.events.last)
        let first = lacksNewest ? nil : tally.events.first
        center.firstEvent = first ?? center.lastEvent.next
        try mendSummary(of: &center, number, held: tally.held)
        let keeps = first != nil || tally.delivered > 0
        center.expiry = keeps ? center.expiry ?? sums.state.now.elapsed : nil
        if let expiry = center.expiry {
            try transaction.put(ExpiryKey(expiry, number), in: tables.expiry)
        }
        return CenterRecord(center).bytes
    }

    /// Writes the index rows of a summary for which notifications wait; where its instant is lost,
    /// the summary is due now.
    private func mendSummary(
        of center: inout CenterState,
        _ number: CenterNumber,
        held: Int
    ) throws(StoreFailure) {
        center.heldCount = held
        guard held > 0 else {
            center.summaryDue = nil
            return
        }
        let due = center.summaryDue ?? sums.state.now.wall
        center.summaryDue = due
        let key = DueKey(due, summaryOf: number)
        try transaction.put(DueRow(center: number), at: key, in: tables.dueWall)
        try transaction.put(ZoneKey("", of: number, .summary), in: tables.zones)
    }

    /// Writes an attachment with the number of its references, and the rows of its app and its
    /// caller; nil where the file is missing.
    func attachment(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) -> [UInt8]? {
        guard let key = try? AttachmentKey(key), var record = try? AttachmentRecord(value),
            let files = sums.attachments.files,
            let byteCount = try? Files.byteCount(of: files + "/" + record.file.name),
            byteCount == record.byteCount
        else { return nil }
        record.referenceCount = sums.attachments.uses[key.bytes] ?? 0
        if record.referenceCount == 0 {
            let end =
                record.unreferencedUntil
                ?? sums.state.now.elapsed.advanced(byNanoseconds: Limits.unreferencedNanoseconds)
            record.unreferencedUntil = end
            try transaction.put(AttachmentExpiryKey(end, key), in: tables.attachmentExpiry)
        } else {
            record.unreferencedUntil = nil
        }
        if let owner = sums.attachments.owners[key.app] {
            try transaction.put(owner, at: NameKey(key.app), in: tables.attachmentOwners)
        }
        if let count = sums.registrants[record.registrant] {
            try transaction.put(count, at: NameKey(record.registrant), in: tables.registrants)
        }
        return record.bytes
    }
}
