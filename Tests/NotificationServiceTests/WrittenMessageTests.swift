internal import Foundation
internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@testable internal import NotificationService
@testable internal import NotificationStore

/// A message as the service writes it, and as JSON has it.
struct WrittenMessage: Sendable, CustomTestStringConvertible {
    let name: String
    let type: any Message.Type
    let json: String
    let bytes: [UInt8]

    var testDescription: String { name }

    init<Wire: Message>(_: Wire.Type, _ json: String, _ write: (inout WireWriter) -> Void) {
        name = String(Wire.protoMessageName.split(separator: ".").last ?? "")
        type = Wire.self
        self.json = json
        bytes = WireWriter(write).bytes
    }
}

@Suite("Messages that are written by hand have each field by its number")
struct WrittenMessageTests {
    private static let traceJSON = """
        {"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",\
        "tracestate":"a=1"}
        """
    private static let contentJSON = """
        {"title":"t","subtitle":"s","body":"b","badge":-3,"badgeMode":"BADGE_MODE_INCREMENT",\
        "sound":{"kind":"SOUND_KIND_RINGTONE","name":"n","critical":true,"volume":0.5},\
        "attachments":[{"identifier":"i","attachmentId":"x"}],"categoryIdentifier":"c",\
        "threadIdentifier":"th","userInfoJson":"{}","launchImageName":"l","summaryArgument":"sa",\
        "summaryArgumentCount":2,"targetContentIdentifier":"tc",\
        "interruptionLevel":"INTERRUPTION_LEVEL_TIME_SENSITIVE","relevanceScore":0.25,\
        "filterCriteria":"f","foregroundPresentation":{"options":["PRESENTATION_OPTION_LIST"]},\
        "communication":{"kind":"COMMUNICATION_KIND_CALL","sender":"a"},\
        "localizedTitle":{"key":"1"},"localizedSubtitle":{"key":"2"},"localizedBody":{"key":"3"},\
        "actions":[{"identifier":"x","title":"y"}],"progress":0.75,"updatesQuietly":true}
        """
    private static let requestJSON = """
        {"identifier":"a","content":\(contentJSON),"trigger":\(triggerJSON),\
        "replacementKey":"k","expiresAfter":"2s"}
        """
    private static let triggerJSON = """
        {"repeats":true,"limits":{"maxOccurrences":3},"timeInterval":{"interval":"60s"}}
        """
    private static let notificationJSON = """
        {"request":\(requestJSON),"date":"2026-01-01T00:00:00Z","delivery":"7",\
        "trace":\(traceJSON)}
        """
    private static let presentationJSON = """
        {"options":["PRESENTATION_OPTION_LIST"],"quiet":true,"timedOut":true,\
        "silencedByFocus":"Sleep"}
        """

    private static func content() throws -> NotificationContent {
        try NotificationContent(.init(jsonString: contentJSON))
    }

    private static func request() throws -> NotificationRequest {
        var request = NotificationRequest(
            identifier: "a",
            content: try content(),
            trigger: try Trigger(.init(jsonString: triggerJSON))
        )
        request.replacementKey = "k"
        request.expiresAfterNanoseconds = 2_000_000_000
        request.trace = TraceContext(
            parent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            state: "a=1"
        )
        return request
    }

    private static func notification() throws -> DeliveredNotification {
        DeliveredNotification(request: try request(), date: .newYear, delivery: 7)
    }

    private static func presentation(heldUntil: WallInstant?) -> Presentation {
        var presentation = Presentation([.list])
        (presentation.isQuiet, presentation.hasTimedOut) = (true, true)
        (presentation.silencingFocus, presentation.heldUntil) = ("Sleep", heldUntil)
        return presentation
    }

    private static func event(heldUntil: WallInstant?) throws -> Event {
        let delivered = Event.Delivered(
            notification: try notification(),
            presentation: presentation(heldUntil: heldUntil),
            lateByNanoseconds: 1,
            collapsedCount: 2,
            replacedDelivery: 0,
            snoozedDelivery: 4,
            extensionOutcome: .bestAttempt
        )
        return Event(number: 3, date: .newYear, kind: .delivered(delivered))
    }

