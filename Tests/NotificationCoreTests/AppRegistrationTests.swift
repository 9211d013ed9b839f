internal import NotificationCore
internal import Testing

@Suite("Registrations (W-20, RegisterApp)")
struct AppRegistrationTests {
    private static let app = "org.example.tea"

    struct Case: CustomTestStringConvertible, Sendable {
        let name: String
        let registration: AppRegistration
        var testDescription: String { name }

        init(_ name: String, _ change: (inout AppRegistration) -> Void) {
            self.name = name
            var registration = AppRegistration()
            change(&registration)
            self.registration = registration
        }
    }

    @Test(
        "Registrations that are taken",
        arguments: [
            Case("the empty one") { _ in },
            Case("names") {
                $0.language = "pt-BR"
                $0.names = ["pt-BR": "Chá", "en": "Tea", "zh-Hant-TW": "茶", "es-419": "Té"]
            },
            Case("longest language") {
                $0.language = "aa-\(String(repeating: "b2345678-", count: 3))c2345"
            },
            Case("extensions") {
                $0.extensions = [
                    showing("org.example.tea.content", "red", "green"),
                    AppExtension(identifier: "org.example.tea.service", kind: .service),
                    showing("org.example.tea.content2", "Red", "re\u{301}d", "r\u{e9}d"),
                ]
            },
        ]
    )
    func taken(_ row: Case) throws {
        try row.registration.validate(for: Self.app)
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        let row: Case
        let path: FieldPath
        let reason: Reason
        var testDescription: String { row.name }

        init(
            _ name: String,
            _ path: FieldPath,
            _ reason: Reason,
            _ change: (inout AppRegistration) -> Void
        ) {
            row = Case(name, change)
            self.path = path
            self.reason = reason
        }
    }

    private static func identified(_ identifiers: String...) -> [AppExtension] {
        identifiers.map { showing($0, $0) }
    }

    private static func showing(_ identifier: String, _ categories: String...) -> AppExtension {
        AppExtension(identifier: identifier, kind: .content, categories: categories)
    }

    private static func refusedCategories(
        _ name: String,
        _ path: FieldPath,
        _ categories: [String],
        reason: Reason = .extensionInvalid,
        _ change: (inout AppExtension) -> Void = { _ in }
    ) -> Refused {
        Refused(name, FieldPath(([.extensions] as FieldPath)[0].steps + path.steps), reason) {
            var item = AppExtension(
                identifier: "org.example.tea.a",
                kind: .content,
                categories: categories
            )
            change(&item)
            $0.extensions = [item]
        }
    }

    private static let refusedContent: [Refused] = [
        refusedCategories("NCE-1 no category", [.categories], []),
        refusedCategories("an empty category", ([.categories] as FieldPath)[1], ["a", ""]),
        refusedCategories(
            "a long category",
            ([.categories] as FieldPath)[0],
            [String(repeating: "x", count: 257)]
        ),
        refusedCategories("too many categories", [.categories], (0...256).map { "\($0)" }),
        refusedCategories(
            "NCE-1 a category twice",
            ([.categories] as FieldPath)[2],
            ["a", "b", "a"],
            reason: .extensionCategoryTaken
        ),
        refusedCategories("a ratio of 0", [.initialContentSizeRatio], ["a"]) {
            $0.appearance.initialContentSizeRatio = 0
        },
        refusedCategories("a ratio that is no number", [.initialContentSizeRatio], ["a"]) {
            $0.appearance.initialContentSizeRatio = .nan
        },
        refusedCategories("an endless ratio", [.initialContentSizeRatio], ["a"]) {
            $0.appearance.initialContentSizeRatio = .infinity
        },
        refusedCategories("a service extension with a category", [.categories], ["a"]) {
            $0.kind = .service
        },
        refusedCategories("a service extension with a view", [], []) {
            $0.kind = .service
            $0.appearance.handlesResponses = true
        },
        Refused(
            "NCE-1 a category of another extension",
            ([.extensions] as FieldPath)[1].appending(.categories)[1],
            .extensionCategoryTaken
        ) {
            $0.extensions = [
                showing("org.example.tea.a", "red"), showing("org.example.tea.b", "green", "red"),
            ]
        },
    ]

