internal import BelfryLMDB
package import NotificationCore
internal import NotificationRecords

extension Store {
    /// Registers an app on a device, or replaces its registration.
    ///
    /// Settings follow the entitlements: an option that they no longer cover is not supported, and
    /// an option that they newly allow can be switched on.
    ///
    /// `registration` is a registration that passed ``AppRegistration/validate(for:)``.
    /// `completion` is told when the app was first registered, once the registration is durable.
    package func registerApp(
        _ center: CenterName,
        with registration: AppRegistration,
        once key: OnceKey? = nil,
        completion: @escaping Completion<WallInstant>
    ) {
        let command = RegisterAppCommand(center: center, registration: registration)
        submit(command, once: key, completion)
    }

    /// Unregisters an app from a device and deletes all that it has there, in slices between which
    /// other commands run.
    ///
    /// From the first slice on the app is no longer registered. If the server ends before the last
    /// slice, the next start goes on with the removal.
    ///
    /// `completion` is told the revoked tokens, once everything is deleted.
    package func unregisterApp(
        _ center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<[String]>
    ) {
        submit(UnregisterAppCommand(center: center), once: key, completion)
    }
}

struct RegisterAppCommand: CenterCommand {
    let center: CenterName
    let registration: AppRegistration

    var growth: Growth { .asked }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<WallInstant> {
        let icon = try batch.attachments.icon(registration.icon, of: center.app)
        if case .failure(let refusal) = icon { return .done(.failure(refusal)) }
        // Let a registration replace one that is as large, even in a full store.
        let known = try batch.center(center)?.app()
        let before = known.map { $0.bytes.count } ?? 0
        var new = known ?? AppRecord(registeredAt: batch.now.wall)
        new.registration = registration
        guard batch.hasRoomForAdds || new.bytes.count <= before else {
            return .done(.failure(.storeFull))
        }
        let center = try batch.register(center)
        var app = try center.app()
        let replaced = app.registration.icon
        app.registration = registration
        try center.setApp(app)
        try batch.attachments.changeUse(from: replaced, to: registration.icon, of: center.name.app)
        try center.change(center.state.settings.adapted(to: registration.entitlements))
        try center.remote.adapt(to: registration.entitlements)
        center.tell(.app(center.name))
        return .done(.success(app.registeredAt))
    }
}

struct UnregisterAppCommand: CenterCommand {
    let center: CenterName
    /// The center's number; set once its name is removed.
    var leaving: CenterNumber?
    /// The token that ended with the name.
    var revoked: [String] = []

    var growth: Growth { .nothing }
    var cost: Int { 256 }

    mutating func apply(to batch: Batch) throws(StoreFailure) -> Step<[String]> {
        if leaving == nil {
            let center = try batch.registered(center)
            if let token = try center.departure.begin() { revoked = [token.text] }
            leaving = center.number
        }
        guard let leaving else { preconditionFailure("a center leaves without a number") }
        let isDone = try batch.removeRows(ofLeaving: leaving, atMost: cost)
        return isDone ? .done(.success(revoked)) : .more(.kept)
    }

    func writeProgress(to writer: inout ByteWriter) {
        writer.put(leaving) { $0.put($1) }
        revoked.write(to: &writer)
    }

    mutating func resume(_ reader: inout ByteReader) throws(RowProblem) {
        leaving = try reader.optional { reader throws(RowProblem) in try reader.serial() }
        revoked = try reader.value()
    }
}

/// Goes on with the removal of an app that was not finished when the server ended; no caller waits.
struct FinishUnregisteringCommand: Command {
    let leaving: CenterNumber

    var cost: Int { 256 }

    var growth: Growth { .nothing }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<Int> {
        let isDone = try batch.removeRows(ofLeaving: leaving, atMost: cost)
        return isDone ? .done(.success(0)) : .more(.kept)
    }

    /// The commands for all apps whose removal was not finished.
    static func all(
        _ tables: Tables,
        in transaction: borrowing ReadTransaction
    ) throws(StoreFailure) -> [QueuedCommand] {
        // The check of a store reports a key that is no number.
        try transaction.keys(bytesOf: tables.leaving.raw).compactMap { try? CenterNumber($0) }
            .map { QueuedCommand(FinishUnregisteringCommand(leaving: $0)) { _ in } }
    }
}
