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
        "attachments":[{"attachmentId":"x"},{"attachmentId":"y"}],"summaryArgumentCount":0,\
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
        #"{"identifier":"a","content":{},"trigger":{"recurrence":{"rule":"FREQ=DAILY"}}}"#,
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

    /// Events of deliveries with each field that there is.
    private static func events() throws -> [Event] {
        var request = try NotificationRequest.titled("a", in: .seconds(60))
        request.trace = TraceContext(
            parent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            state: "a=1"
        )
        return [nil, WallInstant.newYear].map { heldUntil in
            var presentation = Presentation([.list])
            (presentation.isQuiet, presentation.hasTimedOut) = (true, true)
            (presentation.silencingFocus, presentation.heldUntil) = ("Sleep", heldUntil)
            let delivered = Event.Delivered(
                notification: DeliveredNotification(request: request, date: .newYear, delivery: 7),
                presentation: presentation,
                lateByNanoseconds: 1,
                collapsedCount: 2,
                replacedDelivery: 0,
                snoozedDelivery: 4,
                extensionOutcome: .modified
            )
            return Event(number: 3, date: .newYear, kind: .delivered(delivered))
        }
    }

    @Test("Each field of a delivery is written, and no other")
    func deliveries() throws {
        let messages = try Self.events().map { Belfry_V1_Event($0, of: .init()) }
        let (delivered, held) = (messages[0].delivered, messages[1].held)
        let named: [(any Message, String)] = [
            (delivered, "DeliveredEvent"), (held, "HeldEvent"),
            (delivered.notification, "Notification"), (delivered.presentation, "Presentation"),
        ]
        for (message, name) in named {
            let fields = try #require(Descriptors.message(name)).field.map(\.jsonName)
            let json = try message.jsonString()
            for field in fields { #expect(json.contains("\"\(field)\":"), "\(name).\(field)") }
            #expect(message.unknownFields.data.isEmpty, "\(name)")
        }
        #expect(messages.allSatisfy { $0.number == 3 && $0.recordedAt.seconds == 1_767_225_600 })
        #expect(held.notification == delivered.notification)
        #expect((held.snoozedDelivery, held.replacedDelivery, held.collapsedCount) == (4, 0, 2))
        #expect((delivered.snoozedDelivery, delivered.collapsedCount) == (4, 2))
        #expect(held.until.seconds == 1_767_225_600)
    }
}
