internal import NotificationCore
internal import Testing

@Suite("Center names (W-1)")
struct CenterNameTests {
    @Test(
        "An app and a device of the allowed characters and lengths are a name",
        arguments: [
            ("org.example.reminders", "local"),
            ("A-Z.a-z.0-9", "phone_1:work.A-9"),
            ("x", "y"),
            (String(repeating: "a", count: 155), String(repeating: "d", count: 128)),
        ]
    )
    func good(app: String, device: String) throws {
        let name = try CenterName(app: app, device: device)
        #expect(name.app == app)
        #expect(name.device == device)
    }

    @Test("An empty device is the local one")
    func localDevice() throws {
        let name = try CenterName(app: "org.example", device: "")
        #expect(name.device == "local")
        #expect(try name == CenterName(app: "org.example", device: CenterName.localDevice))
    }

    @Test(
        "A bad app_id is refused by its field",
        arguments: [
            "", " ", "org.example ", "org/example", "org:example", "örg", "a\0b",
            "a\n", "app\u{0301}", String(repeating: "a", count: 156),
        ]
    )
    func badApp(app: String) {
        let refusal = #expect(throws: Refusal.self) { try CenterName(app: app, device: "") }
        #expect(refusal?.kind == .invalidArgument)
        #expect(refusal?.reason == .appIDInvalid)
        #expect(refusal?.fields.map(\.path) == [[.center, .app]])
    }

    @Test(
        "A bad device_id is refused by its field",
        arguments: [" ", "a b", "a/b", "ä", "a\0", String(repeating: "d", count: 129)]
    )
    func badDevice(device: String) {
        let refusal = #expect(throws: Refusal.self) {
            try CenterName(app: "org.example", device: device)
        }
        #expect(refusal?.kind == .invalidArgument)
        #expect(refusal?.reason == .deviceIDInvalid)
        #expect(refusal?.fields.map(\.path) == [[.center, .device]])
    }
}
