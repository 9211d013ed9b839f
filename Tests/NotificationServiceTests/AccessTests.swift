internal import NotificationProtocol
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@testable internal import NotificationService

@Suite("Who may call (W-11)")
struct AccessTests {
    @Test(
        "A role is read with its names",
        arguments: [
            ("app", "app"), ("device:phone", "device:phone"), ("admin", "admin"),
            ("app:org.example.tea", "app:org.example.tea"),
            ("provider:org.example.*", "provider:org.example.*"), ("extension:*", "extension:*"),
            ("", nil), ("App", nil), ("app:", nil), ("root", nil), ("app:a b", nil),
            ("app:*.tea", nil), ("app:org.*.tea", nil), ("app:**", nil), ("admin:org.example", nil),
            ("app:tea\u{0}", nil), ("app:te\u{301}a", nil), ("app:tea:pot", nil),
            ("app:tea$pot", nil),
            ("device:tea:pot_1", "device:tea:pot_1"), (" app", nil), ("app,device", nil),
            ("app:" + String(repeating: "a", count: 161), nil),
        ] as [(String, String?)]
    )
    func grants(text: String, expected: String?) {
        #expect(AccessGrant(text)?.description == expected)
    }

    @Test(
        "A right is for the apps that it names, and no others",
        arguments: [
            ("app", "org.example.tea", true), ("app:org.example.tea", "org.example.tea", true),
            ("app:org.example.tea", "org.example.teapot", false),
            ("app:org.example.tea", "org.example.te", false),
            ("app:org.example.tea", "Org.example.tea", false),
            ("app:org.example.tea", "", false), ("app:org.example.*", "org.example.tea", true),
            ("app:org.example.*", "org.examples", false), ("app:org.example.*", "", false),
            ("app:*", "org.example.tea", true),
            ("device:org.example.tea", "org.example.tea", false),
            ("provider:org.example.tea", "org.example.tea", false),
        ]
    )
    func names(grant: String, app: String, isAllowed: Bool) throws {
        let rights = AccessRights([try #require(AccessGrant(grant))])
        #expect(rights.has(.app, for: app) == isAllowed)
    }

    @Test("Every rpc has callers, and each caller is a role")
    func table() {
        #expect(Set(CallerTable.roles.keys) == Set(Descriptors.rpcs.map { "/belfry.v1.\($0)" }))
        for (path, names) in CallerTable.roles {
            #expect(names.compactMap(CallerRole.init).count == names.count, "\(path)")
        }
    }

    @Test("Where roles are for apps or devices, each request says which")
    func subjects() throws {
        for (path, names) in CallerTable.roles {
            let subjects = try #require(RequestSubjects.all[path])
            let roles = Set(names.compactMap(CallerRole.init))
            if !roles.isDisjoint(with: [.app, .provider, .extension]) {
                #expect(!subjects.apps.isEmpty, "\(path)")
            }
            if roles == [.device] { #expect(!subjects.devices.isEmpty, "\(path)") }
        }
    }

    @Test(
        "What a message names is found however it is written",
        arguments: [
            ("0a050a03626164", ["bad"]), ("0a050a036261640a050a0374656f", ["bad", "teo"]),
            ("0a0a0a036261640a0374656f", ["bad", "teo"]), ("0a00", [""]), ("", [""]),
            ("0a070a036261641200", ["bad"]), ("0800", [""]), ("0b130a0162140c", [""]),
            ("1b1c0a050a03626164", ["bad"]), ("8a80808000050a03626164", ["bad"]),
        ]
    )
    func appsOfMessages(hex: String, expected: [String]) throws {
        let subjects = try #require(RequestSubjects.all["/belfry.v1.NotificationCenterService/Add"])
        #expect(try subjects.apps(in: bytes(hex)) == expected)
    }

    @Test(
        "Bytes that are no message are refused",
        arguments: [
            "0a", "0aff", "0a05", "0b0a03626164", "0c", "0f", "00", "0200",
            "ffffffffffffffffffff01", "0a030a05ff", "0a030a01ff", "09", "0d000000",
            "0affffffffffffffffff01",
        ]
    )
    func malformed(hex: String) throws {
        let subjects = try #require(RequestSubjects.all["/belfry.v1.NotificationCenterService/Add"])
        #expect(throws: AccessRefusal.malformed) { try subjects.apps(in: bytes(hex)) }
    }

    /// The library that the handlers read requests with is the other reader: an app that it finds
    /// is among those that were found without it.
    @Test("No broken message hides an app from the check that its handler would see")
    func brokenMessages() throws {
        let subjects = try #require(RequestSubjects.all["/belfry.v1.NotificationCenterService/Add"])
        var request = Belfry_V1_AddRequest()
        request.center.appID = "org.example.tea"
        request.center.deviceID = "phone"
        request.request.content.title = "Tea"
        let whole: [UInt8] = try request.serializedBytes()
        var random = SeededGenerator(seed: 1)
        var readable = 0
        for _ in 0..<100_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
                case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                case 2: bytes.insert(contentsOf: whole.prefix(place), at: place)
                default: bytes.removeSubrange(place..<max(place + 1, bytes.count - 4))
                }
                if bytes.isEmpty { bytes = whole }
            }
            guard let read = try? Belfry_V1_AddRequest(serializedBytes: bytes) else { continue }
            readable += 1
            guard let apps = try? subjects.apps(in: bytes) else { continue }
            #expect(read.center.appID.isEmpty || apps.contains(read.center.appID), "\(bytes)")
        }
        #expect(readable > 1_000)
    }

    private func bytes(_ hex: String) -> [UInt8] {
        var rest = hex[...]
        var bytes: [UInt8] = []
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return bytes
    }
}
