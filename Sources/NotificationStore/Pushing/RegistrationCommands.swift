package import NotificationCore
package import NotificationRecords

/// The token and the environment for an app's pushes, as the app is told.
package struct PushAddress: Hashable, Sendable {
    /// The token that providers name.
    package var token: DeviceToken
    package var environment: PushEnvironment
}

extension Store {
    /// Registers an app for pushes, also one that the person has not allowed to notify (REG-5); an
    /// app that is new is registered by this (W-2).
    ///
    /// `environment` is which pushes; nil is the environment of the app's entitlement. `completion`
    /// is told the token, which stays the same until it ends, once it is durable;
    /// `PUSH_NOT_ENTITLED`.
    package func registerForPushes(
        _ center: CenterName,
        in environment: PushEnvironment?,
        by registrant: Registrant? = nil,
        once key: OnceKey? = nil,
        completion: @escaping Completion<PushAddress>
    ) {
        let command = RegisterForPushesCommand(
            center: center,
            environment: environment,
            token: .random(),
            registrant: registrant,
            mayRegister: registersNewApps
        )
        submit(command, once: key, completion)
    }

    /// Ends the registration of an app for pushes; its token is unregistered from then on.
    ///
    /// `completion` is told the token that ended, or nothing where there was none.
    package func unregisterForPushes(
        _ center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<[String]>
    ) {
        submit(UnregisterForPushesCommand(center: center), once: key, completion)
    }

    /// Ends a token; the app is told, and gets another one when it registers again.
    ///
    /// `token` is the token, in hexadecimal digits. `reason` is what providers are told.
    /// `completion` is told when the token ended, now or before; `BAD_DEVICE_TOKEN`.
    package func revokeToken(
        _ token: String,
        as reason: TokenEnd,
        once key: OnceKey? = nil,
        completion: @escaping Completion<WallInstant>
    ) {
        submit(RevokeTokenCommand(token: token, reason: reason), once: key, completion)
    }

    /// Replaces the tags of a device (AZ-4).
    ///
    /// `tags` are as ``DeviceTags/checked(_:)`` gives them. `token` is the device's token, in
    /// hexadecimal digits. `completion` is told the tags, once they are durable; or why the token
    /// is refused.
    package func setTags(
        _ tags: [String],
        ofToken token: String,
        of app: String,
        once key: OnceKey? = nil,
        completion: @escaping Completion<[String]>
    ) {
        submit(SetTagsCommand(app: app, token: token, tags: tags), once: key, completion)
    }
}

struct RegisterForPushesCommand: CenterCommand {
    let center: CenterName
    let environment: PushEnvironment?
    /// The token of a new registration, made by the caller's thread.
    let token: DeviceToken
    let registrant: Registrant?
    let mayRegister: Bool

    static var changesItself: Bool { false }

    var growth: Growth { .asked }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<PushAddress> {
        let known = try batch.center(center)
        guard mayRegister || known != nil else { return .done(.failure(.notRegistered(center))) }
        let entitled = try known?.app().registration.entitlements.pushEnvironment
        let decided = batch.profile.pushEnvironment(asked: environment, entitled: entitled)
        guard let decided else { return .done(.failure(.pushNotEntitled(entitled))) }
        let before = try known?.remote.record()
        guard batch.hasRoomForAdds || before != nil else { return .done(.failure(.storeFull)) }
        let center = try batch.register(self.center, by: registrant)
        let record = try center.remote.register(for: decided, with: token)
        return .done(
            .success(PushAddress(token: record.token, environment: record.environment))
        )
    }
}

struct UnregisterForPushesCommand: CenterCommand {
    let center: CenterName

    static var changesItself: Bool { false }

    var growth: Growth { .nothing }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<[String]> {
        let center = try batch.registered(center)
        let ended = try center.remote.end(.unregistered)
        return .done(.success(ended.map { [$0.text] } ?? []))
    }
}

struct RevokeTokenCommand: Command {
    let token: String
    let reason: TokenEnd

    static var changesItself: Bool { false }

    var growth: Growth { .nothing }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<WallInstant> {
        guard let token = DeviceToken(text: token),
            let row = try batch.transaction.rowIfAny(token, in: batch.tables.deviceTokens)
        else { return .done(.failure(.badDeviceToken(.notFound))) }
        if let end = row.end { return .done(.success(end.date)) }
        guard let center = try batch.center(row.center), try center.remote.end(reason) == token
        else { throw .disagrees(token, in: batch.tables.deviceTokens) }
        try center.events.record(.tokenChanged)
        return .done(.success(batch.now.wall))
    }
}

struct SetTagsCommand: Command {
    let app: String
    let token: String
    let tags: [String]

    static var changesItself: Bool { false }

    var growth: Growth { .asked }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<[String]> {
        let center = try batch.center(ofToken: token, of: app)
        guard batch.hasRoomForAdds || tags.isEmpty else { return .done(.failure(.storeFull)) }
        try center.remote.setTags(tags)
        return .done(.success(tags))
    }
}

extension PushAddress: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(bytes: token.bytes)
        writer.put(environment.rawValue)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        token = try DeviceToken(try reader.bytes(DeviceToken.byteCount))
        environment = try reader.choice()
    }
}
