internal import NotificationCore
internal import Testing

/// The numbers are stored and are the wire's, so none may ever change.
@Suite("Apple's numbers (semantics.md 2)")
struct EnumerationTests {
    @Test("2.1: Authorization options")
    func authorizationOptions() {
        let all: [AuthorizationOptions] = [
            .badge, .sound, .alert, .carPlay, .criticalAlert, .providesAppNotificationSettings,
            .provisional, .announcement, .timeSensitive,
        ]
        #expect(all.map(\.rawValue) == [1, 2, 4, 8, 16, 32, 64, 128, 256])
    }

    @Test("2.2-2.5: Settings")
    func settings() {
        let statuses: [AuthorizationStatus] = [
            .notDetermined, .denied, .authorized, .provisional, .ephemeral,
        ]
        #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4])
        let settings: [NotificationSetting] = [.notSupported, .disabled, .enabled]
        #expect(settings.map(\.rawValue) == [0, 1, 2])
        #expect([AlertStyle.none, .banner, .alert].map(\.rawValue) == [0, 1, 2])
        let previews: [ShowPreviews] = [.always, .whenAuthenticated, .never]
        #expect(previews.map(\.rawValue) == [0, 1, 2])
    }

    @Test("2.8: Presentation options")
    func presentationOptions() {
        let all: [PresentationOptions] = [.badge, .sound, .alert, .list, .banner]
        #expect(all.map(\.rawValue) == [1, 2, 4, 8, 16])
    }

    @Test("2.10: Interruption levels, in their order")
    func interruptionLevels() {
        let all: [InterruptionLevel] = [.passive, .active, .timeSensitive, .critical]
        #expect(all.map(\.rawValue) == [0, 1, 2, 3])
        #expect(all.sorted() == all)
    }

    @Test("2.9: The errors that Apple numbered carry its numbers")
    func errors() {
        #expect(Refusal.notAllowed.unErrorCode == 1)
        #expect(Refusal.notAllowed.kind == .permissionDenied)
        #expect(Refusal.attachmentNotInDataStore("x").unErrorCode == 103)
        #expect(Refusal.attachmentNotInDataStore("x").kind == .notFound)
        #expect(Refusal.noContent("x").unErrorCode == 1401)
        #expect(Refusal.noContent("x").kind == .invalidArgument)
        #expect(Refusal.badgeInvalid("x").unErrorCode == 1600)
        #expect(Refusal.badgeInvalid("x").kind == .invalidArgument)
    }
}
