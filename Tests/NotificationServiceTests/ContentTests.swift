internal import NotificationCore
internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

@testable internal import NotificationService

@Suite("Content between the wire and the core (§3.1)")
struct ContentTests {
    /// One field on both sides.
    struct Field: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let json: String
        let core: @Sendable (NotificationContent) -> Bool

        init(_ json: String, _ core: @escaping @Sendable (NotificationContent) -> Bool) {
            testDescription = json
            self.json = json
            self.core = core
        }
    }

    static let fields = [
        Field(#""title":"a""#) { $0.title == "a" },
        Field(#""subtitle":"a""#) { $0.subtitle == "a" },
        Field(#""body":"a\u0000\n\u202e""#) { $0.body == "a\u{0}\n\u{202E}" },
        Field(#""badge":0"#) { $0.badge == 0 },
        Field(#""badge":2147483647"#) { $0.badge == .max },
        Field(#""badgeMode":0"#) { $0.badgeMode == .set },
        Field(#""badgeMode":1"#) { $0.badgeMode == .increment },
        Field(#""sound":{}"#) { $0.sound == Sound() },
        Field(#""sound":{"kind":1}"#) { $0.sound == Sound(kind: .ringtone) },
        Field(#""sound":{"name":"a"}"#) { $0.sound == Sound(name: "a") },
        Field(#""sound":{"critical":true}"#) { $0.sound == Sound(isCritical: true) },
        Field(#""sound":{"critical":true,"volume":0}"#) {
            $0.sound == Sound(isCritical: true, volume: 0)
        },
        Field(#""sound":{"critical":true,"volume":0.25}"#) {
            $0.sound == Sound(isCritical: true, volume: 0.25)
        },
        Field(#""categoryIdentifier":"a""#) { $0.categoryIdentifier == "a" },
        Field(#""threadIdentifier":"a""#) { $0.threadIdentifier == "a" },
        Field(#""userInfoJson":" {\"a\":1} ""#) { $0.userInfoJSON == " {\"a\":1} " },
        Field(#""launchImageName":"a""#) { $0.launchImageName == "a" },
        Field(#""summaryArgument":"a""#) { $0.summaryArgument == "a" },
        Field(#""summaryArgumentCount":4294967295"#) { $0.summaryArgumentCount == .max },
        Field(#""targetContentIdentifier":"a""#) { $0.targetContentIdentifier == "a" },
        Field(#""interruptionLevel":0"#) { $0.interruptionLevel == .passive },
        Field(#""interruptionLevel":1"#) { $0.interruptionLevel == .active },
        Field(#""interruptionLevel":2"#) { $0.interruptionLevel == .timeSensitive },
        Field(#""interruptionLevel":3"#) { $0.interruptionLevel == .critical },
        Field(#""relevanceScore":0.1"#) { $0.relevanceScore == 0.1 },
        Field(#""filterCriteria":"a""#) { $0.filterCriteria == "a" },
        Field(#""foregroundPresentation":{}"#) { $0.foregroundPresentation == [] },
        Field(#""attachments":[{"identifier":"a","attachmentId":"b"}]"#) {
            $0.attachments == [NotificationAttachment(identifier: "a", file: "b")]
        },
        Field(
            #""attachments":[{"identifier":"a","attachmentId":"b","thumbnailHidden":true,"#
                + #""thumbnailClippingRect":{"x":0.5,"width":0.5,"height":1},"#
                + #""thumbnailOffset":"1.5s"}]"#
        ) { content in
            let rect = UnitRect(x: 0.5, y: 0, width: 0.5, height: 1)
            return content.attachments.first?.isThumbnailHidden == true
                && content.attachments.first?.clippingRect == rect
                && content.attachments.first?.thumbnailTime
                    == .offset(nanoseconds: 1_500_000_000)
        },
        Field(#""attachments":[{"identifier":"a","attachmentId":"b","thumbnailFrame":0}]"#) {
            $0.attachments.first?.thumbnailTime == .frame(0)
        },
        Field(#""communication":{"kind":2,"sender":"a"}"#) {
            $0.communication == Communication(kind: .call, sender: "a")
        },
        Field(
            #""communication":{"kind":1,"sender":"a","recipients":["b","c"],"#
                + #""conversationId":"d","groupName":"e","avatarAttachmentId":"f"}"#
        ) {
            $0.communication
                == Communication(
                    kind: .message,
                    sender: "a",
                    recipients: ["b", "c"],
                    conversationIdentifier: "d",
                    groupName: "e",
                    avatarAttachment: "f"
                )
        },
        Field(#""localizedTitle":{"key":"a"}"#) { $0.localizedTitle == LocalizedText(key: "a") },
        Field(#""localizedSubtitle":{"key":"a","args":["b","","%@"]}"#) {
            $0.localizedSubtitle == LocalizedText(key: "a", arguments: ["b", "", "%@"])
        },
        Field(#""localizedBody":{"key":"a","args":["b"]}"#) {
            $0.localizedBody == LocalizedText(key: "a", arguments: ["b"])
        },
        Field(#""actions":[{"identifier":"a"},{"identifier":"b","textInput":{}}]"#) {
            $0.actions == [
                NotificationAction(identifier: "a", title: ""),
                NotificationAction(identifier: "b", title: "", textInput: ActionTextInput()),
            ]
        },
        Field(#""progress":0"#) { $0.progress == 0 },
        Field(#""progress":0.25"#) { $0.progress == 0.25 },
        Field(#""updatesQuietly":true"#) { $0.updatesQuietly },
    ]

    @Test(
        "Each field comes in, and goes out as it came",
        arguments: fields
    )
    func field(field: Field) throws {
        let wire = try Belfry_V1_NotificationContent(jsonString: "{\(field.json)}")
        let core = try NotificationContent(wire)
        #expect(field.core(core))
        #expect(Belfry_V1_NotificationContent(writing: core.write) == wire)
    }

    @Test("The rows have every field of a content")
    func complete() throws {
        let message = try #require(Descriptors.message("NotificationContent"))
        let names = Set(message.field.map(\.jsonName))
        #expect(names.count == 25)
        for name in names {
            #expect(
                Self.fields.contains { $0.json.hasPrefix("\"\(name)\":") },
                "no row for \(name)"
            )
        }
    }

    @Test("What is absent has its default")
    func defaults() throws {
        let core = try NotificationContent(Belfry_V1_NotificationContent())
        #expect(core == NotificationContent())
        let wire = Belfry_V1_NotificationContent(writing: core.write)
        #expect(!wire.hasBadge && !wire.hasSound && !wire.hasForegroundPresentation)
    }

    @Test(
        "Each set of options comes in by its bits, and goes out in their order",
        arguments: 0..<32
    )
    func options(set: UInt32) throws {
        let all: [Belfry_V1_PresentationOption] = [.badge, .sound, .alert, .list, .banner]
        let options = all.enumerated().filter { set & 1 << $0.offset != 0 }.map(\.element)
        var wire = Belfry_V1_NotificationContent()
        wire.foregroundPresentation.options = options.reversed() + options
        let core = try NotificationContent(wire)
        #expect(core.foregroundPresentation?.rawValue == set)
        let written = Belfry_V1_NotificationContent(writing: core.write)
        #expect(written.foregroundPresentation.options == options)
    }

    @Test("Each authorization option has Apple's bit")
    func authorizationOptions() throws {
        let options = Belfry_V1_AuthorizationOption.allCases.filter { $0 != .unspecified }
        #expect(options.map(\.rawValue) == [1, 2, 4, 8, 16, 32, 64, 128, 256])
        for option in options {
            let core: AuthorizationOptions = try optionSet([option], "options")
            #expect(core.rawValue == UInt32(option.rawValue))
        }
    }

    @Test("A request keeps identifier, content and trigger", arguments: [false, true])
    func request(repeats: Bool) throws {
        var wire = Belfry_V1_NotificationRequest.titled("é", in: .nanoseconds(60_000_000_001))
        wire.trigger.repeats = repeats
        wire.content.interruptionLevel = .active
        #expect(Belfry_V1_NotificationRequest(try NotificationRequest(wire)) == wire)
        wire.clearTrigger()
        #expect(Belfry_V1_NotificationRequest(try NotificationRequest(wire)) == wire)
    }

    @Test("A replacement key that says the same as the identifier is taken")
    func replacementKey() throws {
        let wire = Belfry_V1_NotificationRequest.titled("a") { $0.replacementKey = "a" }
        #expect(try NotificationRequest(wire).identifier == "a")
    }

    @Test("Without an identifier a request has a random UUID of version 4")
    func identifier() throws {
        let made = try (0..<100).map { _ in
            try NotificationRequest(
                Belfry_V1_NotificationRequest.titled("") { $0.content.title = "Title" }
            ).identifier
        }
        #expect(Set(made).count == 100)
        let pattern = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/
        for identifier in made { #expect(identifier.wholeMatch(of: pattern) != nil) }
    }
}
