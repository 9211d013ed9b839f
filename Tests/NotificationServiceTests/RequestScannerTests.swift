internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import NotificationService

@Suite("The scanner gives the requests that the full decoder gives (§6.2)")
struct RequestScannerTests {
    private static func add(_ json: String) throws -> [UInt8] {
        let message = try Belfry_V1_AddRequest.with { add in
            add.center.appID = "org.example.scanner"
            add.request = try .init(jsonString: json)
        }
        return try message.serializedBytes()
    }

    /// Requests in JSON that the scanner reads.
    private static let usual = [
        #"{"identifier":"a","content":{"title":"Title"}}"#,
        #"{"content":{"title":"The server makes the identifier"}}"#,
        """
        {"identifier":"a long identifier, é","content":{"title":"Title","subtitle":"漢","body":"😀",\
        "categoryIdentifier":"c","threadIdentifier":"t","userInfoJson":"{\\"a\\":[1]}",\
        "launchImageName":"l","summaryArgument":"s","targetContentIdentifier":"w",\
        "filterCriteria":"f"}}
        """,
        #"{"identifier":"a","content":{"badge":0}}"#,
        #"{"identifier":"a","content":{"badge":2147483647,"badgeMode":"BADGE_MODE_INCREMENT"}}"#,
        #"{"identifier":"a","content":{"sound":{}}}"#,
        """
        {"identifier":"a","content":{"sound":{"kind":"SOUND_KIND_RINGTONE","name":"n.caf",\
        "critical":true,"volume":0.5}}}
        """,
        #"{"identifier":"a","content":{"body":"b","summaryArgumentCount":4294967295}}"#,
        """
        {"identifier":"a","content":{"body":"b","relevanceScore":1,\
        "interruptionLevel":"INTERRUPTION_LEVEL_PASSIVE"}}
        """,
        #"{"identifier":"a","content":{"body":"b","foregroundPresentation":{}}}"#,
        """
        {"identifier":"a","content":{"body":"b","foregroundPresentation":{"options":\
        ["PRESENTATION_OPTION_BANNER","PRESENTATION_OPTION_LIST","PRESENTATION_OPTION_LIST"]}}}
        """,
        #"{"identifier":"a","content":{"body":"b","progress":0,"updatesQuietly":true}}"#,
        #"{"identifier":"a","content":{"body":"b"},"replacementKey":"r"}"#,
        """
        {"identifier":"a","content":{"body":"b"},"expiresAfter":"0.000000001s",\
        "trigger":{"timeInterval":{"interval":"1.5s"}}}
        """,
        """
        {"identifier":"a","content":{"body":"b"},\
        "trigger":{"repeats":true,"timeInterval":{"interval":"60s"}}}
        """,
        """
        {"identifier":"a","content":{"body":"b"},"trigger":{"at":"2030-01-01T00:00:00.25Z"}}
        """,
        #"{"identifier":"a","content":{"body":"b"},"trigger":{"at":"1969-12-31T23:59:59Z"}}"#,
    ]

    @Test("A usual request is scanned, and is the decoder's", arguments: usual)
    func known(json: String) throws {
        let bytes = try Self.add(json)
        let scanned = try #require(ScannedAdd(bytes, atMost: 1))
        #expect(try DecodedAdd(bytes, isBatch: false)?.isSame(as: scanned) == true)
    }

    @Test(
        "A request with what is rare is left to the decoder, which takes it",
        arguments: [
            #"{"content":{"body":"b","attachments":[{"attachmentId":"x"}]}}"#,
            """
            {"content":{"body":"b",\
            "communication":{"kind":"COMMUNICATION_KIND_MESSAGE","sender":"s"}}}
            """,
            #"{"content":{"localizedTitle":{"key":"k"}}}"#,
            #"{"content":{"localizedSubtitle":{"key":"k"}}}"#,
            #"{"content":{"localizedBody":{"key":"k"}}}"#,
            #"{"content":{"body":"b","actions":[{"identifier":"i","title":"t"}]}}"#,
            """
            {"content":{"body":"b"},"trigger":{"calendar":{"dateComponents":{"hour":8}}}}
            """,
            """
            {"content":{"body":"b"},"trigger":{"repeats":true,"limits":{"maxOccurrences":3},\
            "timeInterval":{"interval":"60s"}}}
            """,
        ]
    )
    func rare(json: String) throws {
        let bytes = try Self.add(json)
        #expect(ScannedAdd(bytes, atMost: 1) == nil)
        #expect(DecodedAdd(bytes, isBatch: false) != nil)
    }

