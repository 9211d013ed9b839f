internal import NotificationCore
internal import Testing

@Suite("Validation of a request (§6.2, steps 3-5)")
struct RequestValidationTests {
    /// A change to a good request, and the field that is then refused.
    struct Change: Sendable, CustomTestStringConvertible {
        let rule: String
        let field: FieldPath?
        let change: @Sendable (inout NotificationRequest) -> Void

        init(
            _ rule: String,
            refused field: FieldPath? = nil,
            _ change: @escaping @Sendable (inout NotificationRequest) -> Void
        ) {
            self.rule = rule
            self.field = field
            self.change = change
        }

        var testDescription: String { rule }
    }

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    private static func buttons(_ count: Int) -> [NotificationAction] {
        (0..<count).map { NotificationAction(identifier: "\($0)", title: "") }
    }

    private static func emptyTexts(_ count: Int) -> [String] {
        Array(repeating: "", count: count)
    }

    @Test(
        "A request is judged by its first fault",
        arguments: [
            Change("good as it is") { _ in },
            // R-1
            Change("R-1: identifier of 0 bytes", refused: [.identifier]) { $0.identifier = "" },
            Change("R-1: identifier of 1 byte") { $0.identifier = "x" },
            Change("R-1: identifier of 256 bytes") { $0.identifier = text(256) },
            Change("R-1: identifier of 257 bytes", refused: [.identifier]) {
                $0.identifier = text(257)
            },
            Change("R-1: identifier of 256 bytes in 128 characters") {
                $0.identifier = String(repeating: "é", count: 128)
            },
            Change("R-1: identifier of 258 bytes in 129 characters", refused: [.identifier]) {
                $0.identifier = String(repeating: "é", count: 129)
            },
            // C-1
            Change("C-1: score 0") { $0.content.relevanceScore = 0 },
            Change("C-1: score 1") { $0.content.relevanceScore = 1 },
            Change("D-11: score below 0", refused: [.content, .relevanceScore]) {
                $0.content.relevanceScore = -0.001
            },
            Change("D-11: score above 1", refused: [.content, .relevanceScore]) {
                $0.content.relevanceScore = 1.001
            },
            Change("D-11: score not a number", refused: [.content, .relevanceScore]) {
                $0.content.relevanceScore = .nan
            },
            Change("C-1: summary argument count 0", refused: [.content, .summaryArgumentCount]) {
                $0.content.summaryArgumentCount = 0
            },
            Change("C-1: the greatest summary argument count") {
                $0.content.summaryArgumentCount = .max
            },
            Change("volume 0") { $0.content.sound = Sound(isCritical: true, volume: 0) },
            Change("volume 1") { $0.content.sound = Sound(isCritical: true, volume: 1) },
            Change("D-11: volume above 1", refused: [.content, .sound, .volume]) {
                $0.content.sound = Sound(isCritical: true, volume: 1.5)
            },
            Change("D-11: volume below 0", refused: [.content, .sound, .volume]) {
                $0.content.sound = Sound(isCritical: true, volume: -0.1)
            },
            Change("D-11: volume not a number", refused: [.content, .sound, .volume]) {
                $0.content.sound = Sound(isCritical: true, volume: .nan)
            },
            Change("volume of a sound that is not critical", refused: [.content, .sound, .volume]) {
                $0.content.sound = Sound(volume: 0.5)
            },
            Change("sound name of 256 bytes") { $0.content.sound = Sound(name: text(256)) },
            Change("sound name of 257 bytes", refused: [.content, .sound, .name]) {
                $0.content.sound = Sound(name: text(257))
            },
            Change("B-1: badge 0") { $0.content.badge = 0 },
            Change("B-1: the greatest badge") { $0.content.badge = .max },
            Change("B-3: badge below 0", refused: [.content, .badge]) { $0.content.badge = -1 },
            // L10N-5
            Change("a localized text alone") {
                $0.content.title = ""
                $0.content.localizedBody = LocalizedText(key: "k")
            },
            Change("a localized title without a key", refused: [.content, .localizedTitle, .key]) {
                $0.content.localizedTitle = LocalizedText(key: "")
            },
            Change(
                "a localized subtitle without a key",
                refused: [.content, .localizedSubtitle, .key]
            ) {
                $0.content.localizedSubtitle = LocalizedText(key: "", arguments: ["a"])
            },
            Change("a localized body without a key", refused: [.content, .localizedBody, .key]) {
                $0.content.localizedBody = LocalizedText(key: "")
            },
            Change("64 arguments") {
                $0.content.localizedBody = LocalizedText(key: "k", arguments: emptyTexts(64))
            },
            Change("65 arguments", refused: [.content, .localizedBody, .arguments]) {
                $0.content.localizedBody = LocalizedText(key: "k", arguments: emptyTexts(65))
            },
            // K-11
            Change("K-11: buttons alone are nothing to perceive", refused: [.content]) {
                $0.content.title = ""
                $0.content.actions = [NotificationAction(identifier: "a", title: "A")]
            },
            Change("K-11: 64 buttons") { $0.content.actions = buttons(64) },
            Change("K-11: 65 buttons", refused: [.content, .actions]) {
                $0.content.actions = buttons(65)
            },
            Change(
                "K-11: a button without a name",
                refused: ([.content, .actions] as FieldPath)[1].appending(.identifier)
            ) { $0.content.actions = buttons(1) + [NotificationAction(identifier: "", title: "")] },
            Change(
                "K-11: two buttons of one name",
                refused: ([.content, .actions] as FieldPath)[1].appending(.identifier)
            ) { $0.content.actions = buttons(1) + buttons(1) },
            Change("K-11: as much text as a content has") {
                $0.content.actions = [NotificationAction(identifier: "a", title: text(65_530))]
            },
            Change("K-11: more text than a content has", refused: [.content]) {
                $0.content.actions = [NotificationAction(identifier: "a", title: text(65_531))]
            },
            // ADD-13
            Change("ADD-13: progress 0") { $0.content.progress = 0 },
            Change("ADD-13: progress 1") { $0.content.progress = 1 },
            Change("ADD-13: progress below 0", refused: [.content, .progress]) {
                $0.content.progress = -0.001
            },
            Change("ADD-13: progress above 1", refused: [.content, .progress]) {
                $0.content.progress = 1.001
            },
            Change("ADD-13: progress not a number", refused: [.content, .progress]) {
                $0.content.progress = .nan
            },
            // Order
            Change("3 before 4: bad identifier, no content", refused: [.identifier]) {
                $0.identifier = ""
                $0.content = NotificationContent()
            },
            Change("4 before the limits: no content, bad score", refused: [.content]) {
                $0.content = NotificationContent()
                $0.content.relevanceScore = 2
            },
        ]
    )
    func validate(change: Change) throws {
        var content = NotificationContent()
        content.title = "Title"
        var request = NotificationRequest(identifier: "request", content: content)
        change.change(&request)
        guard let field = change.field else { return try request.validate() }
        let refusal = try #require(#expect(throws: Refusal.self) { try request.validate() })
        #expect(refusal.kind == .invalidArgument)
        #expect(refusal.fields.map(\.path) == [field])
        #expect(refusal.namesFields)
    }