    private static func requestRows() throws -> [WrittenMessage] {
        let request = try request()
        let (content, notification) = (try content(), try notification())
        let trigger = try Trigger(.init(jsonString: triggerJSON))
        return [
            .init(Belfry_V1_NotificationContent.self, contentJSON, content.write),
            .init(Belfry_V1_NotificationRequest.self, requestJSON, request.write),
            .init(Belfry_V1_Trigger.self, triggerJSON, trigger.write),
            .init(Belfry_V1_Notification.self, notificationJSON, notification.write),
            .init(
                Belfry_V1_Presentation.self,
                presentationJSON,
                presentation(heldUntil: nil).write
            ),
        ]
    }

    private static func eventRows() throws -> [WrittenMessage] {
        let (delivered, held) = (try event(heldUntil: nil), try event(heldUntil: .newYear))
        return [
            .init(
                Belfry_V1_Event.self,
                """
                {"number":"3","recordedAt":"2026-01-01T00:00:00Z","delivered":{\
                "notification":\(notificationJSON),"presentation":\(presentationJSON),\
                "lateBy":"0.000000001s","replacedDelivery":"0","collapsedCount":2,\
                "extensionOutcome":"EXTENSION_OUTCOME_BEST_ATTEMPT","snoozedDelivery":"4"}}
                """
            ) { delivered.write(to: &$0, of: .init()) },
            .init(
                Belfry_V1_Event.self,
                """
                {"number":"3","recordedAt":"2026-01-01T00:00:00Z","held":{\
                "notification":\(notificationJSON),"until":"2026-01-01T00:00:00Z",\
                "lateBy":"0.000000001s","replacedDelivery":"0","collapsedCount":2,\
                "snoozedDelivery":"4"}}
                """
            ) { held.write(to: &$0, of: .init()) },
        ]
    }

    private static func listRows() throws -> [WrittenMessage] {
        let request = try request()
        let pending = PendingRequest(request: request, nextFire: .newYear, addedAt: .newYear)
        let trigger = try #require(request.trigger)
        let now = Now(elapsed: .init(nanoseconds: 0), wall: .newYear)
        let upcoming = UpcomingRequest(
            request: request,
            upcoming: UpcomingDates(
                of: trigger,
                from: .elapsed(.init(nanoseconds: 0)),
                base: .init(nanoseconds: 0),
                until: WallInstant.newYear.advanced(byNanoseconds: .nanosecondsPerSecond * 3_600),
                atMost: 1,
                now: now,
                in: .utc
            )
        )
        var center = CenterState(name: try CenterName(app: "org.example.a", device: ""))
        (center.lastEvent, center.pendingCount, center.badge) = (5, 6, -7)
        let snapshot = SnapshotPart(
            center: center,
            delivered: [try notification(), try notification()],
            isComplete: true
        )
        let settings = try Belfry_V1_NotificationSettings(center.settings).jsonString()
        return [
            .init(
                Belfry_V1_PendingRequest.self,
                """
                {"request":\(requestJSON),"nextTriggerDate":"2026-01-01T00:00:00Z",\
                "addedAt":"2026-01-01T00:00:00Z"}
                """,
                pending.write
            ),
            .init(
                Belfry_V1_UpcomingRequest.self,
                #"{"request":\#(requestJSON),"dates":["2026-01-01T00:00:00Z"],"hasMore":true}"#,
                upcoming.write
            ),
            .init(
                Belfry_V1_Snapshot.self,
                """
                {"asOfEvent":"5","delivered":[\(notificationJSON),\(notificationJSON)],\
                "pendingCount":"6","badge":-7,"settings":\(settings),"complete":true}
                """,
                snapshot.write
            ),
        ]
    }

    private static func addRows() -> [WrittenMessage] {
        var pending = AddReply(identifier: "a", state: .pending(nextFire: .newYear))
        (pending.evicted, pending.number, pending.asOfEvent) = (["", "b"], 8, 9)
        let delivered = AddReply(identifier: "a", state: .delivered(0))
        return [
            .init(
                Belfry_V1_AddResponse.self,
                """
                {"identifier":"a","state":"REQUEST_STATE_PENDING",\
                "nextTriggerDate":"2026-01-01T00:00:00Z","evictedIdentifiers":["","b"],\
                "requestNumber":"8","asOfEvent":"9"}
                """,
                pending.write
            ),
            .init(
                Belfry_V1_AddResponse.self,
                #"{"identifier":"a","state":"REQUEST_STATE_DELIVERED","delivery":"0"}"#,
                delivered.write
            ),
        ]
    }

