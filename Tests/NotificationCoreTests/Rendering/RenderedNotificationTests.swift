internal import NotificationCore
internal import Testing

@Suite("Rendering (§10)")
struct RenderedNotificationTests {
    private static var content: NotificationContent {
        var content = NotificationContent()
        content.title = "Title"
        content.subtitle = "Subtitle"
        content.body = "Body"
        content.categoryIdentifier = "category"
        content.attachments = [NotificationAttachment(identifier: "a", file: "b")]
        content.communication = Communication(kind: .message, sender: "Ann")
        return content
    }

    private static func render(
        category: NotificationCategory? = nil,
        isLocked: Bool = false,
        showPreviews: ShowPreviews = .always,
        threadCount: Int = 1
    ) -> RenderedNotification {
        RenderedNotification(
            of: content,
            category: category,
            on: Screen(isLocked: isLocked),
            showPreviews: showPreviews,
            threadCount: threadCount
        )
    }

    /// A cell of the table: when text may be seen, whether the device is locked, what is hidden.
    struct Cell: Sendable, CustomTestStringConvertible {
        let showPreviews: ShowPreviews
        let isLocked: Bool
        let isHidden: Bool

        var testDescription: String {
            "LK \(showPreviews) \(isLocked ? "locked" : "unlocked")"
        }
    }

    static let cells = [
        Cell(showPreviews: .always, isLocked: true, isHidden: false),
        Cell(showPreviews: .always, isLocked: false, isHidden: false),
        Cell(showPreviews: .whenAuthenticated, isLocked: true, isHidden: true),
        Cell(showPreviews: .whenAuthenticated, isLocked: false, isHidden: false),
        Cell(showPreviews: .never, isLocked: true, isHidden: true),
        Cell(showPreviews: .never, isLocked: false, isHidden: true),
    ]

    @Test("Each cell of the table under each title and subtitle option", arguments: cells)
    func cell(cell: Cell) {
        #expect(cell.showPreviews.hidesText(whileLocked: cell.isLocked) == cell.isHidden)
        for bits in [0, 4, 8, 12] as [UInt32] {
            let rendered = Self.render(
                category: NotificationCategory(
                    identifier: "category",
                    hiddenPreviewsBodyPlaceholder: "%u messages",
                    options: CategoryOptions(rawValue: bits)
                ),
                isLocked: cell.isLocked,
                showPreviews: cell.showPreviews,
                threadCount: 3
            )
            #expect(rendered.isHidden == cell.isHidden)
            #expect(rendered.title == (cell.isHidden && bits & 4 == 0 ? "" : "Title"))
            #expect(rendered.subtitle == (cell.isHidden && bits & 8 == 0 ? "" : "Subtitle"))
            #expect(rendered.body == (cell.isHidden ? "3 messages" : "Body"))
            #expect(rendered.showsAttachments == !cell.isHidden)
            #expect(rendered.attachments == (cell.isHidden ? [] : Self.content.attachments))
            #expect((rendered.communication == nil) == cell.isHidden)
        }
    }

    @Test(
        "The placeholder of a hidden body",
        arguments: [
            ("LK-1 the number", "%u Messages", 2, "2 Messages"),
            ("LK-1 numbered", "%1$u messages", 2, "2 messages"),
            ("LK-1 one place only", "%u of %u", 2, "2 of %u"),
            ("LK-1 no place", "New", 2, "New"),
            ("LK-1 no other character", "%d %@ %s %2$@ %", 2, "%d %@ %s %2$@ %"),
            ("LK-1 an escaped one", "%%u", 2, "%%u"),
            ("LK-1 before a mark that joins it", "%u\u{301}", 2, "2\u{301}"),
            ("body: empty placeholder", "", 2, "Notification"),
        ]
    )
    func placeholder(rule: String, format: String, count: Int, expected: String) {
        let rendered = Self.render(
            category: NotificationCategory(
                identifier: "category",
                hiddenPreviewsBodyPlaceholder: format
            ),
            showPreviews: .never,
            threadCount: count
        )
        #expect(rendered.body == expected)
    }

    @Test("Without a category a hidden body is \"Notification\", and nothing else shows")
    func noCategory() {
        let rendered = Self.render(showPreviews: .never)
        #expect(rendered.title == "" && rendered.subtitle == "")
        #expect(rendered.body == "Notification")
        #expect(rendered.actions == [])
    }

