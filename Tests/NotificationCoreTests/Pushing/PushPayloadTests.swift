internal import TestSupport
internal import Testing

@testable internal import NotificationCore

@Suite("The payload of a push (PAY-0..PAY-3, D-11, L10N-1..L10N-3)")
struct PushPayloadTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let payload: String
        let expected: @Sendable (inout PushPayload) -> Void

        init(
            _ description: String,
            _ payload: String,
            _ expected: @escaping @Sendable (inout PushPayload) -> Void = { _ in }
        ) {
            testDescription = description
            self.payload = payload
            self.expected = expected
        }
    }

    private static func aps(_ keys: String) -> String { #"{"aps":{\#(keys)}}"# }

    static let examples = alerts + localized + sounds + numbers + flags + hostile

    private static let alerts = [
        Example("no aps", #"{"a":1}"#),
        Example("an aps of another type", #"{"aps":7}"#),
        Example("an alert that is a text", aps(#""alert":"Hi""#)) { $0.content.body = "Hi" },
        Example(
            "an alert with all texts",
            aps(
                #""alert":{"title":"T","subtitle":"S","body":"B","launch-image":"l.png","#
                    + #""summary-arg":"Sue","summary-arg-count":3}"#
            )
        ) {
            $0.content.title = "T"
            $0.content.subtitle = "S"
            $0.content.body = "B"
            $0.content.launchImageName = "l.png"
            $0.content.summaryArgument = "Sue"
            $0.content.givenSummaryArgumentCount = 3
        },
        Example(
            "GRP-4 and the other names",
            aps(
                #""alert":"B","thread-id":"t","category":"c","target-content-id":"w","#
                    + #""filter-criteria":"f","relevance-score":0.5,"interruption-level":"passive""#
            )
        ) {
            $0.content.body = "B"
            $0.content.threadIdentifier = "t"
            $0.content.categoryIdentifier = "c"
            $0.content.targetContentIdentifier = "w"
            $0.content.filterCriteria = "f"
            $0.content.relevanceScore = 0.5
            $0.content.givenInterruptionLevel = .passive
        },
        Example("INT-1 active", aps(#""interruption-level":"active""#)) {
            $0.content.givenInterruptionLevel = .active
        },
        Example("INT-1 time-sensitive", aps(#""interruption-level":"time-sensitive""#)) {
            $0.content.givenInterruptionLevel = .timeSensitive
        },
        Example("INT-1 critical", aps(#""interruption-level":"critical""#)) {
            $0.content.givenInterruptionLevel = .critical
        },
        Example("INT-1 another word", aps(#""interruption-level":"Critical""#)),
        Example(
            "PAY-3 wrong types, the rest stays",
            aps(#""alert":{"title":7,"body":"B"},"badge":"3","thread-id":[],"category":null"#)
        ) { $0.content.body = "B" },
        Example("an unknown key within aps", aps(#""alert":"B","event":"update""#)) {
            $0.content.body = "B"
        },
        Example(
            "a name that is too long",
            aps(#""alert":"B","category":"\#(String(repeating: "c", count: 257))""#)
        ) { $0.content.body = "B" },
        Example("the last of a key that comes twice", aps(#""alert":"A","alert":"B""#)) {
            $0.content.body = "B"
        },
    ]

    private static let localized = [
        Example(
            "L10N-2 keys with arguments",
            aps(
                #""alert":{"title":"T","title-loc-key":"t","title-loc-args":["1"],"#
                    + #""subtitle-loc-key":"s","loc-key":"b","loc-args":["x","y"]}"#
            )
        ) {
            $0.content.title = "T"
            $0.content.localizedTitle = LocalizedText(key: "t", arguments: ["1"])
            $0.content.localizedSubtitle = LocalizedText(key: "s")
            $0.content.localizedBody = LocalizedText(key: "b", arguments: ["x", "y"])
        },
        Example("L10N-3 the body wins", aps(#""alert":{"body":"B","loc-key":"b"}"#)) {
            $0.content.body = "B"
        },
        Example("arguments of another type", aps(#""alert":{"loc-key":"b","loc-args":[1]}"#)) {
            $0.content.localizedBody = LocalizedText(key: "b")
        },
        Example("an empty key", aps(#""alert":{"loc-key":""}"#)),
    ]

    private static let sounds = [
        Example("SND-4 a name", aps(#""sound":"a.caf""#)) {
            $0.content.sound = Sound(name: "a.caf")
        },
        Example("SND-4 the default", aps(#""sound":"default""#)) { $0.content.sound = Sound() },
        Example("an empty name is no sound", aps(#""sound":"""#)),
        Example("a name that no file has", aps(#""sound":"a\u202e""#)) {
            $0.content.sound = Sound()
        },
        Example(
            "PAY-0 a critical sound",
            aps(#""sound":{"critical":1,"name":"a.caf","volume":0.5}"#)
        ) {
            $0.content.sound = Sound(name: "a.caf", isCritical: true, volume: 0.5)
        },
        Example(
            "D-11 a volume out of range",
            aps(#""sound":{"critical":1,"name":"default","volume":7}"#)
        ) {
            $0.content.sound = Sound(isCritical: true, volume: 1)
        },
        Example("a volume of a sound that is not critical", aps(#""sound":{"volume":0.5}"#)) {
            $0.content.sound = Sound()
        },
        Example("a sound of another type", aps(#""sound":1"#)),
    ]

    private static let numbers = [
        Example("B-4 a badge", aps(#""badge":3"#)) { $0.content.badge = 3 },
        Example("B-4 no badge", aps(#""badge":0"#)) { $0.content.badge = 0 },
        Example("D-11 a badge below 0", aps(#""badge":-1"#)) { $0.content.badge = 0 },
        Example("D-11 a huge badge", aps(#""badge":1e999"#)) { $0.content.badge = .max },
        Example("D-11 a badge with a fraction", aps(#""badge":2.9"#)) { $0.content.badge = 2 },
        Example("D-11 a score above 1", aps(#""relevance-score":9"#)) {
            $0.content.relevanceScore = 1
        },
        Example("D-11 a score below 0", aps(#""relevance-score":-1e400"#)),
        Example("D-11 a count below 1", aps(#""alert":{"summary-arg-count":-5}"#)) {
            $0.content.givenSummaryArgumentCount = 1
        },
    ]

    private static let flags = [
        Example("PAY-2 1", aps(#""content-available":1,"mutable-content":1"#)) {
            $0.wakesApp = true
            $0.isMutable = true
        },
        Example("PAY-2 true", aps(#""content-available":true"#)) { $0.wakesApp = true },
        Example("PAY-2 a text", aps(#""content-available":"1""#)) { $0.wakesApp = true },
        Example("PAY-2 what is not set", aps(#""content-available":0,"mutable-content":"true""#)),
    ]

    private static let hostile = [
        Example("escapes", aps(#""alert":"\u00e9\ud83d\ude00\n\"\\\/\ud800x""#)) {
            $0.content.body = "é😀\n\"\\/\u{FFFD}x"
        },
        Example("half a pair at the end", aps(#""alert":"\ud83d""#)) {
            $0.content.body = "\u{FFFD}"
        },
        Example("two halves of the same kind", aps(#""alert":"\ud83d\ud83d\ude00""#)) {
            $0.content.body = "\u{FFFD}😀"
        },
        Example("white space", " {\n\"aps\" : { \"badge\" :\t1 } , \"a\" : [ ] } ") {
            $0.content.badge = 1
        },
        Example("an empty name of a key", #"{"":{},"aps":{"":1,"badge":1}}"#) {
            $0.content.badge = 1
        },
    ]

    @Test("Each key is read, and the payload is the user info", arguments: examples)
    func read(example: Example) throws {
        var expected = try PushPayload("{}", atMost: 4_096)
        example.expected(&expected)
        expected.content.userInfoJSON = example.payload
        let read = try PushPayload(example.payload, atMost: 4_096)
        #expect(read == expected, "\(read)")
        #expect(read.content.body.utf8.elementsEqual(expected.content.body.utf8))
        // The content that is read of a push can be kept as that of any request.
        try read.content.validate()
    }

    @Test("What is no payload is refused by name")
    func refused() {
        #expect(reason("") == .payloadEmpty)
        for text in ["1", "[]", "{", #"{"a":}"#, "{} {}", "\u{0}", #"{"aps":"\ud8"}"#] {
            #expect(reason(text) == .payloadInvalid, "\(text)")
        }
        let deep = String(repeating: #"{"a":"#, count: 65) + "1" + String(repeating: "}", count: 65)
        #expect(reason(deep) == .payloadInvalid)
        let long = #"{"a":"\#(String(repeating: "x", count: 4_088))"}"#
        #expect(long.utf8.count == 4_096)
        #expect(reason(long) == nil)
        #expect(reason(long + " ") == .payloadTooLarge)
    }

    private func reason(_ text: String) -> Reason? {
        do {
            _ = try PushPayload(text, atMost: 4_096)
            return nil
        } catch {
            return error.reason
        }
    }

    @Test("Whatever bytes come, they are a payload or refused, and never a crash")
    func fuzz() {
        var generator = SeededGenerator()
        let hint: Comment = "SEED=\(generator.seed)"
        let seed = Array(
            #"{"aps":{"alert":{"title":"\u00e9","loc-args":["a"]},"badge":1e9,"sound":{"a":1}}}"#
                .utf8
        )
        for _ in 0..<5_000 {
            var bytes = seed
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let place = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0...2, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1:
                    let other = Int.random(in: bytes.indices, using: &generator)
                    bytes.insert(bytes[other], at: place)
                default: if bytes.count > 2 { bytes.remove(at: place) }
                }
            }
            let text = String(decoding: bytes, as: UTF8.self)
            if let payload = try? PushPayload(text, atMost: 4_096) {
                #expect((try? payload.content.validate()) != nil, hint)
            }
        }
    }
}