    private static let refusedNames: [Refused] = [
        Refused("no language", [.language], .languageInvalid) { $0.language = "" },
        Refused("not a language", [.language], .languageInvalid) { $0.language = "pt_BR" },
        Refused("one letter", [.language], .languageInvalid) { $0.language = "p" },
        Refused("digits first", [.language], .languageInvalid) { $0.language = "419" },
        Refused("empty part", [.language], .languageInvalid) { $0.language = "pt-" },
        Refused("long part", [.language], .languageInvalid) { $0.language = "pt-123456789" },
        Refused("long tag", [.language], .languageInvalid) {
            $0.language = "aa-\(String(repeating: "b2345678-", count: 3))c23456"
        },
        Refused("name of no language", [.names], .languageInvalid) {
            $0.names = ["en": "Tea", "e n": "Tea"]
        },
        Refused("empty name", .value(of: "pt-BR", in: .names), .appNameInvalid) {
            $0.names = ["en": "Tea", "pt-BR": ""]
        },
        Refused("long name", .value(of: "en", in: .names), .appNameInvalid) {
            $0.names = ["en": String(repeating: "x", count: 257)]
        },
        Refused("not in its own language", [.names], .appNameInvalid) {
            $0.names = ["pt": "Chá"]
        },
        Refused("too many names", [.names], .appNameInvalid) { registration in
            for number in 0...200 { registration.names["en-\(number)"] = "Tea" }
        },
        Refused("long icon", [.icon], .invalidField) {
            $0.icon = String(repeating: "x", count: 257)
        },
    ]

    private static let refusedExtensions: [Refused] = [
        Refused(
            "NSE-8 of another app",
            .element(1, of: .extensions).appending(.extension),
            .extensionInvalid
        ) {
            $0.extensions = identified("org.example.tea.a", "org.example.coffee.b")
        },
        Refused(
            "NSE-8 no name",
            .element(0, of: .extensions).appending(.extension),
            .extensionInvalid
        ) {
            $0.extensions = identified("org.example.tea.")
        },
        Refused(
            "not a bundle identifier",
            .element(0, of: .extensions).appending(.extension),
            .extensionInvalid
        ) {
            $0.extensions = identified("org.example.tea.a b")
        },
        Refused("twice", .element(2, of: .extensions).appending(.extension), .extensionInvalid) {
            $0.extensions = identified(
                "org.example.tea.a",
                "org.example.tea.b",
                "org.example.tea.a"
            )
        },
        Refused(
            "NSE-8 two service extensions",
            .element(1, of: .extensions).appending(.kind),
            .extensionInvalid
        ) {
            $0.extensions = [
                AppExtension(identifier: "org.example.tea.a", kind: .service),
                AppExtension(identifier: "org.example.tea.b", kind: .service),
            ]
        },
        Refused("too many", [.extensions], .extensionInvalid) {
            $0.extensions = (0...64).map {
                showing("org.example.tea.a\($0)", "\($0)")
            }
        },
    ]

    @Test(
        "Registrations that are refused",
        arguments: refusedNames + refusedExtensions + refusedContent
    )
    func refused(_ refused: Refused) throws {
        let refusal = try #require(throws: Refusal.self) {
            try refused.row.registration.validate(for: Self.app)
        }
        let isTaken = refused.reason == .extensionCategoryTaken
        #expect(refusal.kind == (isTaken ? .alreadyExists : .invalidArgument))
        #expect(refusal.reason == refused.reason)
        #expect(refusal.fields.map(\.path) == [refused.path])
    }
}
