internal import NotificationCore
internal import Testing

/// The strings of an app that has tables in five languages, as a device of one of them finds them.
enum Tables {
    private static let messages: [String: PluralForms] = [
        "en": PluralForms(one: "%u message", other: "%u messages"),
        "ja": PluralForms(other: "メッセージ%u件"),
        "pl": PluralForms(
            one: "%u wiadomość",
            few: "%u wiadomości",
            many: "%u wiadomości!",
            other: "%u wiadomości?"
        ),
        "ar": PluralForms(
            zero: "لا رسائل",
            one: "رسالة",
            two: "رسالتان",
            few: "%u رسائل",
            many: "%u رسالة",
            other: "%u من الرسائل"
        ),
        // Brazil's zero is one, Portugal's is not.
        "pt": PluralForms(one: "%u mensagem", other: "%u mensagens"),
        "pt-pt": PluralForms(one: "%u mensagem", other: "%u mensagens"),
    ]

    static func strings(_ language: String) -> LocalizedStrings {
        var strings = LocalizedStrings()
        if let forms = messages[language] {
            strings["messages"] = FoundString(.plural(forms), language: language)
        }
        return strings
    }

    static func strings(_ texts: [String: String]) -> LocalizedStrings {
        var strings = LocalizedStrings()
        for (key, text) in texts { strings[key] = FoundString(.text(text), language: "en") }
        return strings
    }
}

@Suite("Texts that are looked up when they are shown (L10N-2, L10N-4, L10N-5, D-10)")
struct LocalizedTextTests {
    private static func render(
        _ content: NotificationContent,
        _ strings: LocalizedStrings,
        profile: Profile = .server,
        category: NotificationCategory? = nil,
        showPreviews: ShowPreviews = .always,
        threadCount: Int = 1
    ) -> RenderedNotification {
        RenderedNotification(
            of: content,
            category: category,
            on: Screen(isLocked: false, profile: profile),
            showPreviews: showPreviews,
            threadCount: threadCount,
            strings: strings
        )
    }

    /// The text of a table that shows with some arguments.
    private static func shown(
        _ text: String,
        _ arguments: [String] = [],
        profile: Profile = .server
    ) -> RenderedNotification {
        var content = NotificationContent()
        content.localizedTitle = LocalizedText(key: "k", arguments: arguments)
        content.localizedBody = content.localizedTitle
        return render(content, Tables.strings(["k": text]), profile: profile)
    }

    @Test(
        "What takes the places of a text",
        arguments: [
            ("L10N-2 none", "Tea", ["x"], "Tea"),
            ("L10N-2 in order", "%@ and %@", ["A", "B"], "A and B"),
            ("L10N-2 by number", "%2$@, %1$@", ["A", "B"], "B, A"),
            ("L10N-2 by number twice", "%1$@%1$@", ["A"], "AA"),
            ("L10N-2 both", "%2$@ %@ %@", ["A", "B"], "B A B"),
            ("L10N-4 missing", "<%@|%@|%3$@>", ["A"], "<A||>"),
            ("L10N-4 too many", "%@", ["A", "B"], "A"),
            ("L10N-4 a number beyond all", "<%99999999999999999999$@>", ["A"], "<>"),
            ("no argument has number 0", "%0$@", ["A"], "%0$@"),
            ("an escaped mark", "100%% %%@ %@", ["A"], "100% %@ A"),
            ("others stay", "%d %s %u %1$d %ld %", ["A"], "%d %s %u %1$d %ld %"),
            ("an argument is text", "%@%@", ["%@%%", "%1$@"], "%@%%%1$@"),
            ("bytes, not characters", "%@\u{301}", ["e"], "e\u{301}"),
            ("the end", "%1$", ["A"], "%1$"),
            ("nothing", "", ["A"], ""),
        ]
    )
    func places(rule: String, text: String, arguments: [String], expected: String) {
        let shown = Self.shown(text, arguments)
        #expect(Array(shown.title.utf8) == Array(expected.utf8))
        #expect(Array(shown.body.utf8) == Array(expected.utf8))
    }

    @Test("D-12: Under profile ios a body loses other escapes, and an argument none")
    func printf() {
        let shown = Self.shown("%@ %d%% %s!", ["50% off %@"], profile: .ios)
        #expect(shown.body == "50% off %@ % !")
        #expect(shown.title == "50% off %@ %d% %s!")
        var plain = NotificationContent()
        plain.body = "%d!"
        plain.localizedBody = LocalizedText(key: "k")
        #expect(Self.render(plain, LocalizedStrings(), profile: .ios).body == "!")
    }

    @Test("What is shown has at most 64 KiB, and no character in part")
    func long() {
        let argument = String(repeating: "é", count: 20_000)
        let places = String(repeating: "%1$@", count: 10_000)
        let shown = Self.shown("x" + places, [argument]).title
        #expect(shown.utf8.count == 64 * 1024 - 1)
        #expect(shown.hasPrefix("xéé"))
        #expect(shown.unicodeScalars.dropFirst().allSatisfy { $0 == "é" })
        let plain = Self.shown(String(repeating: "x", count: 70_000)).title
        #expect(plain.utf8.count == 64 * 1024)
    }

