internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The registration of a center for pushes (REG-1..REG-5): its row, and the row of its token.
struct RemoteRegistration: CenterPart {
    let center: CenterWork
    private var key: RegistrationKey { RegistrationKey(center.name) }

    /// The registration; nil where the center is not registered for pushes.
    func record() throws(StoreFailure) -> RegistrationRecord? {
        try batch.transaction.rowIfAny(key, in: batch.tables.registrations)
    }

    /// Registers the center, or gives the registration that it has: the token stays until it ends.
    func register(
        for environment: PushEnvironment,
        with token: DeviceToken
    ) throws(StoreFailure) -> RegistrationRecord {
        if let known = try record() {
            if known.environment == environment { return known }
            _ = try end(.unregistered)
        }
        let record = RegistrationRecord(
            number: center.number,
            token: token,
            environment: environment,
            registeredAt: batch.now.wall
        )
        let row = DeviceTokenRecord(center: center.name)
        try batch.transaction.put(row, at: token, in: batch.tables.deviceTokens)
        try put(record)
        return record
    }

    /// Replaces the tags of the registration, which the center has.
    func setTags(_ tags: [String]) throws(StoreFailure) {
        guard var record = try record(), record.tags != tags else { return }
        try batch.tagIndex.change(from: record.tags, to: tags, of: center.name)
        record.tags = tags
        try put(record)
    }

    private func put(_ record: RegistrationRecord) throws(StoreFailure) {
        try batch.transaction.put(record, at: key, in: batch.tables.registrations)
        batch.hasChanged = true
    }

    /// Ends the registration, its token and its tags.
    ///
    /// - Returns: The token that ended; nil where the center was not registered.
    func end(_ reason: TokenEnd) throws(StoreFailure) -> DeviceToken? {
        guard let record = try record() else { return nil }
        try batch.transaction.deleteExisting(key, in: batch.tables.registrations)
        try batch.tagIndex.change(from: record.tags, to: [], of: center.name)
        var row = DeviceTokenRecord(center: center.name)
        let (number, registrant) = (batch.state.takeNumber(), try center.registrant())
        row.end = .init(reason: reason, at: batch.now, number: number, of: registrant)
        try batch.transaction.put(row, at: record.token, in: batch.tables.deviceTokens)
        let ends = batch.endedTokens
        try ends.append(record.token, number, of: registrant)
        try ends.trim(of: registrant, batch.forget)
        return record.token
    }

    /// Ends a registration whose environment is no longer the one of the app's entitlement.
    func adapt(to entitlements: Entitlements) throws(StoreFailure) {
        guard let record = try record() else { return }
        let environment = batch.profile.pushEnvironment(
            asked: record.environment,
            entitled: entitlements.pushEnvironment
        )
        guard environment == nil, try end(.unregistered) != nil else { return }
        try center.events.record(.tokenChanged)
    }
}

extension Batch {
    fileprivate var endedTokens: OwnedOrder<DeviceToken> {
        OwnedOrder(
            batch: self,
            table: tables.endedTokens,
            count: \.endedTokenCount,
            limit: limits.endedTokens
        )
    }

    fileprivate func forget(
        _ token: DeviceToken,
        isTooMany: Bool
    ) throws(StoreFailure) -> Bool {
        guard let end = try transaction.row(token, in: tables.deviceTokens).end else {
            throw .disagrees(token, in: tables.deviceTokens)
        }
        let age = now.elapsed.nanoseconds(since: end.instant)
        guard isTooMany || age > limits.endedTokenNanoseconds else { return false }
        return try transaction.delete(token, in: tables.deviceTokens)
    }

    /// The center that a provider names by its token (§21.4), which is registered; the command is
    /// refused where the token is.
    ///
    /// `token` is the token, in hexadecimal digits. `app` is the app of the provider; nil takes the
    /// token of any app. `isFor` says whether the command is for an app, which is checked before
    /// the token's end.
    func center(
        ofToken token: String,
        of app: String?,
        isFor: (String) -> Bool = { _ in true }
    ) throws(StoreFailure) -> CenterWork {
        guard !token.isEmpty else { throw .refused(.tokenMissing) }
        guard let token = DeviceToken(text: token),
            let row = try transaction.rowIfAny(token, in: tables.deviceTokens)
        else { throw .refused(.badDeviceToken()) }
        if app.map({ row.center.app != $0 }) ?? !isFor(row.center.app) {
            throw .refused(.tokenOfOtherApp)
        }
        if let end = row.end, !Fault.endedTokenTaken.isPlanted {
            throw .refused(.tokenEnded(end.reason, at: end.date))
        }
        guard let center = try center(row.center) else {
            throw .disagrees(token, in: tables.deviceTokens)
        }
        return center
    }
}
