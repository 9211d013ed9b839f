internal import NotificationCore
internal import NotificationRecords

// How many apps each caller has registered: counted where an app is registered and where its row
// goes, in the same transaction.

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
        guard !app.registrant.isEmpty else { return }
        let key = NameKey(app.registrant)
        guard var count = try transaction.rowIfAny(key, in: tables.registrants), count.apps > 0
        else { throw .disagrees(key, in: tables.registrants) }
        count.apps -= 1
        if count.apps == 0 {
            try transaction.deleteExisting(key, in: tables.registrants)
        } else {
            try transaction.put(count, at: key, in: tables.registrants)
        }
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