    /// A fault of a request, and the reason that it is then refused for.
    static let faults: [(Reason, @Sendable (inout NotificationRequest) -> Void)] = [
        (.identifierInvalid, { $0.identifier = "" }),
        (.contentTooLarge, { $0.content.body = text(65_536) }),
        (
            .contentTooLarge,
            {
                $0.content.localizedBody =
                    LocalizedText(key: text(32_768), arguments: [text(32_764)])
            }
        ),
        (.localizationKeyInvalid, { $0.content.localizedTitle = LocalizedText(key: "") }),
        (.progressInvalid, { $0.content.progress = 2 }),
        (.actionInvalid, { $0.content.actions = [NotificationAction(identifier: "", title: "")] }),
        (.relevanceScoreInvalid, { $0.content.relevanceScore = 2 }),
        (.summaryArgumentCountInvalid, { $0.content.summaryArgumentCount = 0 }),
        (.soundVolumeInvalid, { $0.content.sound = Sound(volume: 0.5) }),
        (.invalidField, { $0.content.sound = Sound(name: text(257)) }),
        (.userInfoInvalid, { $0.content.userInfoJSON = "[]" }),
    ]

    @Test("A program can tell the faults apart by their reasons", arguments: faults)
    func reason(reason: Reason, change: @Sendable (inout NotificationRequest) -> Void) throws {
        var request = NotificationRequest(identifier: "request", content: NotificationContent())
        request.content.title = "Title"
        change(&request)
        let refusal = #expect(throws: Refusal.self) { try request.validate() }
        #expect(refusal?.reason == reason)
    }

    /// A content, and whether a person could perceive it.
    struct Perceptible: Sendable, CustomTestStringConvertible {
        let rule: String
        let isPerceptible: Bool
        let make: @Sendable (inout NotificationContent) -> Void

