internal import Faults
package import NotificationCore
internal import NotificationRecords

package struct SettingsReply: Hashable, Sendable {
    package var settings: NotificationSettings
    /// The newest event: the settings hold after it.
    package var lastEvent: EventNumber
    /// The grouping of the app's notifications.
    package var grouping: GroupingMode
    /// The app's own permission for the location.
    package var locationPermission = LocationPermission.notDetermined
}

extension Store {
    /// Registers a new app when its primary subscriber attaches (W-2).
    ///
    /// `completion` is told the number of the center's newest event, once the registration is
    /// durable.
    package func register(
        _ center: CenterName,
        by registrant: Registrant? = nil,
        completion: @escaping Completion<EventNumber>
    ) {
        let command = RegisterCommand(
            center: center,
            registrant: registrant,
            mayRegister: registersNewApps
        )
        submit(command, once: nil, completion)
    }

    /// Changes the settings of an app as the person, as in the system's settings.
    ///
    /// - Parameters:
    ///   - change: The changed settings; a change without any field is allowed only with
    ///     `grouping` or `location`.
    ///   - grouping: How the app's notifications are grouped; nil leaves the grouping as it is.
    ///   - location: What the app may know of the location; nil leaves that as it is.
    ///   - center: The center.
    ///   - key: Makes a retry act once.
    ///   - completion: Told the new settings once they are durable, or the refusal of
    ///     ``NotificationSettings/updating(_:entitlements:isEphemeral:isSummaryOn:)``.
    package func updateSettings(
        _ change: SettingsChange,
        grouping: GroupingMode? = nil,
        location: LocationPermission? = nil,
        of center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<SettingsReply>
    ) {
        let command = UpdateSettingsCommand(
            center: center,
            change: change,
            grouping: grouping,
            location: location
        )
        submit(command, once: key, completion)
    }

    /// Sets the app's badge (B-3).
    ///
    /// `count` is the badge; 0 removes it. `completion` is told the badge, once it is durable.
    package func setBadgeCount(
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
    let registrant: Registrant?
    let mayRegister: Bool

    var growth: Growth { .asked }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<EventNumber> {
        let known = try batch.number(of: center)
        guard mayRegister || known != nil else { return .done(.failure(.notRegistered(center))) }
        let room = try batch.register(center, by: registrant)
        return .done(.success(room.state.lastEvent))
    }
}

struct UpdateSettingsCommand: CenterCommand {
    let center: CenterName
    let change: SettingsChange
    let grouping: GroupingMode?
    let location: LocationPermission?

    var growth: Growth { .act }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<SettingsReply> {
        let center = try batch.registered(center)
        var app = try center.app()
        if change != SettingsChange() || grouping == nil && location == nil {
            let isSummaryOn = try center.device().summary.isEnabled
            let settings = try StoreFailure.ofRefusal { () throws(Refusal) in
                try center.state.settings.updating(
                    change,
                    entitlements: app.registration.entitlements,
                    isEphemeral: app.registration.isEphemeral,
                    isSummaryOn: isSummaryOn
                )
            }
            if change.scheduledDelivery != nil {
                try center.summary.setInSummary(settings.scheduledDelivery)
            }
            try center.change(settings)
            if !Fault.heldAfterLeavingSummary.isPlanted {
                try center.summary.presentUnlessInSummary()
            }
            // Read the app again: a prompt that ended by the change is noted in its row.
            app = try center.app()
        }
        if let grouping, grouping != app.grouping {
            app.grouping = grouping
            try center.setApp(app)
            center.tell(.app(center.name))
        }
        if let location { try center.setLocationPermission(location) }
        return .done(
            .success(
                SettingsReply(
                    settings: center.state.settings,
                    lastEvent: center.state.lastEvent,
                    grouping: app.grouping,
                    locationPermission:
                        try batch.transaction.locationPermission(of: center.number, batch.tables)
                )
            )
        )
    }
}

struct SetBadgeCountCommand: CenterCommand {
    let center: CenterName
    let count: Int64

    var growth: Growth { .bytes(256) }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<Int32> {
        let center = try batch.registered(center)
        let isChanged = try StoreFailure.ofRefusal { () throws(Refusal) in
            try center.state.setBadgeCount(count)
        }
        if batch.profile.compatibility.clearsDelivered(bySettingBadgeTo: count) {
            try center.delivered.clear()
        }
        let badge = center.state.badge
        if isChanged { try center.events.record(.badgeChanged(badge)) }
        return .done(.success(badge))
    }
}