    @Test("D-10: Where no table has the key: the plain text, else the key")
    func fallback() {
        var content = NotificationContent()
        content.title = "%@ plain"
        content.localizedTitle = LocalizedText(key: "title %@", arguments: ["A"])
        content.localizedSubtitle = LocalizedText(key: "subtitle %@", arguments: ["A"])
        let shown = Self.render(content, LocalizedStrings())
        #expect(shown.title == "%@ plain")
        #expect(shown.subtitle == "subtitle %@")
        #expect(shown.body == "")
        let found = Self.render(content, Tables.strings(["title %@": "", "subtitle %@": "S %@"]))
        #expect(found.title == "", "a text that is empty is a text")
        #expect(found.subtitle == "S A")
    }

    @Test("A plural text without a number is that for all other numbers")
    func noNumber() {
        var content = NotificationContent()
        content.localizedTitle = LocalizedText(key: "messages")
        #expect(Self.render(content, Tables.strings("en")).title == "%u messages")
    }

    @Test("Keys that only look alike are two")
    func bytes() {
        var strings = LocalizedStrings()
        strings["\u{E9}"] = FoundString(.text("one"), language: "en")
        #expect(strings["e\u{301}"] == nil)
        #expect(strings["\u{E9}"]?.string == .text("one"))
    }

    @Test(
        "LK-1: A hidden body tells its number in the form of the language",
        arguments: [
            ("en", 1, "1 message"), ("en", 2, "2 messages"), ("ja", 1, "メッセージ1件"),
            ("pl", 1, "1 wiadomość"), ("pl", 3, "3 wiadomości"), ("pl", 12, "12 wiadomości!"),
            ("ar", 0, "لا رسائل"), ("ar", 1, "رسالة"), ("ar", 2, "رسالتان"), ("ar", 3, "3 رسائل"),
            ("ar", 11, "11 رسالة"), ("ar", 100, "100 من الرسائل"), ("pt", 0, "0 mensagem"),
            ("pt-pt", 0, "0 mensagens"), ("none", 2, "2 new"),
        ]
    )
    func placeholder(language: String, count: Int, expected: String) {
        var category = NotificationCategory(
            identifier: "c",
            hiddenPreviewsBodyPlaceholder: "%u new",
            localizedHiddenPreviewsBodyPlaceholder: LocalizedText(
                key: "messages",
                arguments: ["not used"]
            )
        )
        func body() -> String {
            Self.render(
                NotificationContent(),
                Tables.strings(language),
                category: category,
                showPreviews: .never,
                threadCount: count
            ).body
        }
        #expect(body() == expected)
        category.hiddenPreviewsBodyPlaceholder = ""
        #expect(body() == (language == "none" ? "messages" : expected))
        category.localizedHiddenPreviewsBodyPlaceholder = nil
        #expect(body() == RenderedNotification.defaultBody)
    }

    @Test("LK-1: A text for a placeholder that is empty is the system's")
    func emptyPlaceholder() {
        let category = NotificationCategory(
            identifier: "c",
            hiddenPreviewsBodyPlaceholder: "%u new",
            localizedHiddenPreviewsBodyPlaceholder: LocalizedText(key: "k")
        )
        let shown = Self.render(
            NotificationContent(),
            Tables.strings(["k": ""]),
            category: category,
            showPreviews: .never
        )
        #expect(shown.body == RenderedNotification.defaultBody)
    }

    @Test("K-5: A button has its title in the person's language")
    func actions() {
        let action = NotificationAction(
            identifier: "reply",
            title: "Reply",
            localizedTitle: LocalizedText(key: "reply", arguments: ["Ann"])
        )
        let category = NotificationCategory(identifier: "c", actions: [action])
        for (strings, title) in [
            (Tables.strings(["reply": "Antworten an %@"]), "Antworten an Ann"),
            (LocalizedStrings(), "Reply"),
        ] {
            let shown = Self.render(NotificationContent(), strings, category: category)
            #expect(
                shown.actions.map(\.action)
                    == [NotificationAction(identifier: "reply", title: title)]
            )
        }
    }

    @Test("6.2 step 4: A text to look up is text, and counts in the 64 KiB")
    func content() throws {
        for path in [
            \NotificationContent.localizedTitle, \.localizedSubtitle, \.localizedBody,
        ] as [WritableKeyPath<NotificationContent, LocalizedText?> & Sendable] {
            var content = NotificationContent()
            #expect(!content.hasAlertText && !content.isPerceptible)
            content[keyPath: path] = LocalizedText(key: "key", arguments: ["a", "bc"])
            #expect(content.hasAlertText && content.isPerceptible)
            #expect(content.byteCount == 6)
            #expect(content.localizationKeys == ["key"])
        }
        var category = NotificationCategory(identifier: "c")
        category.localizedSummaryFormat = LocalizedText(key: "s")
        category.localizedHiddenPreviewsBodyPlaceholder = LocalizedText(key: "hidden")
        category.actions = [NotificationAction(identifier: "a", title: "")]
        category.actions[0].localizedTitle = LocalizedText(key: "t", arguments: ["1234"])
        #expect(category.byteCount == 14)
        #expect(category.localizationKeys == ["hidden", "s", "t"])
    }
}
