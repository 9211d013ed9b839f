internal import NotificationCore
internal import NotificationRecords

// What each caller has registered and stored: counted where an app is registered or a file is
// stored, and where its row goes, in the same transaction.

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
        let key = NameKey(registrant.name)
        var count = try transaction.rowIfAny(key, in: tables.registrants) ?? RegistrantRecord()
        guard count.apps < limits.appsPerCaller else {
            return .failure(.appLimit(limits.appsPerCaller, of: registrant))
        }
        count.apps += 1
        try transaction.put(count, at: key, in: tables.registrants)
        let center = try register(name)
        var app = try center.app()
        app.registrant = registrant.name
        try center.setApp(app)
        return .success(center)
    }

    /// Counts an app no longer, whose row is deleted.
    func endRegistration(of app: AppRecord) throws(StoreFailure) {
        try takeFromCount(of: app.registrant) { $0.apps -= 1 }
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
        let key = NameKey(registrant.name)
        var count = try transaction.rowIfAny(key, in: tables.registrants) ?? RegistrantRecord()
        count.fileBytes += byteCount
        if let refusal = limits.refusal(ofFileBytes: count.fileBytes, of: registrant) {
            return refusal
        }
        try transaction.put(count, at: key, in: tables.registrants)
        return nil
    }

    /// Counts a file no longer, whose row is deleted.
    func endFile(_ file: AttachmentRecord) throws(StoreFailure) {
        try takeFromCount(of: file.registrant) { $0.fileBytes -= file.byteCount }
    }

    /// Counts less for a caller; an empty name is of nobody, for whom nothing counts.
    private func takeFromCount(
        of name: String,
        _ change: (inout RegistrantRecord) -> Void
    ) throws(StoreFailure) {
        guard !name.isEmpty else { return }
        let key = NameKey(name)
        guard var count = try transaction.rowIfAny(key, in: tables.registrants) else {
            throw .disagrees(key, in: tables.registrants)
        }
        change(&count)
        guard count.apps >= 0, count.fileBytes >= 0 else {
            throw .disagrees(key, in: tables.registrants)
        }
        if count.isEmpty {
            try transaction.deleteExisting(key, in: tables.registrants)
        } else {
            try transaction.put(count, at: key, in: tables.registrants)
        }
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
