internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// The rules on the store-wide rows and on centers: their counts and their index rows.

extension StoreRules {
    mutating func checkMeta(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        switch try? MetaKey(key) {
        case .format?: break
        case .state?: _ = try tables.state.row(value, at: key)
        case .webPush?: _ = try tables.webPushSecret.row(value, at: key)
        case .pageTokens?: _ = try tables.pageTokens.row(value, at: key)
        case .log?: _ = try tables.log.row(value, at: key)
        case .merged?: _ = try tables.merged.row(value, at: key)
        default: found.append("is unknown")
        }
    }

    /// A center's counts are the counts of its rows, and its name leads to the center.
    mutating func checkCenter(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let number = try tables.centers.key(key)
        let center = try tables.centers.row(value, at: key).center
        let tally = tallies[number] ?? Tally()
        if number >= state.nextCenter { found.append("its number is still to be given") }
        let named = try transaction.rowIfAny(center.name, in: tables.centerNumbers)
        let isLeaving = try transaction.contains(number, in: tables.leaving)
        if isLeaving ? named == number : named != number {
            found.append(
                isLeaving ? "is leaving, and its name is there" : "its name leads elsewhere"
            )
        }
        if let prompt = center.openPrompt {
            let exists = try transaction.contains(prompt, in: tables.prompts)
            if !exists { found.append("its open prompt \(prompt) is gone") }
        }
        let pending = tally.pending.count
        if center.pendingCount != pending {
            found.append("counts \(center.pendingCount) pending requests of \(pending)")
        }
        if center.deliveredCount != tally.delivered {
            found.append("counts \(center.deliveredCount) notifications of \(tally.delivered)")
        }
        if center.snoozedCount != tally.snoozed {
            found.append("counts \(center.snoozedCount) snoozed of \(tally.snoozed)")
        }
        if center.arrivingCount != tally.arriving {
            found.append("counts \(center.arrivingCount) arriving of \(tally.arriving)")
        }
        if center.openResponseCount != tally.openResponses {
            found.append("counts \(center.openResponseCount) responses of \(tally.openResponses)")
        }
        if center.endedCallbackCount != tally.endedCallbacks {
            found.append(
                "counts \(center.endedCallbackCount) ended callbacks of \(tally.endedCallbacks)"
            )
        }
        try checkBytes(of: number, center, tally)
        try checkSummary(of: number, center, tally)
        try checkEvents(of: number, center, tally)
    }

    /// A center knows how many bytes its requests, events and categories take, and how many of
    /// these are charged to the caller that registered the app.
    private mutating func checkBytes(
        of number: CenterNumber,
        _ center: CenterState,
        _ tally: Tally
    ) throws(StoreFailure) {
        // Compare only where the counts agree: missing requests are reported elsewhere.
        if let bytes = tally.pending.bytes, center.pendingBytes != bytes,
            center.pendingCount == tally.pending.count
        {
            found.append("counts \(center.pendingBytes) bytes of pending requests of \(bytes)")
        }
        if center.categories != tally.categories {
            found.append("does not say what its categories are together")
        }
        let app = try transaction.found(number, in: tables.apps)
        if case .damaged = app { return }
        if let bytes = tally.rowBytes, center.rowBytes != bytes, app.row != nil {
            found.append("counts \(center.rowBytes) bytes of rows of \(bytes)")
        }
        let registrant = app.row?.registrant ?? ""
        let bytes = registrant.isEmpty ? 0 : center.storeBytes
        if center.countedBytes != bytes {
            found.append("counts \(center.countedBytes) bytes for its caller of \(bytes)")
        }
        guard !registrant.isEmpty else { return }
        registrants[registrant, default: RegistrantRecord()].storeBytes &+= center.countedBytes
    }

    /// A center's log begins and ends where the center says, and the center is in the index of
    /// expiry.
    mutating func checkEvents(
        of number: CenterNumber,
        _ center: CenterState,
        _ tally: Tally
    ) throws(StoreFailure) {
        let events = tally.events
        let hasEvents = events.first != nil
        if hasEvents ? center.lastEvent != events.last : center.firstEvent <= center.lastEvent {
            found.append("its newest event is \(center.lastEvent), in the log \(events.last)")
        }
        if let first = events.first, center.firstEvent != first {
            found.append("its oldest event is \(center.firstEvent), in the log \(first)")
        }
        if center.eventBytes != events.bytes {
            found.append("counts \(center.eventBytes) bytes of events of \(events.bytes)")
        }
        if center.settingsBytes != events.settingsBytes {
            found.append(
                "counts \(center.settingsBytes) bytes of settings of \(events.settingsBytes)"
            )
        }
        let keepsSomething = hasEvents || tally.delivered > 0
        // A center whose app was unregistered may lose its last rows before its expiry is cleared.
        let isLeaving = try transaction.contains(number, in: tables.leaving)
        if keepsSomething != (center.expiry != nil) && !isLeaving {
            found.append("is not looked at again")
        }
        if let expiry = center.expiry {
            let row = ExpiryKey(expiry, number)
            try require(row, in: tables.expiry, "keeps something and is not in the index of expiry")
        }
    }

    /// A row of the index of expiry agrees with its center.
    mutating func checkExpiry(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let expiry = try tables.expiry.key(key)
        requireEmpty(value)
        let center = try transaction.found(expiry.rest, in: tables.centers)
        if center.isMissing || center.row.map({ $0.center.expiry != expiry.instant }) == true {
            found.append("is not what center \(expiry.rest) says")
        }
    }

    mutating func checkCenterNumber(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let number = try tables.centerNumbers.row(value, at: key)
        let center = try transaction.found(number, in: tables.centers)
        if center.isMissing || center.row.map({ $0.center.name.bytes != key }) == true {
            found.append("leads to center \(number), which is not its own")
        }
    }
}