    @Test("LK-2: The count base is the app's delivered ones with the same thread")
    func countBase() {
        func listed(
            _ app: String,
            _ thread: String,
            conversation: String = ""
        ) -> ListedNotification {
            var content = NotificationContent()
            content.threadIdentifier = thread
            content.communication = Communication(
                kind: .message,
                sender: "Ann",
                conversationIdentifier: conversation
            )
            return ListedNotification(
                app: app,
                identifier: "",
                delivery: 1,
                date: WallInstant(nanoseconds: 0),
                content: content
            )
        }
        let this = listed("a", "\u{E9}")
        #expect(this.sharesThread(with: this))
        #expect(this.sharesThread(with: listed("a", "", conversation: "\u{E9}")))
        #expect(!this.sharesThread(with: listed("b", "\u{E9}")))
        #expect(!this.sharesThread(with: listed("a", "")))
        #expect(!this.sharesThread(with: listed("a", "e\u{301}")))
    }

    /// An action's options, and whether it needs an unlock on a locked device.
    static let unlocks: [(String, ActionOptions, Bool)] = [
        ("10 none runs while locked", [], false),
        ("10 authentication required", .authenticationRequired, true),
        ("10 destructive runs while locked", .destructive, false),
        ("10 foreground", .foreground, true),
        ("10 all", [.authenticationRequired, .destructive, .foreground], true),
    ]

    @Test("Actions show also while hidden; some ask for an unlock first", arguments: unlocks)
    func unlock(rule: String, options: ActionOptions, needsUnlock: Bool) {
        let action = NotificationAction(identifier: "a", title: "A", options: options)
        let category = NotificationCategory(identifier: "category", actions: [action])
        for showPreviews in ShowPreviews.allCases {
            for isLocked in [false, true] {
                let rendered = Self.render(
                    category: category,
                    isLocked: isLocked,
                    showPreviews: showPreviews
                )
                #expect(rendered.actions.map(\.action) == [action])
                #expect(rendered.actions.map(\.needsUnlock) == [isLocked && needsUnlock])
            }
        }
    }

    @Test("K-2: Ten actions show where there is room, the first two where there is little")
    func actionCount() {
        let actions = (0..<11).map { NotificationAction(identifier: "\($0)", title: "\($0)") }
        let category = NotificationCategory(identifier: "category", actions: actions)
        for (isCompact, count) in [(false, 10), (true, 2)] {
            let rendered = RenderedNotification(
                of: Self.content,
                category: category,
                on: Screen(isLocked: false, isCompact: isCompact),
                showPreviews: .always,
                threadCount: 1
            )
            #expect(rendered.actions.map(\.action) == Array(actions.prefix(count)))
        }
    }

    @Test(
        "D-12: Printf escapes of a body, under profile ios",
        arguments: [
            ("100%", "100%"), ("100%%", "100%"), ("%%%%", "%%"), ("a %@ b", "a  b"),
            ("%1$@ and %2$d", " and "), ("%-5.2f|%+d|%#x|%08lld|%*d|%.*s", "|||||"),
            ("%% %d", "% "), ("%", "%"), ("%!", "%!"), ("%12", "%12"), ("50% off", "50ff"),
            ("%1$", "%1$"), ("%$d", "%$d"), ("%hhu%zu%Lf", ""),
            ("\u{1F600}%@\u{1F600}", "\u{1F600}\u{1F600}"),
            ("%%d", "%d"), ("", ""),
        ]
    )
    func printf(body: String, expected: String) {
        for (profile, shown) in [(Profile.ios, expected), (.server, body)] {
            var content = NotificationContent()
            content.title = body
            content.body = body
            let rendered = RenderedNotification(
                of: content,
                category: nil,
                on: Screen(isLocked: false, profile: profile),
                showPreviews: .always,
                threadCount: 1
            )
            #expect(rendered.body == shown)
            #expect(rendered.title == body)
        }
    }

    @Test("ADD-13: The progress is hidden where the text is", arguments: [true, false])
    func progress(isLocked: Bool) {
        var content = Self.content
        content.progress = 0.5
        let rendered = RenderedNotification(
            of: content,
            category: nil,
            on: Screen(isLocked: isLocked),
            showPreviews: .whenAuthenticated,
            threadCount: 1
        )
        #expect(rendered.progress == (isLocked ? nil : 0.5))
    }
}
