internal import BelfryLMDB
public import NotificationCore

/// What the person chose for an app.
public struct SettingsReply: Hashable, Sendable {
    /// The settings.
    public var settings: NotificationSettings
    /// They hold after this event.
    public var lastEvent: UInt64
    /// How the app's notifications are grouped.
    public var grouping: GroupingMode
}

extension Store {
    /// Registers an app that is new, as its primary subscriber does (W-2).
    ///
    /// - Parameters:
    ///   - center: The center.
    ///   - completion: Told, once that is durable, how many events the center has.
    public func register(_ center: CenterName, completion: @escaping Completion<UInt64>) {
        submit(
            RegisterCommand(center: center, mayRegister: registersNewApps),
            once: nil,
            completion
        )
    }

    /// Changes what the person chose for an app, as the system's settings do.
    ///
    /// - Parameters:
    ///   - change: What changes of the settings; a change of nothing only with `grouping`.
    ///   - grouping: How its notifications are grouped; nil leaves it.
    ///   - center: The center.
    ///   - key: Makes a retry act once.
    ///   - completion: Told all of it once it is durable, or the refusal of
    ///     ``NotificationSettings/updating(_:entitlements:isEphemeral:isSummaryOn:)``.
    public func updateSettings(
        _ change: SettingsChange,
        grouping: GroupingMode? = nil,
        of center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<SettingsReply>
    ) {
        submit(
            UpdateSettingsCommand(center: center, change: change, grouping: grouping),
            once: key,
            completion
        )
    }

    /// Sets the app's badge (B-3).
    ///
    /// - Parameters:
    ///   - count: The badge; 0 removes it.
    ///   - center: The center.
    ///   - key: Makes a retry act once.
    ///   - completion: Told the badge, once it is durable.
    public func setBadgeCount(
        _ count: Int64,
        of center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<Int32>
    ) {
        submit(SetBadgeCountCommand(center: center, count: count), once: key, completion)
    }
}

struct RegisterCommand: CenterCommand {
    let center: CenterName
    let mayRegister: Bool

    func apply(to batch: Batch) throws(LMDBError) -> Step<UInt64> {
        let known = try batch.number(of: center)
        guard mayRegister || known != nil else { return .done(.failure(.notRegistered(center))) }
        let number = try batch.registerCenter(center)
        return .done(.success(try batch.center(number).lastEvent))
    }
}

struct UpdateSettingsCommand: CenterCommand {
    let center: CenterName
    let change: SettingsChange
    let grouping: GroupingMode?

    func apply(to batch: Batch) throws(LMDBError) -> Step<SettingsReply> {
        guard let number = try batch.number(of: center) else {
            return .done(.failure(.notRegistered(center)))
        }
        var center = try batch.center(number)
        var app = try batch.app(of: number)
        if change != SettingsChange() || grouping == nil {
            let device = try batch.device(of: center)
            let isSummaryOn = device.summary.isEnabled
            let settings: NotificationSettings
            do {
                settings = try center.settings.updating(
                    change,
                    entitlements: app.registration.entitlements,
                    isEphemeral: app.registration.isEphemeral,
                    isSummaryOn: isSummaryOn
                )
            } catch {
                return .done(.failure(error))
            }
            if change.scheduledDelivery != nil {
                try batch.setInSummary(settings.scheduledDelivery, center)
            }
            try batch.change(settings, of: &center, number: number)
            batch.setCenter(number, center)
            try batch.presentUnlessInSummary(number)
            center = try batch.center(number)
            app = try batch.app(of: number)
        }
        if let grouping, grouping != app.grouping {
            app.grouping = grouping
            try batch.setApp(number, app)
            batch.tell(.app(center.name), on: center.name.device)
        }
        return .done(
            .success(
                SettingsReply(
                    settings: center.settings,
                    lastEvent: center.lastEvent,
                    grouping: app.grouping
                )
            )
        )
    }
}

struct SetBadgeCountCommand: CenterCommand {
    let center: CenterName
    let count: Int64

    func apply(to batch: Batch) throws(LMDBError) -> Step<Int32> {
        guard let number = try batch.number(of: center) else {
            return .done(.failure(.notRegistered(center)))
        }
        var center = try batch.center(number)
        let isChanged: Bool
        do {
            isChanged = try center.setBadgeCount(count)
        } catch {
            return .done(.failure(error))
        }
        let clears = batch.profile.compatibility.clearsDelivered(bySettingBadgeTo: count)
        guard isChanged || clears else { return .done(.success(center.badge)) }
        if clears { try batch.clearDelivered(of: &center, number: number) }
        if isChanged {
            try batch.record(
                .badgeChanged(center.badge),
                for: &center,
                number: number
            )
        }
        batch.setCenter(number, center)
        return .done(.success(center.badge))
    }
}
