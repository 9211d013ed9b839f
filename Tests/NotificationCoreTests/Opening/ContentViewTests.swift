internal import NotificationCore
internal import Testing

@Suite("What a content extension shows (§19)")
struct ContentViewTests {
    /// A view, and the path and reason with which it is refused; nil where it is taken.
    struct Row: Sendable, CustomTestStringConvertible {
        let rule: String
        let view: ContentView
        let refused: FieldPath?
        let reason: Reason

        init(
            _ rule: String,
            _ mediaType: String = "image/png",
            bytes: Int = 1,
            media: MediaState? = nil,
            refused: FieldPath? = nil,
            _ reason: Reason = .invalidField
        ) {
            self.rule = rule
            view = ContentView(
                mediaType: mediaType,
                data: [UInt8](repeating: 0, count: bytes),
                media: media
            )
            self.refused = refused
            self.reason = reason
        }

        var testDescription: String { rule }
    }

    private static let whole = UnitRect(x: 0, y: 0, width: 1, height: 1)

    private static func media(
        _ type: MediaButtonType = .overlay,
        _ frame: UnitRect? = whole,
        _ color: String = ""
    ) -> MediaState {
        MediaState(buttonType: type, buttonFrame: frame, tintColor: color)
    }

    static let rows = [
        Row("a picture"),
        Row("a type with parameters", "text/plain; charset=utf-8"),
        Row("a type of other characters", "image/svg+xml"),
        Row("as many bytes as are shown", bytes: 256 * 1024),
        Row("no bytes", bytes: 0),
        Row("no type", "", refused: [.mediaType]),
        Row("no subtype", "image", refused: [.mediaType]),
        Row("an empty subtype", "image/", refused: [.mediaType]),
        Row("two slashes", "a/b/c", refused: [.mediaType]),
        Row("a space in the type", "image /png", refused: [.mediaType]),
        Row("a line break in a parameter", "a/b;c=\n", refused: [.mediaType]),
        Row("a letter that is not of ASCII", "image/pñg", refused: [.mediaType]),
        Row(
            "the longest type",
            "image/" + String(repeating: "a", count: 250)
        ),
        Row(
            "a type that is too long",
            "image/" + String(repeating: "a", count: 251),
            refused: [.mediaType]
        ),
        Row("a byte too many", bytes: 256 * 1024 + 1, refused: [.data], .contentViewTooLarge),
        Row("a button", media: media()),
        Row("no button, without a frame", media: media(.none, nil)),
        Row("a colour", media: media(.default, whole, "#Ff8800")),
        Row("a colour that lets through", media: media(.default, whole, "#ff8800c0")),
        Row(
            "a button without a frame",
            media: media(.default, nil),
            refused: [.media, .buttonFrame]
        ),
        Row(
            "an empty frame",
            media: media(.default, UnitRect(x: 0, y: 0, width: 0, height: 1)),
            refused: [.media, .buttonFrame]
        ),
        Row(
            "a frame that is not a number",
            media: media(.none, UnitRect(x: .nan, y: 0, width: 1, height: 1)),
            refused: [.media, .buttonFrame]
        ),
        Row(
            "a colour by name",
            media: media(.default, whole, "red"),
            refused: [.media, .buttonTintColor]
        ),
        Row(
            "a colour of seven digits",
            media: media(.default, whole, "#ff8800c"),
            refused: [.media, .buttonTintColor]
        ),
    ]

    @Test("A view is taken, or refused by its field (NCE-7, NCE-9)", arguments: rows)
    func validate(_ row: Row) throws {
        guard let path = row.refused else {
            try row.view.validate()
            return
        }
        do throws(Refusal) {
            try row.view.validate()
            Issue.record("it is taken")
        } catch {
            #expect(error.fields.map(\.path) == [path])
            #expect(error.reason == row.reason)
        }
    }

    @Test("An update without data leaves what is shown, and says what the button is")
    func update() {
        let shown = ContentView(mediaType: "image/png", data: [1], media: Self.media())
        let playing = MediaState(buttonType: .none, isPlaying: true)
        let change = ContentView(mediaType: "text/plain", data: [], media: playing)
        #expect(
            shown.updated(by: change)
                == ContentView(mediaType: "image/png", data: [1], media: playing)
        )
        let other = ContentView(mediaType: "text/plain", data: [2])
        #expect(shown.updated(by: other) == other)
    }

    @Test(
        "An answer decides about the view, the app and the list (§19.2)",
        arguments: [
            (ContentAnswer.doNotDismiss, false, false), (.dismiss, true, false),
            (.dismissAndForward, true, true),
        ]
    )
    func answers(_ answer: ContentAnswer, closes: Bool, tellsApp: Bool) {
        #expect(answer.closes == closes)
        #expect(answer.tellsApp == tellsApp)
        #expect(answer.leavesList == closes)
    }

    @Test(
        "The numbers are Apple's (§19.2)",
        arguments: zip(ContentAnswer.allCases, [0, 1, 2] as [UInt8])
    )
    func numbers(_ answer: ContentAnswer, _ number: UInt8) { #expect(answer.rawValue == number) }
}

@Suite("The buttons of an open notification (§19)")
struct PresentedActionTests {
    private static func action(_ identifier: String) -> NotificationAction {
        NotificationAction(identifier: identifier, title: identifier)
    }

    private let category = NotificationCategory(
        identifier: "red",
        actions: [action("rotate")],
        options: .customDismissAction
    )

    @Test("The person presses a button of the presentation, not of the category (NCE-5)")
    func offering() throws {
        let offered = category.offering([Self.action("reset")])
        let act = PersonAct.action(identifier: "reset", text: nil)
        let decision = try act.decision(for: offered, isLocked: false)
        #expect(decision.response?.actionIdentifier == "reset")
        #expect(throws: Refusal.unknownAction) {
            try PersonAct.action(identifier: "rotate", text: nil)
                .decision(for: offered, isLocked: false)
        }
        #expect(offered.options == category.options)
        #expect(category.actions == [Self.action("rotate")])
    }

    @Test("Buttons are judged as those of a category (NCE-5)")
    func validate() throws {
        try [Self.action("a"), Self.action("b")].validateForPresentation()
        try [NotificationAction]().validateForPresentation()
        func refusal(of actions: [NotificationAction]) -> Refusal? {
            do throws(Refusal) {
                try actions.validateForPresentation()
                return nil
            } catch {
                return error
            }
        }
        var long = Self.action("a")
        long.title = String(repeating: "x", count: 64 * 1024)
        let first = FieldPath.element(0, of: .actions).appending(.identifier)
        let second = FieldPath.element(1, of: .actions).appending(.identifier)
        let rows: [(actions: [NotificationAction], path: FieldPath, reason: Reason)] = [
            ([Self.action("a"), Self.action("a")], second, .actionInvalid),
            ([Self.action("")], first, .actionInvalid),
            ([Self.action(NotificationAction.dismissIdentifier)], first, .actionInvalid),
            ((0..<65).map { Self.action("\($0)") }, [.actions], .actionInvalid),
            ([long], [.actions], .categoryTooLarge),
        ]
        for row in rows {
            let refusal = refusal(of: row.actions)
            #expect(refusal?.reason == row.reason)
            #expect(refusal?.fields.first?.path == row.path)
        }
    }
}
