internal import NotificationCore
internal import Testing

@Suite("What an app registers for pushes with (REG-1, REG-2, AZ-2)")
struct PushRegistrationTests {
    struct Rule: Sendable {
        let profile: Profile
        let asked: PushEnvironment?
        let entitled: PushEnvironment?
        let decided: PushEnvironment?
    }

    static let rules = [
        Rule(profile: .server, asked: nil, entitled: nil, decided: .production),
        Rule(profile: .server, asked: .development, entitled: nil, decided: .development),
        Rule(profile: .server, asked: nil, entitled: .development, decided: .development),
        Rule(profile: .server, asked: .production, entitled: .development, decided: nil),
        Rule(profile: .ios, asked: nil, entitled: nil, decided: nil),
        Rule(profile: .ios, asked: .production, entitled: nil, decided: nil),
        Rule(profile: .ios, asked: nil, entitled: .production, decided: .production),
        Rule(profile: .ios, asked: .production, entitled: .production, decided: .production),
        Rule(profile: .ios, asked: .development, entitled: .production, decided: nil),
    ]

    @Test(
        "The entitlement decides the environment; only the profile ios asks for one",
        arguments: rules
    )
    func environment(rule: Rule) {
        var entitlements = Entitlements.criticalAlerts
        entitlements.pushEnvironment = rule.entitled
        #expect(entitlements.contains(.criticalAlerts))
        let decided = rule.profile.pushEnvironment(
            asked: rule.asked,
            entitled: entitlements.pushEnvironment
        )
        #expect(decided == rule.decided)
    }

    @Test("Only the profile ios asks for the background mode", arguments: Profile.allCases)
    func backgroundMode(profile: Profile) {
        var registration = AppRegistration()
        #expect(profile.wakesForPushes(registration) == (profile == .server))
        registration.backgroundModes = .remoteNotification
        #expect(profile.wakesForPushes(registration))
    }

    @Test("A token is 64 digits, in capitals or not, and is told in small ones")
    func token() throws {
        let token = DeviceToken.random()
        #expect(token.text.utf8.count == 64)
        #expect(DeviceToken(text: token.text) == token)
        #expect(DeviceToken(text: token.text.uppercased()) == token)
        #expect(DeviceToken.random() != token)
        let zeros = String(repeating: "0", count: 64)
        #expect(DeviceToken(text: zeros)?.text == zeros)
        for text in ["", "00", zeros + "00", zeros.dropLast() + "g", zeros.dropLast(2) + "é"] {
            #expect(DeviceToken(text: text) == nil, "\(text)")
        }
    }

    @Test("Tags are sorted and told apart by case; one that is named twice counts once")
    func tags() throws {
        let tags = ["b", "a", "username:Elena", "A", "b", "_@#.:-9"]
        #expect(try DeviceTags.checked(tags) == ["A", "_@#.:-9", "a", "b", "username:Elena"])
        let most = (0..<60).map { "tag\($0)" }
        #expect(try DeviceTags.checked(most).count == 60)
        #expect(reason(of: most + ["a"]) == .tagLimit)
        #expect(reason(of: [String(repeating: "a", count: 120)]) == nil)
        for text in ["", " ", "a b", "é", "a&b", String(repeating: "a", count: 121)] {
            #expect(reason(of: ["a", text]) == .tagInvalid, "\(text)")
        }
    }

    private func reason(of tags: [String]) -> Reason? {
        do {
            _ = try DeviceTags.checked(tags)
            return nil
        } catch {
            return error.reason
        }
    }
}
