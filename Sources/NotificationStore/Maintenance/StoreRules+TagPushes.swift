internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

// The rules on tags, on pushes to many devices and on rich pushes.

extension StoreRules {
    /// A tag belongs to a registration that has it.
    mutating func checkTag(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.tags.key(key)
        _ = try tables.tags.row(value, at: key)
        guard let center = try? CenterName(app: name.app, device: name.device) else {
            throw tables.tags.error(.undecodable, key)
        }
        switch try transaction.found(RegistrationKey(center), in: tables.registrations) {
        case .damaged: break
        case .row(let registration) where registration.tags.contains(name.tag): break
        case .missing, .row: found.append("is of no registration that has it")
        }
    }

    /// A push to many goes on or is removed at an instant of the index, and counts its outcomes.
    mutating func checkTagPush(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.tagPushes.key(key)
        checkIsGiven(name.number)
        let push = try tables.tagPushes.row(value, at: key)
        if (try? TagExpression(push.expression)) == nil { found.append("is for nobody") }
        if push.state.isEnded != (push.content == nil)
            || push.state.isEnded != (push.endedAt != nil)
        {
            found.append("does not say whether it has ended")
        }
        if try !isInIndex(push, name) { found.append("never goes on") }
        let last = try transaction.lastRows(in: tables.tagPushOutcomes, .push(name), atMost: 1)
        if last.first?.key.number ?? 0 != push.deviceCount {
            found.append("counts \(push.deviceCount) outcomes, and has others")
        }
        if !push.state.isEnded { pushOwners[name.app, default: PushOwnerRecord()].openPushes += 1 }
        try checkHasOwner(name.app)
    }

    private func isInIndex(_ push: TagPushRecord, _ key: TagPushKey) throws(StoreFailure) -> Bool {
        if let row = push.date(of: key) {
            return try transaction.contains(row, in: tables.pushDates)
        }
        guard let row = push.work(of: key) else { return false }
        return try transaction.contains(row, in: tables.pushWork)
    }

    /// An outcome belongs to a push, and the outcome before it is there, unless the push is being
    /// removed.
    mutating func checkTagPushOutcome(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.tagPushOutcomes.key(key)
        _ = try tables.tagPushOutcomes.row(value, at: key)
        let push = try look(at: name.push, in: tables.tagPushes, orElse: "its push is gone")
        guard let push, !push.state.isEnded, name.number > 1 else { return }
        let before = TagPushOutcomeKey(name.number - 1, of: name.push)
        try require(before, in: tables.tagPushOutcomes, "the outcome before it is gone")
    }

    /// A device that was sent a rich push is among the addressees of it.
    mutating func checkRichInbox(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.richInbox.key(key)
        _ = try tables.richInbox.row(value, at: key)
        try checkCenterExists(name.center)
        guard let center = try transaction.found(name.center, in: tables.centers).row?.center else {
            return
        }
        let richPush = RichPushKey(name.number, of: center.name.app)
        let addressee = RichAddresseeKey(name.center, of: richPush)
        try require(addressee, in: tables.richAddressees, "was not sent to this device")
    }

    /// An addressee of a rich push has the rich push.
    mutating func checkRichAddressee(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.richAddressees.key(key)
        _ = try tables.richAddressees.row(value, at: key)
        try require(name.richPush, in: tables.richPushes, "its rich push is gone")
        let inbox = RichInboxKey(name.richPush.number, of: name.center)
        try require(inbox, in: tables.richInbox, "its device does not have it")
    }

    /// A rich push has a file, and is removed at an instant of the index.
    mutating func checkRichPush(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let name = try tables.richPushes.key(key)
        let richPush = try tables.richPushes.row(value, at: key)
        let row = richPush.removal(of: name)
        try require(row, in: tables.pushWork, "never goes")
        var owner = pushOwners[name.app] ?? PushOwnerRecord()
        owner.lastRichPush = max(owner.lastRichPush, name.number)
        if let attachment = richPush.attachment {
            owner.richPushes += 1
            try checkUse(of: attachment, of: name.app)
        }
        pushOwners[name.app] = owner
        try checkHasOwner(name.app)
    }

    private mutating func checkHasOwner(_ app: String) throws(StoreFailure) {
        if try !transaction.contains(NameKey(app), in: tables.pushOwners) {
            found.append("its app has no row of what its pushes add up to")
        }
    }

    /// Work belongs to a push or a rich push that waits for it.
    mutating func checkPushWork(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let work = try tables.pushWork.key(key)
        _ = try tables.pushWork.row(value, at: key)
        let isAwaited: Bool? =
            switch work.kind {
            case .push, .removePush:
                try transaction.found(work.tagPush, in: tables.tagPushes).map { push in
                    push.workAt == work.instant && push.state.isEnded == (work.kind == .removePush)
                }
            case .removeRichPush:
                try transaction.found(work.richPush, in: tables.richPushes).map { richPush in
                    richPush.removalAt == work.instant
                }
            }
        if isAwaited == false { found.append("is awaited by nothing") }
    }

    /// A date belongs to a push that waits for it.
    mutating func checkPushDate(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let work = try tables.pushDates.key(key)
        _ = try tables.pushDates.row(value, at: key)
        let isAwaited = try transaction.found(work.tagPush, in: tables.tagPushes).map { push in
            work.kind == .push && push.state == .waiting && push.deliverAt == work.instant
        }
        if isAwaited == false { found.append("is awaited by nothing") }
    }

    /// The counts of an app's pushes are the counts in the app's row; rich pushes that are gone
    /// still count for the number of the last one.
    mutating func checkPushOwner(_ key: [UInt8], _ value: [UInt8]) throws(StoreFailure) {
        let app = try tables.pushOwners.key(key).name
        let owner = try tables.pushOwners.row(value, at: key)
        var counted = pushOwners[app] ?? PushOwnerRecord()
        counted.lastRichPush = max(counted.lastRichPush, owner.lastRichPush)
        pushOwners[app] = counted
        if owner != counted { found.append("does not say what its pushes add up to") }
    }
}

extension FoundRow {
    /// Whether a row is there and fits; nil for a row that does not decode.
    fileprivate func map(_ fits: (Row) -> Bool) -> Bool? {
        switch self {
        case .missing: false
        case .damaged: nil
        case .row(let row): fits(row)
        }
    }
}

extension PushWorkKey {
    /// The push to many that the work is about.
    var tagPush: TagPushKey { TagPushKey(TagPushNumber(rawValue: number), of: app) }
    /// The rich push that the work is about.
    var richPush: RichPushKey { RichPushKey(RichPushNumber(rawValue: number), of: app) }
}

extension RichPushRecord {
    /// The row by which it is removed.
    func removal(of key: RichPushKey) -> PushWorkKey<ElapsedInstant> {
        PushWorkKey(removalAt, .removeRichPush, key.number.rawValue, of: key.app)
    }
}

extension TagPushRecord {
    /// The row by which it begins; nil for one that does not wait for a date.
    func date(of key: TagPushKey) -> PushWorkKey<WallInstant>? {
        guard state == .waiting, let deliverAt else { return nil }
        return PushWorkKey(deliverAt, .push, key.number.rawValue, of: key.app)
    }

    /// The row by which it goes on or is removed; nil while it waits for a date.
    func work(of key: TagPushKey) -> PushWorkKey<ElapsedInstant>? {
        guard state != .waiting, let workAt else { return nil }
        let kind: PushWorkKind = state.isEnded ? .removePush : .push
        return PushWorkKey(workAt, kind, key.number.rawValue, of: key.app)
    }
}
