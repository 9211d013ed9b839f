internal import NotificationProtocol
internal import SwiftProtobuf

/// The settings of an app, or the Focus of the device, as rows that keys change.
struct CenterSettings: Equatable {
    enum Subject: Equatable {
        /// An app, by its identifier.
        case app(String)
        case focus
    }

    /// A setting with its value; one that does not change says something.
    struct Row {
        var label: String
        var value = ""
        var change: SettingsChange?
    }

    let subject: Subject
    /// The place of the cursor among the rows.
    var place = 0

    /// The rows, of which there is always one.
    func rows(of screen: CenterScreen, dates: DateText? = nil) -> [Row] {
        switch subject {
        case .app(let identifier):
            guard let app = screen.apps[identifier] else { return [Row(label: "The app is gone.")] }
            return Self.rows(of: app)
        case .focus: return Self.focusRows(of: screen, dates: dates)
        }
    }

    /// Moves among the rows, or changes the setting at the cursor.
    ///
    /// - Returns: The act for the server or the program, if the key asks for an act.
    func press(_ key: Key, in screen: inout CenterScreen) -> CenterIntent? {
        let rows = rows(of: screen)
        var next = self
        switch key {
        case .up, .character("k"): next.place -= 1
        case .down, .character("j"): next.place += 1
        case .pageUp: next.place -= 5
        case .pageDown: next.place += 5
        case .home, .character("g"): next.place = 0
        case .end, .character("G"): next.place = rows.count - 1
        case .enter, .character(" "):
            guard rows.indices.contains(place), let change = rows[place].change else {
                screen.refuse("Nothing is chosen here.")
                return nil
            }
            change.after.show(in: &screen)
            return .set(change)
        case .escape, .character("s"), .character("F"):
            screen.mode = .browsing
            return nil
        case .character("q"): return .quit
        default: break
        }
        next.place = max(0, min(next.place, rows.count - 1))
        screen.mode = .settings(next)
        return nil
    }

    // MARK: An app

    private static let styles: [(Belfry_V1_AlertStyle, String)] = [
        (.none, "none"), (.banner, "banner"), (.alert, "stays"),
    ]
    private static let previews: [(Belfry_V1_ShowPreviewsSetting, String)] = [
        (.always, "always"), (.whenAuthenticated, "when unlocked"), (.never, "never"),
    ]
    private static let groupings: [(Belfry_V1_NotificationGrouping, String)] = [
        (.automatic, "automatic"), (.byApp, "by app"), (.off, "off"),
    ]

    private static func rows(of app: Belfry_V1_DeviceApp) -> [Row] {
        let identifier = app.center.appID
        let settings = app.settings
        guard settings.authorizationStatus != .notDetermined else {
            return [Row(label: "It can be set once the app has asked.")]
        }
        func row(
            _ label: String,
            _ value: String,
            _ path: String,
            _ change: (inout Belfry_V1_NotificationSettings) -> Void
        ) -> Row {
            var after = settings
            change(&after)
            return Row(
                label: label,
                value: value,
                change: SettingsChange(
                    label: label,
                    before: .settings(settings, path: path, app: identifier),
                    after: .settings(after, path: path, app: identifier)
                )
            )
        }
        let isAllowed = settings.authorizationStatus != .denied
        var rows = [
            row("Allow notifications", Self.word(isAllowed), "authorization_status") {
                $0.authorizationStatus = isAllowed ? .denied : .authorized
            }
        ]
        for each in SettingSwitch.allCases {
            let (setting, path) = each.field
            guard settings[keyPath: setting] != .notSupported else { continue }
            let isOn = settings[keyPath: setting] == .enabled
            rows.append(
                row(each.label, word(isOn), path) {
                    $0[keyPath: setting] = isOn ? .disabled : .enabled
                }
            )
        }
        let style = next(of: settings.alertStyle, in: styles)
        rows.append(row("Alert style", style.now, "alert_style") { $0.alertStyle = style.next })
        let preview = next(of: settings.showPreviewsSetting, in: previews)
        rows.append(
            row("Show previews", preview.now, "show_previews_setting") {
                $0.showPreviewsSetting = preview.next
            }
        )
        let grouping = next(of: app.grouping, in: groupings)
        rows.append(
            Row(
                label: "Group",
                value: grouping.now,
                change: SettingsChange(
                    label: "Group",
                    before: .grouping(app.grouping, app: identifier),
                    after: .grouping(grouping.next, app: identifier)
                )
            )
        )
        if settings.providesAppNotificationSettings {
            let own = SettingsChange.Value.ownSettings(app: identifier)
            let label = "Settings in the app"
            let change = SettingsChange(label: label, before: own, after: own)
            rows.append(Row(label: label, value: "open", change: change))
        }
        return rows
    }

