internal import Faults
internal import NotificationCore
internal import NotificationRecords

// The totals of each caller: apps, files and bytes. They change in the transaction that registers
// an app, stores a file, changes an app's requests or events, or deletes rows.

/// The counts of callers as a batch changes them: each is read once, and written at the batch's
/// end.
struct RegistrantCounts {
    /// The caller for whom new rows of the present command count; nil for a caller without a limit.
    var present: Registrant?
    /// The counts that were read, by ``Registrant/name``; nil for a caller without a row.
    ///
    /// Bounded: a batch touches a limited number of apps and files.
    fileprivate var counts: [String: RegistrantRecord?] = [:]
    /// The callers whose counts have changed.
    ///
    /// Bounded: names of callers, which are cut.
    fileprivate var changed: Set<String> = []
}

extension Batch {
    /// The room of the center `name`.
    ///
    /// An app that is not registered is registered now (W-2), and counts for the caller until it is
    /// unregistered.
    ///
    /// `registrant` is the caller; nil for one that may register any number of apps.
    ///
    /// The command is refused where the caller has registered as many apps as it may.
    func register(
        _ name: CenterName,
        by registrant: Registrant?
    ) throws(StoreFailure) -> CenterWork {
        if let center = try center(name) { return center }
        try StoreFailure.refuse(refusal(ofKeeping: Self.appByteCount))
        guard let registrant else { return try register(name) }
        var count = try count(of: registrant.name) ?? RegistrantRecord()
        guard count.apps < limits.appsPerCaller || Fault.limitOfAppsIgnored.isPlanted else {
            context.refusals.note(.callerAtLimit)
            throw .refused(.appLimit(limits.appsPerCaller, of: registrant))
        }
        count.apps += 1
        setCount(of: registrant.name, to: count)
        let center = try register(name)
        var app = try center.app()
        app.registrant = registrant.name
        try center.setApp(app)
        return center
    }

    /// About how many bytes an app without requests takes.
    private static let appByteCount = 1_024

    /// Counts an app no longer, whose row is deleted.
    func endRegistration(of app: AppRecord) throws(StoreFailure) {
        try changeCount(of: app.registrant) { $0.apps -= 1 }
    }

    /// Counts a file for the caller that stores it.
    ///
    /// `registrant` is the caller; nil for one that may store any number of bytes.
    ///
    /// - Returns: Why the caller may not store the file; nothing is counted then.
    func countFile(
        of byteCount: Int,
        by registrant: Registrant?
    ) throws(StoreFailure) -> Refusal? {
        guard let registrant else { return nil }
        var count = try count(of: registrant.name) ?? RegistrantRecord()
        count.fileBytes += byteCount
        if let refusal = limits.refusal(ofFileBytes: count.fileBytes, of: registrant) {
            context.refusals.note(.callerAtLimit)
            return refusal
        }
        setCount(of: registrant.name, to: count)
        return nil
    }

    /// Counts a file no longer, whose row is deleted.
    func endFile(_ file: AttachmentRecord) throws(StoreFailure) {
        try changeCount(of: file.registrant) { $0.fileBytes -= file.byteCount }
    }

    /// Writes the counts that changed, at the end of the batch.
    func writeRegistrants() throws(StoreFailure) {
        for name in registrants.changed.sorted() {
            let key = NameKey(name)
            if let count = try count(of: name), isKept(count) {
                try transaction.put(count, at: key, in: tables.registrants)
            } else {
                try transaction.delete(key, in: tables.registrants)
            }
        }
        registrants.changed = []
    }

    /// Whether a caller's row has a count, or a floor above that of all callers, without which a
    /// retry of a forgotten key would act twice.
    private func isKept(_ count: RegistrantRecord) -> Bool {
        !count.isEmpty
            || count.keyFloorMilliseconds > state.idempotencyFloorMilliseconds
                && !Fault.floorGoesWithItsRow.isPlanted
    }

    /// The totals of a caller; nil for a caller without a row.
    fileprivate func count(of name: String) throws(StoreFailure) -> RegistrantRecord? {
        if let known = registrants.counts[name] { return known }
        let count = try transaction.rowIfAny(NameKey(name), in: tables.registrants)
        registrants.counts[name] = .some(count)
        return count
    }

    private func setCount(of name: String, to count: RegistrantRecord) {
        hasChanged = true
        registrants.counts[name] = count
        registrants.changed.insert(name)
    }