    @Test(
        "A request that is refused is left to the decoder",
        arguments: [
            #"{}"#, #"{"identifier":"a","content":{}}"#,
            #"{"identifier":"\#(text(257))","content":{"body":"b"}}"#,
            #"{"content":{"body":"b"},"replacementKey":"\#(text(257))"}"#,
            #"{"content":{"body":"\#(text(65_537))"}}"#,
            #"{"content":{"body":"b","badge":-1}}"#,
            #"{"content":{"body":"b","badgeMode":2}}"#,
            #"{"content":{"body":"b","summaryArgumentCount":0}}"#,
            #"{"content":{"body":"b","interruptionLevel":4}}"#,
            #"{"content":{"body":"b","relevanceScore":1.5}}"#,
            #"{"content":{"body":"b","relevanceScore":"NaN"}}"#,
            #"{"content":{"body":"b","progress":-1}}"#,
            #"{"content":{"body":"b","userInfoJson":"[]"}}"#,
            #"{"content":{"body":"b","foregroundPresentation":{"options":[0]}}}"#,
            #"{"content":{"body":"b","foregroundPresentation":{"options":[3]}}}"#,
            #"{"content":{"sound":{"kind":2}}}"#, #"{"content":{"sound":{"volume":0.5}}}"#,
            #"{"content":{"sound":{"name":"\u0007"}}}"#,
            #"{"content":{"body":"b"},"expiresAfter":"1s"}"#,
            #"{"content":{"body":"b"},"trigger":{}}"#,
            #"{"content":{"body":"b"},"trigger":{"push":{}}}"#,
            #"{"content":{"body":"b"},"trigger":{"timeInterval":{}}}"#,
            #"{"content":{"body":"b"},"trigger":{"timeInterval":{"interval":"0s"}}}"#,
            """
            {"content":{"body":"b"},"trigger":{"repeats":true,"timeInterval":{"interval":"59s"}}}
            """,
            """
            {"content":{"body":"b"},"trigger":{"repeats":true,"at":"2030-01-01T00:00:00Z"}}
            """,
            #"{"content":{"body":"b"},"trigger":{"at":"9999-01-01T00:00:00Z"}}"#,
        ]
    )
    func refused(json: String) throws {
        let bytes = try Self.add(json)
        #expect(ScannedAdd(bytes, atMost: 1) == nil)
        #expect(DecodedAdd(bytes, isBatch: false) == nil)
    }

    @Test("A call without a center, a request or an end is left to the decoder")
    func call() throws {
        var message = try Belfry_V1_AddRequest(serializedBytes: Self.add(Self.usual[0]))
        let whole: [UInt8] = try message.serializedBytes()
        #expect(ScannedAdd(whole, atMost: 1) != nil)
        for count in whole.indices { #expect(ScannedAdd(Array(whole[..<count]), atMost: 1) == nil) }
        message.center.appID = "not an app"
        #expect(ScannedAdd(try message.serializedBytes(), atMost: 1) == nil)
        message.clearCenter()
        #expect(ScannedAdd(try message.serializedBytes(), atMost: 1) == nil)
    }

    @Test(
        "A batch is scanned up to its limit, and left to the decoder with an element that is rare"
    )
    func batch() throws {
        var message = Belfry_V1_AddBatchRequest()
        message.center.appID = "org.example.scanner"
        message.idempotencyKey = "key"
        message.requests = try Self.usual.map { try .init(jsonString: $0) }
        let bytes: [UInt8] = try message.serializedBytes()
        let scanned = try #require(ScannedAdd(bytes, atMost: message.requests.count))
        #expect(scanned.idempotencyKey == "key")
        #expect(try DecodedAdd(bytes, isBatch: true)?.isSame(as: scanned) == true)
        #expect(ScannedAdd(bytes, atMost: message.requests.count - 1) == nil)
        message.requests[2].content.localizedBody.key = "k"
        #expect(ScannedAdd(try message.serializedBytes(), atMost: 1_000) == nil)
    }

    @Test("Of random calls with random edits it gives what the decoder gives, or nothing")
    func random() throws {
        var calls = RandomCalls()
        let seed = calls.seed
        // How many edited calls were scanned, and how many refused by the decoder.
        var (scannedCount, refusedCount) = (0, 0)
        for _ in 0..<8_000 {
            let isBatch = calls.isChosen(in: 4)
            var fields = calls.usual(requestCount: isBatch ? 2 : 1)
            let usual = WireField.bytes(of: fields)
            #expect(ScannedAdd(usual, atMost: isBatch ? 2 : 1) != nil, "\(usual) SEED=\(seed)")
            for _ in 0..<(calls.isChosen(in: 3) ? 2 : 1) { calls.edit(&fields) }
            var bytes = WireField.bytes(of: fields)
            if calls.isChosen(in: 4) { calls.edit(&bytes) }
            let decoded = DecodedAdd(bytes, isBatch: isBatch)
            if decoded == nil { refusedCount += 1 }
            guard let scanned = ScannedAdd(bytes, atMost: isBatch ? RequestLimits.items : 1) else {
                continue
            }
            scannedCount += 1
            let isSame = try decoded?.isSame(as: scanned) ?? false
            #expect(isSame, "isBatch: \(isBatch) \(bytes) SEED=\(seed)")
        }
        #expect(scannedCount > 700, "SEED=\(seed)")
        #expect(refusedCount > 3_000, "SEED=\(seed)")
    }

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }
}