    private static func word(_ isOn: Bool) -> String { isOn ? "on" : "off" }

    /// The name of a value, and the value that comes after it.
    private static func next<Value: Equatable>(
        of value: Value,
        in all: [(Value, String)]
    ) -> (now: String, next: Value) {
        let place = all.firstIndex { $0.0 == value } ?? 0
        return (all[place].1, all[(place + 1) % all.count].0)
    }

    // MARK: The Focus

    /// The Focus that is there without one of the person's own.
    private static let plain = Belfry_V1_Focus.with { $0.name = "Do not disturb" }

    private static func focusRows(of screen: CenterScreen, dates: DateText?) -> [Row] {
        let device = screen.device
        func row(
            _ label: String,
            _ value: String,
            _ path: String,
            setting: String? = nil,
            _ change: (inout Belfry_V1_DeviceState) -> Void
        ) -> Row {
            var after = device
            change(&after)
            return Row(
                label: label,
                value: value,
                change: SettingsChange(
                    label: setting ?? label,
                    before: .device(device, path: path),
                    after: .device(after, path: path)
                )
            )
        }
        let now = device.hasFocus ? device.focus : nil
        var rows = [
            row("No Focus", now == nil ? "●" : "○", "focus", setting: "Focus") { $0.clearFocus() }
        ]
        var choices = [now, screen.look.endedFocus].compactMap(\.self)
        choices.append(plain)
        for (place, focus) in choices.enumerated()
        where !choices[..<place].contains(where: { $0.name == focus.name }) {
            let name = focus.name.isEmpty ? "A Focus without a name" : focus.name
            rows.append(
                row(name, focus == now ? "●" : "○", "focus", setting: "Focus") { $0.focus = focus }
            )
            let state = focus == now ? state(of: device, dates) : []
            rows += (details(of: focus, in: screen) + state).map { Row(label: "    " + $0) }
        }
        if let now {
            let isOn = now.allowTimeSensitive
            rows.append(
                row("Time-sensitive gets through", word(isOn), "focus") {
                    $0.focus.allowTimeSensitive = !isOn
                }
            )
        }
        rows.append(row("Mute", word(device.muted), "muted") { $0.muted = !device.muted })
        return rows
    }

    /// Whether the schedule of the chosen Focus has it on now.
    private static func state(
        of device: Belfry_V1_DeviceState,
        _ dates: DateText?
    ) -> [String] {
        guard !device.focus.schedule.isEmpty else { return [] }
        guard device.hasActiveFocus else { return ["Off now"] }
        guard device.activeFocus.hasUntil, let dates else { return ["On now"] }
        return ["On until " + dates.plain(device.activeFocus.until.date)]
    }

    /// The hours of a Focus, and what gets through it.
    private static func details(
        of focus: Belfry_V1_Focus,
        in screen: CenterScreen
    ) -> [String] {
        var details = focus.schedule.map { window in
            let days = window.weekdays.map(WeekdayText.short).joined(separator: " ")
            let hours = [window.from, window.to].map(Self.time).joined(separator: "–")
            return (days.isEmpty ? "Every day" : days) + " " + hours
        }
        let apps = focus.allowedApps.map { app in screen.name(of: .with { $0.appID = app }) }
        let through = apps + focus.allowedPeople
        if !through.isEmpty {
            details.append("Lets through: " + through.joined(separator: ", "))
        }
        return details
    }

    private static func time(_ minutes: Int32) -> String {
        let parts = [minutes / 60, minutes % 60]
        return parts.map { $0 < 10 ? "0\($0)" : "\($0)" }.joined(separator: ":")
    }
}
