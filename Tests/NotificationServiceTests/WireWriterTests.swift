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

    @Test("The two flags of a presentation are told apart", arguments: [true, false])
    func flags(isQuiet: Bool) throws {
        var presentation = Presentation([.list])
        presentation.isQuiet = isQuiet
        presentation.hasTimedOut = !isQuiet
        let told = Belfry_V1_Presentation(writing: presentation.write)
        #expect((told.quiet, told.timedOut) == (isQuiet, !isQuiet))
    }

    @Test("An option that there is not is left out")
    func options() throws {
        let presentation = Presentation([.banner, PresentationOptions(rawValue: 1 << 31), .badge])
        let told = Belfry_V1_Presentation(writing: presentation.write)
        #expect(told.options == [.badge, .banner])
    }
}