    private static func batchRow() throws -> WrittenMessage {
        let refusal = Refusal.invalid("request.content.badge", "is negative")
        let error = try Belfry_V1_ItemError(refusal).jsonString()
        let reply = AddReply(identifier: "a", state: .gone)
        let batch = WireWriter(batch: [.success(reply), .failure(refusal)])
        return .init(
            Belfry_V1_AddBatchResponse.self,
            """
            {"results":[{"added":{"identifier":"a","state":"REQUEST_STATE_GONE"}},\
            {"error":\(error)}]}
            """
        ) { $0.put(fields: batch.bytes) }
    }

    /// A page of a list with an entry that another row has.
    private static func pageRow<Wire: Message>(
        _ type: Wire.Type,
        _ field: String,
        of entry: WrittenMessage
    ) throws -> WrittenMessage {
        let query = ListQuery(center: try CenterName(app: "org.example.a", device: ""))
        let tokens = PageTokens(rpc: "List", query, PageTokenKey())
        let page = Page(entries: [entry, entry], nextToken: [1], asOfEvent: 9)
        let list = page.written(tokens) { $1.put(fields: $0.bytes) }
        let json = """
            {"\(field)":[\(entry.json),\(entry.json)],"nextPageToken":"\(tokens.text([1]))",\
            "asOfEvent":"9"}
            """
        return WrittenMessage(type, json) { $0.put(fields: list.bytes) }
    }

    private static func pageRows() throws -> [WrittenMessage] {
        let (lists, requests) = (try listRows(), try requestRows())
        func entry(_ name: String) throws -> WrittenMessage {
            try #require((lists + requests).first { $0.name == name })
        }
        return [
            try pageRow(
                Belfry_V1_ListPendingResponse.self,
                "requests",
                of: entry("PendingRequest")
            ),
            try pageRow(
                Belfry_V1_ListUpcomingResponse.self,
                "requests",
                of: entry("UpcomingRequest")
            ),
            try pageRow(
                Belfry_V1_ListDeliveredResponse.self,
                "notifications",
                of: entry("Notification")
            ),
        ]
    }

    private static let rows = Result {
        try requestRows() + eventRows() + listRows() + addRows() + pageRows() + [batchRow()]
    }

    @Test("What is written is what JSON says")
    func fields() throws {
        for row in try Self.rows.get() {
            func check<Wire: Message>(_: Wire.Type) throws {
                let read = try Wire(serializedBytes: row.bytes)
                let expected = try Wire(jsonString: row.json)
                #expect(read.isEqualTo(message: expected), "\(row.name)")
            }
            try check(row.type)
        }
    }

    @Test("The rows have each message that a source says it writes, and each of its fields")
    func complete() throws {
        let rows = Dictionary(grouping: try Self.rows.get(), by: \.name)
        #expect(Set(rows.keys) == (try Self.namesInSources()))
        for (name, rows) in rows {
            var keys: Set<String> = []
            for row in rows {
                let object = try JSONSerialization.jsonObject(with: Data(row.json.utf8))
                keys.formUnion(try #require(object as? [String: Any]).keys)
            }
            for field in try #require(Descriptors.message(name)).field
            where !field.hasOneofIndex || field.proto3Optional {
                #expect(keys.contains(field.jsonName), "\(name).\(field.name)")
            }
        }
    }

    /// The messages that sources of the service name where they write one's fields.
    private static func namesInSources() throws -> Set<String> {
        let root = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let sources = root.appending(path: "Sources/NotificationService")
        let files = try #require(FileManager.default.enumerator(atPath: sources.path))
        var names: Set<String> = []
        for case let file as String in files where file.hasSuffix(".swift") {
            let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
            let said = /(?:Writes|Begins with|The) (?:the )?fields of an? (.*)\./
            for match in text.matches(of: said) {
                for name in match.1.matches(of: /`(\w+)`/) { names.insert(String(name.1)) }
            }
        }
        return names
    }
}
