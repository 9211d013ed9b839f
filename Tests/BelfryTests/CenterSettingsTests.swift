internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import belfry

@Suite("Settings and the Focus in the notification center")
struct CenterSettingsTests {
    private typealias F = CenterFixtures

    private let renderer = CenterRenderer(dates: DateText(now: CenterFixtures.start, zone: .gmt))

    private func lines(_ screen: CenterScreen, rows: Int = 24, columns: Int = 80) -> [String] {
        renderer.lines(screen, rows: rows, columns: columns).map(\.text)
    }

    private func press(_ keys: String, in screen: inout CenterScreen) -> [SettingsChange] {
        let special: [Character: Key] = ["⏎": .enter, "⎋": .escape, "⇊": .end]
        return keys.compactMap { key in
            guard case .set(let change) = screen.press(special[key] ?? .character(key)) else {
                return nil
            }
            return change
        }
    }

    @Test("Each setting of the contract that is on or off has a switch")
    func switches() throws {
        let files = try Google_Protobuf_FileDescriptorSet(serializedBytes: DescriptorSet.bytes).file
        let message = files.flatMap(\.messageType).first { $0.name == "NotificationSettings" }
        let fields = try #require(message).field.filter {
            $0.typeName == ".belfry.v1.NotificationSetting"
        }
        #expect(fields.count > 10)
        #expect(Set(fields.map(\.name)) == Set(SettingSwitch.allCases.map(\.field.1)))
        for (each, field) in fields.flatMap({ field in
            SettingSwitch.allCases.filter { $0.field.1 == field.name }.map { ($0, field) }
        }) {
            let settings = Belfry_V1_NotificationSettings.with {
                $0[keyPath: each.field.0] = .enabled
            }
            #expect(try settings.jsonString().contains(field.jsonName))
        }
    }

    private let night = Belfry_V1_Focus.with {
        $0.name = "Night"
        $0.allowedApps = ["org.example.tea"]
        $0.schedule = [
            .with {
                $0.weekdays = [.monday, .friday]
                $0.from = 22 * 60
                $0.to = 7 * 60 + 5
            }
        ]
    }

    /// Messages whose settings are known, and a Focus with a schedule.
    private func screen() -> CenterScreen {
        var screen = F.messages()
        let center = F.center("org.example.messages")
        screen.apps[center.appID] = .with {
            $0.center = center
            $0.name = "Messages"
            $0.settings.authorizationStatus = .authorized
            $0.settings.alertSetting = .enabled
            $0.settings.soundSetting = .disabled
            $0.settings.alertStyle = .banner
            $0.settings.providesAppNotificationSettings = true
        }
        screen.device.focus = night
        return screen
    }

    @Test("Each setting that the app may have is a row, which space changes to its next value")
    func app() {
        var screen = screen()
        #expect(press("s", in: &screen).isEmpty)
        #expect(
            lines(screen)[3...10].map { $0.split(separator: " ").joined(separator: " ") } == [
                "Settings of Messages", "❯ Allow notifications on", "Alerts on", "Sounds off",
                "Alert style banner", "Show previews always", "Group automatic",
                "Settings in the app open",
            ]
        )
        let changes = press("   jj j⏎j⏎⏎j j j", in: &screen)
        let asked = changes.map { change in
            switch change.after {
            case .settings(let settings, let path, let app):
                #expect(app == "org.example.messages")
                return switch path {
                case "authorization_status": "\(path) \(settings.authorizationStatus)"
                case "sound_setting": "\(path) \(settings.soundSetting)"
                case "alert_style": "\(path) \(settings.alertStyle)"
                default: "\(path) \(settings.showPreviewsSetting)"
                }
            case .grouping(let grouping, _): return "grouping \(grouping)"
            case .ownSettings: return "own"
            case .device: return "device"
            }
        }
        #expect(
            asked == [
                "authorization_status denied", "authorization_status authorized",
                "authorization_status denied", "sound_setting enabled", "alert_style alert",
                "show_previews_setting whenAuthenticated", "show_previews_setting never",
                "grouping byApp", "own",
            ]
        )
        #expect(press("⎋", in: &screen).isEmpty)
        #expect(screen.mode == .browsing)
        #expect(screen.selection == .group("alice"))
    }

    @Test("A refusal names the setting and the field, and brings the old value back")
    func refusal() {
        var screen = screen()
        let before = screen.apps
        for change in press("sjj ", in: &screen) {
            #expect(screen.apps != before)
            let reason = "it is not supported; settings.sound_setting: the app may not sound"
            screen.fail(.set(change), because: reason)
        }
        #expect(screen.apps == before)
        #expect(
            lines(screen).contains {
                $0.hasPrefix("Sounds not changed: it is not supported; settings.sound_setting: ")
            }
        )
        // Its place stays.
        #expect(lines(screen).contains { $0.hasPrefix("❯  Sounds ") })
    }

    @Test("An app that has not asked, or is gone, has nothing to choose")
    func nothing() {
        var screen = screen()
        #expect(press("js ", in: &screen).isEmpty)
        #expect(screen.note?.isError == true)
        #expect(lines(screen).contains("❯  It can be set once the app has asked."))
        #expect(press("⎋ks", in: &screen).isEmpty)
        screen.apps = [:]
        #expect(press("⇊ ", in: &screen).isEmpty)
        #expect(lines(screen).contains("❯  The app is gone."))
        var empty = F.screen(F.snapshot())
        #expect(press("s", in: &empty).isEmpty)
        #expect(empty.mode == .browsing)
        #expect(empty.note?.isError == true)
    }

    @Test("A Focus ends, comes back with its schedule, and gives way to another")
    func focus() {
        var screen = screen()
        screen.device.activeFocus.name = "Night"
        screen.device.activeFocus.until.seconds = 1_767_225_600 + 3_600
        #expect(press("F", in: &screen).isEmpty)
        let compact = { (screen: CenterScreen) in
            lines(screen)[3...].map { $0.split(separator: " ").joined(separator: " ") }
        }
        #expect(
            compact(screen).prefix(10) == [
                "Focus", "❯ No Focus ○", "Night ●", "Mon Fri 22:00–07:05", "Lets through: Tea",
                "On until Thu 1 Jan 01:00", "Do not disturb ○", "Time-sensitive gets through off",
                "Mute off", "",
            ]
        )
        func focuses(_ changes: [SettingsChange]) -> [Belfry_V1_Focus?] {
            changes.map { change in
                guard case .device(let state, "focus") = change.after else { return nil }
                return state.hasFocus ? state.focus : nil
            }
        }
        #expect(focuses(press(" ", in: &screen)) == [nil])
        #expect(!screen.device.hasFocus)
        #expect(compact(screen).contains("Mon Fri 22:00–07:05"))
        #expect(focuses(press("j⏎", in: &screen)) == [night])
        #expect(focuses(press("jjjj ", in: &screen)).map(\.?.name) == ["Do not disturb"])
        // The one before is there still.
        #expect(compact(screen).contains("Night ○"))
        let changes = press("⇊ ", in: &screen)
        #expect(screen.device.muted)
        #expect(changes.map(\.label) == ["Mute"])
    }

    @Test("A notification that another program opens does not cover them", arguments: ["s", "/"])
    func opened(_ key: String) {
        var screen = screen()
        _ = press(key, in: &screen)
        let before = lines(screen)
        let whole = F.snapshot { snapshot in
            snapshot.state = screen.device
            snapshot.groups = screen.list.groups
            snapshot.apps = Array(screen.apps.values)
            snapshot.presentations = [
                .with {
                    $0.presentationID = "p"
                    $0.notification = F.notification("other")
                }
            ]
        }
        _ = screen.apply(whole, at: F.start)
        #expect(screen.opened != nil)
        #expect(lines(screen) == before)
    }

    @Test("They fit into small terminals, and show the cursor", arguments: [80, 40, 20, 2])
    func small(columns: Int) {
        for key in ["s", "F"] {
            var screen = screen()
            _ = press(key, in: &screen)
            for _ in 0..<12 {
                for rows in [24, 10, 5, 1] {
                    let lines = lines(screen, rows: rows, columns: columns)
                    #expect(lines.count == rows)
                    #expect(lines.allSatisfy { $0.columns <= columns })
                    if rows >= 10 { #expect(lines.contains { $0.hasPrefix("❯") }) }
                    if rows == 10, columns == 80, key == "s" {
                        // The rows that do not fit are counted.
                        #expect(lines.contains { $0.contains(" above") || $0.contains(" below") })
                    }
                }
                _ = press("j", in: &screen)
            }
        }
    }
}
