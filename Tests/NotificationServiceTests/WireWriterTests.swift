internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@testable internal import NotificationService

@Suite("What is written by hand is what SwiftProtobuf writes")
struct WireWriterTests {
    private static let requests = [
        #"{"identifier":"a","content":{}}"#,
        """
        {"identifier":"é","content":{"title":"漢","badge":-1,"badgeMode":"BADGE_MODE_INCREMENT",\
        "sound":{"kind":"SOUND_KIND_RINGTONE","name":"n","critical":true,"volume":0},\
        "attachments":[{"identifier":"i","attachmentId":"x"}],"summaryArgumentCount":0,\
        "interruptionLevel":"INTERRUPTION_LEVEL_PASSIVE","relevanceScore":-0.0,\
        "foregroundPresentation":{"options":["PRESENTATION_OPTION_BADGE",\
        "PRESENTATION_OPTION_BANNER"]},"progress":1,"updatesQuietly":true},\
        "trigger":{"at":"1969-12-31T23:59:59.25Z"},"replacementKey":"k","expiresAfter":"1.5s"}
        """,
        """
        {"identifier":"a","content":{"sound":{},"foregroundPresentation":{},\
        "localizedBody":{"key":"k"},"actions":[{"identifier":"i","title":"t"}]},\
        "trigger":{"repeats":true,"limits":{"maxOccurrences":3},"timeInterval":{"interval":"60s"}}}
        """,
        """
        {"identifier":"a","content":{},"trigger":{"repeats":true,"limits":{"maxOccurrences":200},\
        "calendar":{"dateComponents":{"hour":8}}}}
        """,
        """
        {"identifier":"a","content":{},"trigger":{"repeats":true,\
        "recurrence":{"cron":"0 9 * * *"}}}
        """,
        """
        {"identifier":"a","content":{},"trigger":{"repeats":true,"limits":{"maxOccurrences":9},\
        "anchoredInterval":{"interval":"60s","anchor":"2030-01-01T00:00:00Z"}}}
        """,
        """
        {"identifier":"a","content":{},"trigger":{"repeats":true,"location":{"region":\
        {"identifier":"r","notifyOnEntry":true,"notifyOnExit":false,\
        "circular":{"latitude":1,"longitude":2,"radiusMeters":100}}}}}
        """,
    ]

    @Test("Each kind of field", arguments: requests)
    func fields(json: String) throws {
        let message = try Belfry_V1_NotificationRequest(jsonString: json)
        var request = NotificationRequest(
            identifier: message.identifier,
            content: try NotificationContent(message.content),
            trigger: message.hasTrigger ? try Trigger(message.trigger) : nil
        )
        request.replacementKey = message.replacementKey
        if message.hasExpiresAfter { request.expiresAfterNanoseconds = 1_500_000_000 }
        var writer = WireWriter()
        request.write(to: &writer)
        #expect(writer.bytes == (try message.serializedBytes()))
    }

    @Test(
        "The length of a message takes as many bytes as it needs",
        arguments: [0, 1, 125, 126, 127, 128, 129, 16_379, 16_380, 16_381, 16_382, 2_097_150]
    )
    func lengths(count: Int) throws {
        let message = Belfry_V1_SubscriptionFrame.with {
            $0.event.recordedAt.seconds = 1
            $0.event.evicted.identifier = String(repeating: "x", count: count)
        }
        var writer = WireWriter()
        writer.message(3) { event in
            event.message(2) { $0.put(1, 1) }
            event.message(9) { $0.put(1, message.event.evicted.identifier) }
        }
        #expect(writer.bytes == (try message.serializedBytes()))
    }

    /// A delivery with each field that an event of it may have.
    private static func event(heldUntil: WallInstant?) throws -> Event {
        var request = try NotificationRequest.titled("a", in: .seconds(60))
        request.trace = TraceContext(
            parent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            state: "a=1"
        )
        var presentation = Presentation([.list, PresentationOptions(rawValue: 1 << 31)])
        (presentation.isQuiet, presentation.hasTimedOut) = (true, true)
        (presentation.silencingFocus, presentation.heldUntil) = ("Sleep", heldUntil)
        let delivered = Event.Delivered(
            notification: DeliveredNotification(request: request, date: .newYear, delivery: 7),
            presentation: presentation,
            lateByNanoseconds: 1,
            collapsedCount: 2,
            replacedDelivery: 0,
            snoozedDelivery: 4,
            extensionOutcome: .bestAttempt
        )
        return Event(number: 3, date: .newYear, kind: .delivered(delivered))
    }

    private static let notification = """
        {"request":{"identifier":"a","content":{"title":"a"},\
        "trigger":{"timeInterval":{"interval":"60s"}}},"date":"2026-01-01T00:00:00Z",\
        "delivery":"7","trace":{"traceparent":\
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","tracestate":"a=1"}}
        """

    @Test("A delivery has each field, and an option that there is not is left out")
    func delivered() throws {
        let json = """
            {"number":"3","recordedAt":"2026-01-01T00:00:00Z","delivered":{\
            "notification":\(Self.notification),"presentation":{"options":\
            ["PRESENTATION_OPTION_LIST"],"quiet":true,"timedOut":true,"silencedByFocus":"Sleep"},\
            "lateBy":"0.000000001s","replacedDelivery":"0","collapsedCount":2,\
            "extensionOutcome":"EXTENSION_OUTCOME_BEST_ATTEMPT","snoozedDelivery":"4"}}
            """
        try check(try Self.event(heldUntil: nil), json, "DeliveredEvent", "Presentation")
    }

    @Test("A delivery that waits for the summary has each field")
    func held() throws {
        let json = """
            {"number":"3","recordedAt":"2026-01-01T00:00:00Z","held":{\
            "notification":\(Self.notification),"until":"2026-01-01T00:00:00Z",\
            "lateBy":"0.000000001s","replacedDelivery":"0","collapsedCount":2,\
            "snoozedDelivery":"4"}}
            """
        try check(try Self.event(heldUntil: .newYear), json, "HeldEvent", "Notification")
    }

    /// Compares an event with a message in JSON, which names each field of some messages.
    private func check(_ event: Event, _ json: String, _ names: String...) throws {
        #expect(Belfry_V1_Event(event, of: .init()) == (try Belfry_V1_Event(jsonString: json)))
        for name in names {
            for field in try #require(Descriptors.message(name)).field {
                #expect(json.contains("\"\(field.jsonName)\":"), "\(name).\(field.name)")
            }
        }
    }

    @Test("The two flags of a presentation are told apart", arguments: [true, false])
    func flags(isQuiet: Bool) throws {
        guard case .delivered(var delivered) = try Self.event(heldUntil: nil).kind else { return }
        delivered.presentation.isQuiet = isQuiet
        delivered.presentation.hasTimedOut = !isQuiet
        let event = Event(number: 3, date: .newYear, kind: .delivered(delivered))
        let told = Belfry_V1_Event(event, of: .init()).delivered.presentation
        #expect((told.quiet, told.timedOut) == (isQuiet, !isQuiet))
    }
}
