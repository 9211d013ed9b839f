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
        return .done(.success(try batch.register(center).state.lastEvent))
    }
}

struct UpdateSettingsCommand: CenterCommand {
    let center: CenterName
    let change: SettingsChange
    let grouping: GroupingMode?

    func apply(to batch: Batch) throws(LMDBError) -> Step<SettingsReply> {
        guard let center = try batch.center(center) else {
            return .done(.failure(.notRegistered(center)))
        }
        var app = try center.app()
        if change != SettingsChange() || grouping == nil {
            let isSummaryOn = try center.device().summary.isEnabled
            let settings: NotificationSettings
            do {
                settings = try center.state.settings.updating(
                    change,
                    entitlements: app.registration.entitlements,
                    isEphemeral: app.registration.isEphemeral,
                    isSummaryOn: isSummaryOn
                )
            } catch {
                return .done(.failure(error))
            }
            if change.scheduledDelivery != nil {
                try center.summary.setInSummary(settings.scheduledDelivery)
            }
            try center.change(settings)
            try center.summary.presentUnlessInSummary()
            // A question that ended with the change is noted with the app.
            app = try center.app()
        }
        if let grouping, grouping != app.grouping {
            app.grouping = grouping
            try center.setApp(app)
            center.tell(.app(center.name))
        }
        return .done(
            .success(
                SettingsReply(
                    settings: center.state.settings,
                    lastEvent: center.state.lastEvent,
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
        guard let center = try batch.center(center) else {
            return .done(.failure(.notRegistered(center)))
        }
        let isChanged: Bool
        do {
            isChanged = try center.state.setBadgeCount(count)
        } catch {
            return .done(.failure(error))
        }
        if batch.profile.compatibility.clearsDelivered(bySettingBadgeTo: count) {
            try center.delivered.clear()
        }
        let badge = center.state.badge
        if isChanged { try center.events.record(.badgeChanged(badge)) }
        return .done(.success(badge))
    }
}
