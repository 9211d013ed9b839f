internal import NotificationProtocol

/// A change of one setting by the person.
struct SettingsChange: Equatable, Sendable {
    /// The values of a setting and of what is kept with it.
    enum Value: Equatable, Sendable {
        /// The settings of an app, of which one has changed, by its path in a mask.
        case settings(Belfry_V1_NotificationSettings, path: String, app: String)
        /// How the notifications of an app are grouped.
        case grouping(Belfry_V1_NotificationGrouping, app: String)
        /// The state of the device, of which one field has changed, by its path in a mask.
        case device(Belfry_V1_DeviceState, path: String)
        /// The settings that an app itself shows.
        case ownSettings(app: String)
    }

    /// The name of the setting for the person.
    var label: String
    /// The value before, which a refusal brings back.
    var before: Value
    /// The value that the person chose.
    var after: Value
}

extension SettingsChange.Value {
    /// Shows the value, which the server tells too when it has taken it.
    func show(in screen: inout CenterScreen) {
        switch self {
        case .settings(let settings, _, let app): screen.apps[app]?.settings = settings
        case .grouping(let grouping, let app): screen.apps[app]?.grouping = grouping
        case .device(let state, _):
            // Keep the Focus that ends: it can be chosen again, with its schedule.
            let focus = screen.device.hasFocus ? screen.device.focus : nil
            if let focus, !state.hasFocus || state.focus.name != focus.name {
                screen.look.endedFocus = focus
            }
            screen.device = state
        case .ownSettings: break
        }
    }
}