    /// Charges the bytes of rows that were written or deleted since the last call to their centers,
    /// apps and devices, and to the callers of these.
    ///
    /// A damaged row is reported; its bytes are charged after its repair.
    func settleRows() throws(StoreFailure) {
        for (owner, change) in transaction.takeOwnerBytes() where change != 0 {
            _ = try reportingDamage { () throws(StoreFailure) in
                switch owner {
                case .center(let number): try settle(change, of: number)
                case .named(let name):
                    if let number = try number(of: name) { try settle(change, of: number) }
                case .app, .device:
                    if let key = AccountKey(owner) { try settle(change, of: key) }
                }
            }
        }
    }

    private func settle(_ change: Int, of number: CenterNumber) throws(StoreFailure) {
        guard let center = try knownCenter(number) else { return }
        center.state.rowBytes = max(0, center.state.rowBytes + change)
        try center.countStoreBytes()
    }

    /// Charges bytes to an app or a device, and to its caller: the first one with a limit that made
    /// it store something.
    private func settle(_ change: Int, of key: AccountKey) throws(StoreFailure) {
        let before = try transaction.rowIfAny(key, in: tables.accounts) ?? AccountRecord()
        var account = before
        account.byteCount = max(0, before.byteCount + change)
        if account.registrant.isEmpty, change > 0 {
            account.registrant = registrants.present?.name ?? ""
        }
        if !before.registrant.isEmpty {
            try changeCount(of: before.registrant) { $0.storeBytes -= before.byteCount }
        }
        hasChanged = true
        guard account.byteCount > 0 else {
            try transaction.delete(key, in: tables.accounts)
            return
        }
        if !account.registrant.isEmpty {
            var count = try count(of: account.registrant) ?? RegistrantRecord()
            count.storeBytes += account.byteCount
            setCount(of: account.registrant, to: count)
        }
        try transaction.put(account, at: key, in: tables.accounts)
    }

    /// Why the present command may not store so many bytes more: the store is full, or the caller
    /// is at its limit.
    ///
    /// `byteCount` is about how many bytes more the rows take; not more than 0 is always allowed.
    /// `owner` is the app or the device to which the rows belong, if any: it counts for its caller.
    ///
    /// - Returns: The refusal; nil where it may.
    func refusal(
        ofKeeping byteCount: Int,
        of owner: RowOwner? = nil
    ) throws(StoreFailure) -> Refusal? {
        guard byteCount > 0 else { return nil }
        guard hasRoomForAdds else { return .storeFull }
        var name = ""
        if let key = owner.flatMap(AccountKey.init) {
            let account = try reportingDamage { () throws(StoreFailure) in
                try transaction.rowIfAny(key, in: tables.accounts)
            }
            name = account??.registrant ?? ""
        }
        guard let registrant = Registrant(named: name) ?? registrants.present else { return nil }
        return try refusal(ofKeeping: byteCount, by: registrant)
    }

    /// Why a caller may not store so many bytes more.
    fileprivate func refusal(
        ofKeeping byteCount: Int,
        by registrant: Registrant
    ) throws(StoreFailure) -> Refusal? {
        let count = try reportingDamage { () throws(StoreFailure) in
            try self.count(of: registrant.name)
        }
        let counted = count??.storeBytes ?? 0
        guard counted + byteCount > limits.storeBytesPerCaller,
            !Fault.limitOfStoreBytesIgnored.isPlanted
        else { return nil }
        context.refusals.note(.callerAtLimit)
        return .storeBytesLimit(limits.storeBytesPerCaller, of: registrant)
    }

    /// Changes what is kept of a caller beside what it stored.
    func changeKept(
        of registrant: Registrant,
        _ change: (inout RegistrantRecord) -> Void
    ) throws(StoreFailure) -> RegistrantRecord {
        var count = try count(of: registrant.name) ?? RegistrantRecord()
        change(&count)
        setCount(of: registrant.name, to: count)
        return count
    }

    /// The caller that has most of what is kept of all callers together.
    ///
    /// `count` says how much of it a caller has, and `total` how much all have; the callers without
    /// a limit count as one.
    ///
    /// - Returns: The caller's ``Registrant/name``; empty for those without a limit.
    /// - Complexity: O(*n*) in the callers.
    func callerWithMost(
        _ count: KeyPath<RegistrantRecord, Int>,
        of total: Int
    ) throws(StoreFailure) -> String {
        var (name, most, rest) = ("", 0, total)
        func look(at caller: String, _ record: RegistrantRecord?) {
            guard let record else { return }
            let own = record[keyPath: count]
            rest -= own
            if own > most { (name, most) = (caller, own) }
        }
        try transaction.scan(bytesOf: tables.registrants.raw) { key, value in
            let caller = String(decoding: key, as: UTF8.self)
            // The batch has changed the row, and has not written it.
            if registrants.counts.index(forKey: caller) == nil {
                look(at: caller, try? RegistrantRecord(value))
            }
            return true
        }
        for (caller, record) in registrants.counts { look(at: caller, record) }
        return rest > most ? "" : name
    }

