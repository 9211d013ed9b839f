internal import NotificationCore
internal import TestSupport
internal import Testing

@Suite("Service extensions (§18)")
struct ServiceExtensionTests {
    struct Ask: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let isAsked: Bool
        let change:
            @Sendable (inout ServicePush, inout NotificationContent, inout NotificationSettings)
                -> Void

        init(
            _ name: String,
            _ isAsked: Bool,
            _ change:
                @escaping @Sendable (
                    inout ServicePush, inout NotificationContent, inout NotificationSettings
                ) -> Void = { _, _, _ in }
        ) {
            testDescription = name
            self.isAsked = isAsked
            self.change = change
        }
    }

    @Test(
        "NSE-1: It is asked about a mutable push that shows an alert, where alerts are permitted",
        arguments: [
            Ask("an alert", true),
            Ask("not mutable", false) { push, _, _ in push.isMutable = false },
            Ask("of another type", true) { push, _, _ in push.isAlertType = false },
            Ask("a body alone", true) { _, content, _ in
                content.title = ""
                content.body = "b"
            },
            Ask("a badge alone", false) { _, content, _ in
                content.title = ""
                content.badge = 1
            },
            Ask("a sound alone", false) { _, content, _ in
                content.title = ""
                content.sound = Sound()
            },
            Ask("denied", false) { _, _, settings in settings.authorizationStatus = .denied },
            Ask("a provisional grant: the list", true) { _, _, settings in
                settings.authorizationStatus = .provisional
                settings.alert = .disabled
                settings.lockScreen = .disabled
            },
            Ask("no place is left", false) { _, _, settings in
                settings.alert = .disabled
                settings.lockScreen = .disabled
                settings.notificationCenter = .disabled
            },
        ]
    )
    func asks(row: Ask) {
        var push = ServicePush(isMutable: true, isAlertType: true)
        var content = NotificationContent()
        content.title = "a"
        var settings = NotificationSettings()
        settings.authorizationStatus = .authorized
        settings.alert = .enabled
        settings.lockScreen = .enabled
        settings.notificationCenter = .enabled
        row.change(&push, &content, &settings)
        #expect(push.asksExtension(content.head, under: settings) == row.isAsked)
    }

    struct Given: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var outcome: ExtensionOutcome
        var title = "a"
        var badge: Int32?
        var isBestAttempt = false
        var isExpiring = false
        var isEntitled = true
        var isAlertType = true
    }

    @Test(
        "NSE-4, NSE-5, NSE-7: What becomes of its content",
        arguments: [
            Given(testDescription: "a text", outcome: .modified),
            Given(testDescription: "late", outcome: .bestAttempt, isExpiring: true),
            Given(testDescription: "kept", outcome: .bestAttempt, isBestAttempt: true),
            Given(testDescription: "nothing", outcome: .filtered, title: ""),
            Given(
                testDescription: "nothing, late",
                outcome: .filtered,
                title: "",
                isExpiring: true
            ),
            Given(
                testDescription: "nothing, not entitled",
                outcome: .ignoredNoText,
                title: "",
                isEntitled: false
            ),
            Given(
                testDescription: "nothing, of another type",
                outcome: .ignoredNoText,
                title: "",
                isAlertType: false
            ),
            Given(
                testDescription: "nothing, kept",
                outcome: .ignoredNoText,
                title: "",
                isBestAttempt: true
            ),
            Given(testDescription: "a badge", outcome: .ignoredNoText, title: "", badge: 1),
        ]
    )
    func outcomes(row: Given) {
        var content = NotificationContent()
        content.title = row.title
        content.badge = row.badge
        let push = ServicePush(isMutable: true, isAlertType: row.isAlertType)
        let outcome = push.outcome(
            of: content,
            isBestAttempt: row.isBestAttempt,
            isExpiring: row.isExpiring,
            under: row.isEntitled ? .filtering : []
        )
        #expect(outcome == row.outcome)
    }
}