        init(
            _ rule: String,
            _ isPerceptible: Bool,
            _ make: @escaping @Sendable (inout NotificationContent) -> Void
        ) {
            self.rule = rule
            self.isPerceptible = isPerceptible
            self.make = make
        }

        var testDescription: String { rule }
    }

    @Test(
        "1401: A content has at least one of title, subtitle, body, sound, badge, attachments",
        arguments: [
            Perceptible("title", true) { $0.title = "x" },
            Perceptible("subtitle", true) { $0.subtitle = "x" },
            Perceptible("body", true) { $0.body = "x" },
            Perceptible("sound", true) { $0.sound = Sound() },
            Perceptible("badge", true) { $0.badge = 3 },
            Perceptible("attachment", true) {
                $0.attachments = [NotificationAttachment(identifier: "x", file: "x")]
            },
            Perceptible("badge 0, which removes it", true) { $0.badge = 0 },
            Perceptible("nothing", false) { _ in },
            Perceptible("only what nobody perceives", false) {
                $0.categoryIdentifier = "x"
                $0.threadIdentifier = "x"
                $0.userInfoJSON = "{}"
                $0.launchImageName = "x"
                $0.summaryArgument = "x"
                $0.targetContentIdentifier = "x"
                $0.filterCriteria = "x"
                $0.interruptionLevel = .critical
            },
        ]
    )
    func perceptible(row: Perceptible) throws {
        var content = NotificationContent()
        row.make(&content)
        let request = NotificationRequest(identifier: "request", content: content)
        guard !row.isPerceptible else { return try request.validate() }
        let refusal = try #require(#expect(throws: Refusal.self) { try request.validate() })
        #expect(refusal.kind == .invalidArgument)
        #expect(refusal.unErrorCode == 1401)
        #expect(refusal.reason == .notificationInvalidNoContent)
    }

    @Test("B-3: A bad badge is error 1600 of UNErrorDomain")
    func badgeError() throws {
        var content = NotificationContent()
        content.badge = -1
        let request = NotificationRequest(identifier: "request", content: content)
        let refusal = try #require(#expect(throws: Refusal.self) { try request.validate() })
        #expect(refusal.unErrorCode == 1600)
        #expect(refusal.reason == .badgeInputInvalid)
    }

    /// Each text of a content.
    struct Text: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let set: @Sendable (inout NotificationContent, String) -> Void
    }

    @Test(
        "C-1: The texts of a content have 64 KiB together, whichever they are",
        arguments: [
            Text(testDescription: "title") { $0.title = $1 },
            Text(testDescription: "subtitle") { $0.subtitle = $1 },
            Text(testDescription: "body") { $0.body = $1 },
            Text(testDescription: "category") {
                $0.categoryIdentifier = String($1.prefix(256))
                $0.body = String($1.dropFirst(256))
            },
            Text(testDescription: "thread") {
                $0.threadIdentifier = String($1.prefix(1024))
                $0.body = String($1.dropFirst(1024))
            },
            Text(testDescription: "launch image") {
                $0.launchImageName = String($1.prefix(256))
                $0.body = String($1.dropFirst(256))
            },
            Text(testDescription: "summary argument") {
                $0.summaryArgument = String($1.prefix(1024))
                $0.body = String($1.dropFirst(1024))
            },
            Text(testDescription: "target") {
                $0.targetContentIdentifier = String($1.prefix(1024))
                $0.body = String($1.dropFirst(1024))
            },
            Text(testDescription: "filter") {
                $0.filterCriteria = String($1.prefix(256))
                $0.body = String($1.dropFirst(256))
            },
            Text(testDescription: "sound and body") {
                $0.sound = Sound(name: String($1.prefix(256)))
                $0.body = String($1.dropFirst(256))
            },
            Text(testDescription: "attachments and body") {
                let names = [String($1.prefix(200)), String($1.dropFirst(200).prefix(36))]
                $0.attachments = [NotificationAttachment(identifier: names[0], file: names[1])]
                $0.body = String($1.dropFirst(236))
            },
            Text(testDescription: "user info") {
                $0.userInfoJSON = #"{"a":""# + $1.dropFirst(8) + #""}"#
            },
        ]
    )
    func contentLimit(text: Text) throws {
        for (count, isGood) in [(65_536, true), (65_537, false)] {
            var content = NotificationContent()
            content.badge = 1
            text.set(&content, Self.text(count))
            #expect(content.byteCount == count)
            let request = NotificationRequest(identifier: "request", content: content)
            if isGood {
                try request.validate()
            } else {
                let refusal = #expect(throws: Refusal.self) { try request.validate() }
                #expect(refusal?.fields.map(\.path) == [[.content]])
            }
        }
    }
}
