internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf

extension DeviceState {
    /// Reads the fields of a device's state that `paths` name; the paths of refusals are relative
    /// to the request.
    init(_ wire: Belfry_V1_DeviceState, named paths: [String]) throws(Refusal) {
        self.init()
        isLocked = wire.locked
        isDisplayOn = !wire.displayOff
        isMuted = wire.muted
        timeZone = wire.timeZone
        languages = wire.languages
        if paths.containsExactly("location_permission") {
            locationPermission = try choice(
                wire.locationPermission,
                "state.location_permission"
            )
        }
        // Validate no field of the Focus that the mask does not name.
        if wire.hasFocus, paths.contains(where: { $0.utf8.starts(with: "focus".utf8) }) {
            focus = try Focus(wire.focus)
        }
        guard wire.hasSummary, paths.contains(where: { $0.utf8.starts(with: "summary".utf8) })
        else { return }
        summary.isEnabled = wire.summary.enabled
        summary.times = wire.summary.times.map(Int.init)
        summary.apps = try appSet(wire.summary.apps, "state.summary.apps")
    }
}

extension Focus {
    fileprivate init(_ wire: Belfry_V1_Focus) throws(Refusal) {
        self.init()
        name = wire.name
        allowedApps = try appSet(wire.allowedApps, "state.focus.allowed_apps")
        allowedPeople = wire.allowedPeople
        allowsTimeSensitive = wire.allowTimeSensitive
        for (index, window) in wire.schedule.prefix(Limits.focusWindows + 1).enumerated() {
            let path = "state.focus.schedule[\(index)].weekdays"
            guard window.weekdays.count <= 7 else {
                throw .invalid(path, "are at most seven", reason: .focusScheduleInvalid)
            }
            schedule.append(
                FocusWindow(
                    weekdays: window.weekdays.map(\.rawValue),
                    from: Int(window.from),
                    to: Int(window.to)
                )
            )
        }
        _ = try appSet(wire.filters.map(\.appID), "state.focus.filters")
        for (index, filter) in wire.filters.enumerated() {
            let path = "state.focus.filters[\(index)]"
            guard filters[filter.appID] == nil else {
                throw .invalid(path + ".app_id", "has a filter already")
            }
            switch filter.mode {
            case .only: filters[filter.appID] = .only(filter.values)
            case .except: filters[filter.appID] = .except(filter.values)
            case .unspecified:
                throw .invalid(path + ".mode", "say whether the values get through")
            case .UNRECOGNIZED(let value):
                throw .invalid(path + ".mode", "has no value \(value)")
            }
        }
    }
}

/// Reads a set of apps; a text that is not a valid app name never enters the set.
///
/// Bounded: the names are short and ASCII before they are hashed.
private func appSet(_ wire: [String], _ path: String) throws(Refusal) -> Set<String> {
    try DeviceState.validateApps(wire, .written(path))
    return Set(wire)
}

extension Belfry_V1_DeviceState {
    init(_ state: DeviceState, of device: String, _ active: ActiveFocus?) {
        self.init()
        deviceID = device
        locked = state.isLocked
        displayOff = !state.isDisplayOn
        muted = state.isMuted
        timeZone = state.timeZone
        languages = state.languages
        locationPermission = .init(state.locationPermission)
        if let focus = state.focus { self.focus = .init(focus) }
        if let active {
            activeFocus.name = active.name
            if let until = active.until { activeFocus.until = .init(until) }
        }
        guard state.summary != ScheduledSummary() else { return }
        summary.enabled = state.summary.isEnabled
        summary.times = state.summary.times.map(Int32.init)
        summary.apps = state.summary.apps.sorted(by: <)
    }
}

extension Belfry_V1_Focus {
    fileprivate init(_ focus: Focus) {
        self.init()
        name = focus.name
        // Sort the sets, so that equal states have equal bytes.
        allowedApps = focus.allowedApps.sorted(by: <)
        allowedPeople = focus.allowedPeople
        allowTimeSensitive = focus.allowsTimeSensitive
        filters = focus.filters.sorted { $0.key < $1.key }.map { app, filter in
            .with { wire in
                wire.appID = app
                wire.mode = if case .only = filter { .only } else { .except }
                wire.values = filter.values
            }
        }
        schedule = focus.schedule.map { window in
            .with { wire in
                wire.weekdays = window.weekdays.compactMap { Belfry_V1_Weekday(rawValue: $0) }
                wire.from = Int32(window.from)
                wire.to = Int32(window.to)
            }
        }
    }
}