    /// A caller's idempotency keys of this time or before are refused, in milliseconds since 1970.
    func keyFloor(of registrant: Registrant) throws(StoreFailure) -> Int64 {
        try count(of: registrant.name)?.keyFloorMilliseconds ?? 0
    }

    /// Changes the totals of a caller; an empty name is nobody, who has none.
    fileprivate func changeCount(
        of name: String,
        _ change: (inout RegistrantRecord) -> Void
    ) throws(StoreFailure) {
        guard !name.isEmpty else { return }
        guard var count = try count(of: name) else {
            throw .disagrees(NameKey(name), in: tables.registrants)
        }
        change(&count)
        guard count.apps >= 0, count.fileBytes >= 0, count.storeBytes >= 0 else {
            throw .disagrees(NameKey(name), in: tables.registrants)
        }
        setCount(of: name, to: count)
    }
}

extension CenterWork {
    /// Why the app may not store a request, a push or categories of so many bytes: its caller is at
    /// the limit for all its apps together.
    ///
    /// Nil where it may.
    ///
    /// It takes `byteCount` bytes. `replaced` is the pending request whose place it takes: it may
    /// take as many bytes as that.
    func storeBytesRefusal(
        of byteCount: Int,
        replacing replaced: RequestNumber? = nil
    ) throws(StoreFailure) -> Refusal? {
        guard byteCount > 0, let registrant = Registrant(named: try registrant()),
            let refusal = try batch.refusal(ofKeeping: byteCount, by: registrant)
        else { return nil }
        if let replaced {
            let before = try records.head(replaced).request.storedByteCount
            if byteCount <= before { return nil }
        }
        return refusal
    }

    /// Charges the bytes that the app takes in the store to the caller that registered it.
    ///
    /// Each batch does this at its end. A damaged row of the app or of the caller is reported, and
    /// nothing is charged until its repair.
    func countStoreBytes() throws(StoreFailure) {
        let change = state.storeBytes - state.countedBytes
        guard change != 0 else { return }
        let name = try registrant()
        guard !name.isEmpty else { return }
        let isCounted: Void? = try batch.reportingDamage { () throws(StoreFailure) in
            try batch.changeCount(of: name) { $0.storeBytes += change }
        }
        if isCounted != nil { state.countedBytes += change }
    }
}

extension StoreReader {
    /// How many bytes of files a caller has stored.
    func fileBytes(of registrant: Registrant) throws(Refusal) -> Int {
        do throws(StoreFailure) {
            return try environment.reading { transaction throws(StoreFailure) in
                let key = NameKey(registrant.name)
                return try transaction.rowIfAny(key, in: tables.registrants)?.fileBytes ?? 0
            }
        } catch {
            throw damage.refusal(for: error)
        }
    }
}

extension StoreLimits {
    /// Why a caller may not have so many bytes of files; nil where it may.
    func refusal(ofFileBytes byteCount: Int, of registrant: Registrant) -> Refusal? {
        guard byteCount > fileBytesPerCaller, !Fault.limitOfBytesIgnored.isPlanted else {
            return nil
        }
        return Refusal(
            .resourceExhausted,
            reason: .fileBytesLimit,
            message: """
                the files that the caller (\(registrant.name)) stored have at most \
                \(fileBytesPerCaller) bytes together, and this one does not fit: remove what \
                refers to some
                """,
            fields: [Refusal.WrongField([.data], "does not fit in what the caller may store")],
            facts: [.limit: "\(fileBytesPerCaller)", .callerKind: registrant.kind.rawValue]
        )
    }
}

extension Refusal {
    /// The apps of a caller take all the bytes that they may take: nothing happened, and a retry
    /// does not help.
    fileprivate static func storeBytesLimit(_ limit: Int, of registrant: Registrant) -> Refusal {
        Refusal(
            .resourceExhausted,
            reason: .storeBytesLimit,
            message: """
                what the caller (\(registrant.name)) stores, with the pending requests, events, \
                categories and pushes of the apps that it registered, takes at most \(limit) bytes \
                together, and this does not fit: remove some
                """,
            facts: [.limit: "\(limit)", .callerKind: registrant.kind.rawValue]
        )
    }

    /// A caller has registered as many apps as it may: nothing happened, and a retry does not help.
    fileprivate static func appLimit(_ limit: Int, of registrant: Registrant) -> Refusal {
        Refusal(
            .resourceExhausted,
            reason: .appLimit,
            message: """
                the caller (\(registrant.name)) has registered \(limit) apps, each counted on each \
                of its devices, and may have no more: the server's owner may unregister some
                """,
            facts: [.limit: "\(limit)", .callerKind: registrant.kind.rawValue]
        )
    }
}
