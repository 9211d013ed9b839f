internal import NotificationCore
internal import NotificationRecords

// What each caller has registered and stored: counted where an app is registered, a file is stored
// or an app's requests and events change, and where their rows go, in the same transaction.

/// The counts of callers as a batch changes them: each is read once, and written at the batch's
/// end.
struct RegistrantCounts {
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
    /// The room of the center `name`; a new app is registered by this (W-2), and counts for the
    /// caller that registers it until it is unregistered.
    ///
    /// - Parameters:
    ///   - name: The center.
    ///   - registrant: The caller; nil for one that may register any number of apps.
    /// - Returns: The room, or that the caller has registered as many apps as it may.
    /// - Throws: What the store reports.
    func register(
        _ name: CenterName,
        by registrant: Registrant?
    ) throws(StoreFailure) -> Result<CenterWork, Refusal> {
        if let center = try center(name) { return .success(center) }
        guard let registrant else { return .success(try register(name)) }
        var count = try count(of: registrant.name) ?? RegistrantRecord()
        guard count.apps < limits.appsPerCaller else {
            return .failure(.appLimit(limits.appsPerCaller, of: registrant))
        }
        count.apps += 1
        setCount(of: registrant.name, to: count)
        let center = try register(name)
        var app = try center.app()
        app.registrant = registrant.name
        try center.setApp(app)
        return .success(center)
    }

    /// Counts an app no longer, whose row is deleted.
    func endRegistration(of app: AppRecord) throws(StoreFailure) {
        try changeCount(of: app.registrant) { $0.apps -= 1 }
    }

    /// Counts a file for the caller that stores it.
    ///
    /// - Parameters:
    ///   - byteCount: Bytes of the file.
    ///   - registrant: The caller; nil for one that may store any number of bytes.
    /// - Returns: Why the caller may not store the file; nothing is counted then.
    /// - Throws: What the store reports.
    func countFile(
        of byteCount: Int,
        by registrant: Registrant?
    ) throws(StoreFailure) -> Refusal? {
        guard let registrant else { return nil }
        var count = try count(of: registrant.name) ?? RegistrantRecord()
        count.fileBytes += byteCount
        if let refusal = limits.refusal(ofFileBytes: count.fileBytes, of: registrant) {
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
            if let count = try count(of: name), !count.isEmpty {
                try transaction.put(count, at: key, in: tables.registrants)
            } else {
                try transaction.delete(key, in: tables.registrants)
            }
        }
        registrants.changed = []
    }

    /// What a caller has; nil where it has nothing.
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

    /// Changes the count of a caller that has an app or a file; an empty name is of nobody, for
    /// whom nothing counts.
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
    /// Why the app may not have a request or a push of so many bytes now, because what the apps of
    /// its caller take in the store is limited together; nil where it may.
    ///
    /// - Parameters:
    ///   - byteCount: Bytes that it takes.
    ///   - replaced: The pending request whose place it takes: it may take as many bytes as that.
    /// - Returns: The refusal.
    /// - Throws: What the store reports.
    func storeBytesRefusal(
        of byteCount: Int,
        replacing replaced: RequestNumber? = nil
    ) throws(StoreFailure) -> Refusal? {
        guard let registrant = Registrant(named: try registrant()) else { return nil }
        let count = try batch.reportingDamage { () throws(StoreFailure) in
            try batch.count(of: registrant.name)
        }
        guard let counted = count??.storeBytes,
            counted + byteCount > batch.limits.storeBytesPerCaller
        else { return nil }
        if let replaced {
            let before = try records.request(replaced).request.storedByteCount
            if byteCount <= before { return nil }
        }
        return .storeBytesLimit(batch.limits.storeBytesPerCaller, of: registrant)
    }

    /// Counts for the caller that registered the app what the app takes in the store now.
    ///
    /// It is done at the end of each batch, whatever its work was. So a damaged row of the app or
    /// of the caller is reported, and until its repair nothing is counted.
    func countStoreBytes() throws(StoreFailure) {
        if state.pendingBytes == nil, state.pendingCount == 0 { state.pendingBytes = 0 }
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
        guard byteCount > fileBytesPerCaller else { return nil }
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
    /// What the apps of a caller take in the store is as much as they may take: nothing happened,
    /// and a retry does not help.
    fileprivate static func storeBytesLimit(_ limit: Int, of registrant: Registrant) -> Refusal {
        Refusal(
            .resourceExhausted,
            reason: .storeBytesLimit,
            message: """
                the pending requests and the events of the apps that the caller \
                (\(registrant.name)) registered take at most \(limit) bytes together, and this \
                request does not fit: remove some
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
