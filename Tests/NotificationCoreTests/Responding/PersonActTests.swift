internal import NotificationCore
internal import Testing

private let open = "com.apple.UNNotificationDefaultActionIdentifier"
private let dismiss = "com.apple.UNNotificationDismissActionIdentifier"

@Suite("Responses (§17)")
struct PersonActTests {
    /// An act on a notification with every sort of action, and the decision that follows.
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let act: PersonAct
        let actionIdentifier: String?
        let userText: String?
        let launch: AppLaunch
        let leavesList: Bool
        let needsUnlock: Bool

        init(
            _ rule: String,
            _ act: PersonAct,
            sends actionIdentifier: String?,
            text userText: String? = nil,
            launch: AppLaunch,
            leavesList: Bool = true,
            needsUnlock: Bool = false
        ) {
            self.rule = rule
            self.act = act
            self.actionIdentifier = actionIdentifier
            self.userText = userText
            self.launch = launch
            self.leavesList = leavesList
            self.needsUnlock = needsUnlock
        }

        var testDescription: String { rule }
    }

    private static func category(_ options: CategoryOptions = []) -> NotificationCategory {
        NotificationCategory(
            identifier: "category",
            actions: [
                NotificationAction(identifier: "plain", title: "Plain"),
                NotificationAction(
                    identifier: "private",
                    title: "Private",
                    options: .authenticationRequired
                ),
                NotificationAction(
                    identifier: "destructive",
                    title: "Destructive",
                    options: .destructive
                ),
                NotificationAction(identifier: "front", title: "Front", options: .foreground),
                NotificationAction(
                    identifier: "reply",
                    title: "Reply",
                    textInput: ActionTextInput()
                ),
            ],
            options: options
        )
    }

    private static func press(_ identifier: String, text: String? = nil) -> PersonAct {
        .action(identifier: identifier, text: text)
    }

    private func expect(_ row: Row, in category: NotificationCategory?) throws {
        for isLocked in [false, true] {
            let decision = try row.act.decision(for: category, isLocked: isLocked)
            #expect(decision.response?.actionIdentifier == row.actionIdentifier)
            #expect(decision.response?.userText == row.userText)
            #expect(decision.launch == row.launch)
            #expect(decision.leavesList == row.leavesList)
            #expect(decision.needsUnlock == (isLocked && row.needsUnlock))
        }
    }

    @Test(
        "What an act leads to, locked and unlocked",
        arguments: [
            Row("17 tap", .open, sends: open, launch: .foreground, needsUnlock: true),
            Row("17 dismiss without opting in", .dismiss, sends: nil, launch: .none),
            Row(
                "17 swipe away",
                .swipeAway,
                sends: nil,
                launch: .none,
                leavesList: false
            ),
            Row("RSP-6 custom", press("plain"), sends: "plain", launch: .background),
            Row(
                "RSP-6 foreground",
                press("front"),
                sends: "front",
                launch: .foreground,
                needsUnlock: true
            ),
            Row(
                "RSP-5 authentication required",
                press("private"),
                sends: "private",
                launch: .background,
                needsUnlock: true
            ),
            Row(
                "2.6 destructive",
                press("destructive"),
                sends: "destructive",
                launch: .background
            ),
            Row(
                "17 text",
                press("reply", text: "Yes"),
                sends: "reply",
                text: "Yes",
                launch: .background
            ),
            Row(
                "3.4 nothing typed",
                press("reply"),
                sends: "reply",
                text: "",
                launch: .background
            ),
        ]
    )
    func act(row: Row) throws { try expect(row, in: Self.category()) }

    @Test(
        "17: A dismissal is told to an app that opted in; a banner that is swiped away never is",
        arguments: [
            Row("17 dismiss", .dismiss, sends: dismiss, launch: .background),
            Row("17 swipe away", .swipeAway, sends: nil, launch: .none, leavesList: false),
            Row("17 tap", .open, sends: open, launch: .foreground, needsUnlock: true),
        ]
    )
    func dismissAction(row: Row) throws { try expect(row, in: Self.category(.customDismissAction)) }

    @Test(
        "RSP-1: Without a category opening works, and dismissing is silent",
        arguments: [
            Row("RSP-1 tap", .open, sends: open, launch: .foreground, needsUnlock: true),
            Row("RSP-1 dismiss", .dismiss, sends: nil, launch: .none),
            Row("RSP-1 swipe away", .swipeAway, sends: nil, launch: .none, leavesList: false),
        ]
    )
    func noCategory(row: Row) throws { try expect(row, in: nil) }

    /// An act that is refused, the field and the reason.
    static let refused: [(rule: String, act: PersonAct, field: FieldPath, reason: Reason)] = [
        ("RSP-8 unknown", press("other"), [.actionIdentifier], .actionUnknown),
        ("RSP-8 empty", press(""), [.actionIdentifier], .actionUnknown),
        ("RSP-8 case", press("Plain"), [.actionIdentifier], .actionUnknown),
        ("K-4 the default constant", press(open), [.actionIdentifier], .actionUnknown),
        ("K-4 the dismiss constant", press(dismiss), [.actionIdentifier], .actionUnknown),
        ("17 text for a button", press("plain", text: ""), [.text], .textNotExpected),
        (
            "17 text too long", press("reply", text: String(repeating: "x", count: 65_537)),
            [.text], .textTooLong
        ),
    ]

    @Test("RSP-8: What the notification does not offer is refused", arguments: refused)
    func refuse(rule: String, act: PersonAct, field: FieldPath, reason: Reason) {
        let refusal = #expect(throws: Refusal.self) {
            try act.decision(for: Self.category(), isLocked: false)
        }
        #expect(refusal?.kind == .invalidArgument)
        #expect(refusal?.fields.map(\.path) == [field])
        #expect(refusal?.reason == reason)
    }

    @Test("RSP-8: Without a category there is no action")
    func refuseWithoutCategory() {
        #expect(throws: Refusal.unknownAction) {
            try Self.press("plain").decision(for: nil, isLocked: false)
        }
    }

    @Test("A reply may be 64 KiB")
    func longReply() throws {
        let text = String(repeating: "x", count: 65_536)
        let decision = try Self.press("reply", text: text)
            .decision(for: Self.category(), isLocked: false)
        #expect(decision.response?.userText == text)
    }

    @Test("2.12: The constants are Apple's")
    func constants() {
        #expect(NotificationAction.defaultIdentifier == open)
        #expect(NotificationAction.dismissIdentifier == dismiss)
    }

    @Test("K-11: A notification's own buttons stand in place of its category's alone")
    func ownButtons() throws {
        let own = NotificationAction(identifier: "own", title: "Own", textInput: ActionTextInput())
        let registered = Self.category(.customDismissAction)
        var content = NotificationContent()
        content.categoryIdentifier = "category"
        #expect(content.shown(by: nil) == nil)
        #expect(content.shown(by: registered) == registered)
        content.actions = [own]
        for category in [registered, nil] {
            let shown = try #require(content.shown(by: category))
            let pressed = try PersonAct.action(identifier: "own", text: "Yes")
                .decision(for: shown, isLocked: false)
            #expect(pressed.response?.actionIdentifier == "own")
            #expect(pressed.response?.userText == "Yes")
            #expect(throws: Refusal.unknownAction) {
                try Self.press("plain").decision(for: shown, isLocked: false)
            }
            let dismissed = try PersonAct.dismiss.decision(for: shown, isLocked: false)
            #expect(dismissed.response?.actionIdentifier == (category == nil ? nil : dismiss))
        }
    }
}
