internal import NotificationCore
internal import TestSupport
internal import Testing

@Suite("The headers of a push (§21.2, §21.3, BG-1)")
struct PushHeadersTests {
    struct Rule: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout PushHeaders) -> Void
        let payload: String
        let reason: Reason?

        init(
            _ description: String,
            _ reason: Reason?,
            payload: String = #"{"aps":{"alert":"B"}}"#,
            _ change: @escaping @Sendable (inout PushHeaders) -> Void
        ) {
            testDescription = description
            self.reason = reason
            self.payload = payload
            self.change = change
        }
    }

    private static let silent = #"{"aps":{"content-available":1}}"#
    private static let day = 24 * 3_600 * Int64.nanosecondsPerSecond

    static let rules = [
        Rule("none", nil) { _ in },
        Rule("a topic", nil) { $0.topic = "org.example.app" },
        Rule("a topic of a call", nil) {
            $0.type = .voip
            $0.topic = "org.example.app.voip"
        },
        Rule("a topic without its ending", .badTopic) {
            $0.type = .voip
            $0.topic = "org.example.app"
        },
        Rule("a topic that names no app", .badTopic) { $0.topic = "org/example" },
        Rule("a topic that is an ending alone", .badTopic) {
            $0.type = .voip
            $0.topic = ".voip"
        },
        Rule("priority 10", nil) { $0.priority = 10 },
        Rule("priority 5", nil) { $0.priority = 5 },
        Rule("priority 1", nil) { $0.priority = 1 },
        Rule("priority 0", .badPriority) { $0.priority = 0 },
        Rule("priority 11", .badPriority) { $0.priority = 11 },
        Rule("BG-1 an urgent background push", .badPriority, payload: silent) {
            $0.priority = 10
        },
        Rule("BG-1 a background push by its type", .badPriority) {
            $0.type = .background
            $0.priority = 10
        },
        Rule(
            "BG-1 an alert that wakes too",
            nil,
            payload: #"{"aps":{"alert":"B","content-available":1}}"#
        ) {
            $0.priority = 10
        },
        Rule("BG-1 not urgent", nil, payload: silent) { $0.priority = 5 },
        Rule("30 days", nil) { $0.expiration = .newYear.advanced(byNanoseconds: 30 * day) },
        Rule("more than 30 days", .badExpirationDate) {
            $0.expiration = .newYear.advanced(byNanoseconds: 30 * day + 1)
        },
        Rule("the epoch", nil) { $0.expiration = WallInstant(nanoseconds: 0) },
        Rule("the last instant", .badExpirationDate) {
            $0.expiration = WallInstant(nanoseconds: .max)
        },
        Rule("64 bytes of a collapse id", nil) {
            $0.collapseIdentifier = String(repeating: "é", count: 32)
        },
        Rule("65 bytes of a collapse id", .badCollapseID) {
            $0.collapseIdentifier = String(repeating: "é", count: 32) + "a"
        },
        Rule("a call of 5,120 bytes", nil, payload: payload(ofBytes: 5_120)) { $0.type = .voip },
        Rule("a call of 5,121 bytes", .payloadTooLarge, payload: payload(ofBytes: 5_121)) {
            $0.type = .voip
        },
        Rule("an alert of 4,097 bytes", .payloadTooLarge, payload: payload(ofBytes: 4_097)) {
            $0.type = .alert
        },
    ]

    private static func payload(ofBytes count: Int) -> String {
        #"{"a":"\#(String(repeating: "x", count: count - 8))"}"#
    }

    @Test("Each header is checked, with the reason of APNs", arguments: rules)
    func rule(rule: Rule) {
        var headers = PushHeaders()
        rule.change(&headers)
        var reason: Reason?
        do {
            _ = try Push(headers, payload: rule.payload, at: .newYear)
        } catch {
            reason = error.reason
        }
        #expect(reason == rule.reason)
    }

    @Test("The topic names the app, with the ending of the type", arguments: PushType.allCases)
    func topics(type: PushType) {
        let endings: [PushType: String] = [
            .location: ".location-query", .voip: ".voip", .complication: ".complication",
            .fileProvider: ".pushkit.fileprovider", .liveActivity: ".push-type.liveactivity",
            .pushToTalk: ".voip-ptt", .widgets: ".push-type.widgets",
            .controls: ".push-type.controls",
        ]
        var headers = PushHeaders()
        headers.type = type
        #expect(headers.isFor("org.example.app"))
        headers.topic = "org.example.app" + (endings[type] ?? "")
        #expect(headers.isFor("org.example.app"))
        // The topic of a managed device is the certificate's.
        #expect(headers.isFor("org.example.other") == (type == .mdm))
    }

    @Test("What a push does is by its type and its payload")
    func effects() throws {
        let both = #"{"aps":{"alert":"B","content-available":1}}"#
        for type in PushType.allCases {
            var headers = PushHeaders()
            headers.type = type
            let push = try Push(headers, payload: both, at: .newYear)
            #expect(push.isShown == (type == .alert))
            #expect(push.wakesApp == (type == .alert || type == .background))
        }
        let badge = try Push(PushHeaders(), payload: #"{"aps":{"badge":1}}"#, at: .newYear)
        #expect(badge.isShown && !badge.wakesApp)
        let nothing = try Push(PushHeaders(), payload: "{}", at: .newYear)
        #expect(!nothing.isShown && !nothing.wakesApp)
    }
}
