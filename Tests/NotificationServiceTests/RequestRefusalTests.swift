internal import BelfryGRPC
internal import NotificationClient
internal import NotificationProtocol
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@Suite("What Add and each request of AddBatch refuse (§6.2)", .sharedService)
struct RequestRefusalTests {
    /// A request in JSON that is refused; the fields are relative to it.
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let json: String
        let expected: Expected

        init(_ name: String, _ json: String, _ expected: Expected) {
            testDescription = name
            self.json = json
            self.expected = expected
        }

        /// A request with a title and one more field of its content.
        static func content(_ name: String, _ json: String, _ expected: Expected) -> Self {
            Self(name, #"{"identifier":"x","content":{"title":"Title",\#(json)}}"#, expected)
        }

        /// A request with a title and a trigger.
        static func trigger(_ name: String, _ json: String, _ expected: Expected) -> Self {
            Self(
                name,
                #"{"identifier":"x","content":{"title":"Title"},"trigger":\#(json)}"#,
                expected
            )
        }

        static func region(_ name: String, _ region: String, _ field: String) -> Self {
            .trigger(
                name,
                #"{"location":{"region":{"identifier":"r",\#(region)}}}"#,
                Expected(.invalidArgument, "REGION_INVALID", "trigger.location.region.\(field)")
            )
        }

        static func interval(_ name: String, _ interval: String, repeats: Bool = false) -> Self {
            .trigger(
                name,
                #"{"repeats":\#(repeats),"timeInterval":{\#(interval)}}"#,
                Expected(
                    .invalidArgument,
                    "TIME_INTERVAL_INVALID",
                    "trigger.time_interval.interval"
                )
            )
        }
    }

    private static func text(_ count: Int) -> String { String(repeating: "x", count: count) }

    private static func noKey(_ field: String) -> Expected {
        Expected(
            .invalidArgument,
            "LOCALIZATION_KEY_INVALID",
            "content.localized_\(field).key"
        )
    }

    /// A communication that cannot be used.
    private static func unusable(_ field: String) -> Expected {
        Expected(
            .invalidArgument,
            "CONTENT_PROVIDING_INVALID",
            "content.communication." + field,
            unCode: 1501
        )
    }

    private static let noContent = Expected(
        .invalidArgument,
        "NOTIFICATION_INVALID_NO_CONTENT",
        "content",
        unCode: 1401
    )
    private static let identifier = Expected(.invalidArgument, "IDENTIFIER_INVALID", "identifier")
    private static let tooLarge = Expected(.invalidArgument, "CONTENT_TOO_LARGE", "content")
    private static let badge = Expected(
        .invalidArgument,
        "BADGE_INPUT_INVALID",
        "content.badge",
        unCode: 1600
    )
    private static let score = Expected(
        .invalidArgument,
        "RELEVANCE_SCORE_INVALID",
        "content.relevance_score"
    )
    private static let volume = Expected(
        .invalidArgument,
        "SOUND_VOLUME_INVALID",
        "content.sound.volume"
    )
    private static let userInfo = Expected(
        .invalidArgument,
        "USER_INFO_INVALID",
        "content.user_info_json"
    )
    private static let options = "content.foreground_presentation.options"

    private static func kind(_ field: String) -> Expected {
        Expected(.invalidArgument, "TRIGGER_KIND_INVALID", field)
    }

    static let contents: [Case] = [
        Case("no content", #"{"identifier":"x"}"#, noContent),
        Case("nothing to perceive", #"{"content":{"userInfoJson":"{}"}}"#, noContent),
        Case(
            "a long identifier",
            #"{"identifier":"\#(text(257))","content":{"title":"Title"}}"#,
            identifier
        ),
        .content("large", #""body":"\#(text(65_536))""#, tooLarge),
        .content("badge below 0", #""badge":-1"#, badge),
        .content("the least badge", #""badge":-2147483648"#, badge),
        .content(
            "progress above 1",
            #""progress":1.5"#,
            Expected(.invalidArgument, "PROGRESS_INVALID", "content.progress")
        ),
        .content(
            "a button without an identifier",
            #""actions":[{"identifier":"a"},{"title":"b"}]"#,
            Expected(.invalidArgument, "ACTION_INVALID", "content.actions[1].identifier")
        ),
        .content(
            "a button's picture that is none",
            #""actions":[{"identifier":"a","icon":{}}]"#,
            Expected(.invalidArgument, "ACTION_INVALID", "content.actions[0].icon")
        ),
        .content("unknown badge mode", #""badgeMode":2"#, .invalid("content.badge_mode")),
        .content("badge mode below 0", #""badgeMode":-1"#, .invalid("content.badge_mode")),
        .content("badge mode of 256", #""badgeMode":256"#, .invalid("content.badge_mode")),
        .content("unknown sound kind", #""sound":{"kind":2}"#, .invalid("content.sound.kind")),
        .content(
            "a long sound name",
            #""sound":{"name":"\#(text(257))"}"#,
            .invalid("content.sound.name")
        ),
        .content("loud", #""sound":{"critical":true,"volume":1.5}"#, volume),
        .content("volume of no number", #""sound":{"critical":true,"volume":"NaN"}"#, volume),
        .content("volume of an ordinary sound", #""sound":{"volume":0.5}"#, volume),
        .content(
            "an attachment",
            #""attachments":[{"attachmentId":"a"}]"#,
            Expected(
                .notFound,
                "ATTACHMENT_NOT_IN_DATA_STORE",
                "content.attachments[0].attachment_id",
                unCode: 103
            )
        ),
        .content("user info of an array", #""userInfoJson":"[]""#, userInfo),
        .content("user info that does not end", #""userInfoJson":"{""#, userInfo),
        .content(
            "no items in the summary",
            #""summaryArgumentCount":0"#,
            Expected(
                .invalidArgument,
                "SUMMARY_ARGUMENT_COUNT_INVALID",
                "content.summary_argument_count"
            )
        ),
        .content(
            "unknown level",
            #""interruptionLevel":4"#,
            .invalid("content.interruption_level")
        ),
        .content("score above 1", #""relevanceScore":1.001"#, score),
        .content("score of no number", #""relevanceScore":"NaN""#, score),
        .content(
            "unknown option",
            #""foregroundPresentation":{"options":[1,32]}"#,
            .invalid("\(options)[1]")
        ),
        .content(
            "unspecified option",
            #""foregroundPresentation":{"options":[0]}"#,
            .invalid("\(options)[0]")
        ),
        .content(
            "two options in one number",
            #""foregroundPresentation":{"options":[24]}"#,
            .invalid("\(options)[0]")
        ),
        .content(
            "a person who does nothing",
            #""communication":{"sender":"Anna"}"#,
            unusable("kind")
        ),
        .content(
            "a person without a name",
            #""communication":{"kind":1}"#,
            unusable("sender")
        ),
        .content(
            "a person nobody has a picture of",
            #""communication":{"kind":1,"sender":"Anna","avatarAttachmentId":"a"}"#,
            Expected(
                .notFound,
                "ATTACHMENT_NOT_IN_DATA_STORE",
                "content.communication.avatar_attachment_id",
                unCode: 103
            )
        ),
        .content("a title without a key", #""localizedTitle":{}"#, noKey("title")),
        .content("a subtitle without a key", #""localizedSubtitle":{}"#, noKey("subtitle")),
        .content("a body without a key", #""localizedBody":{"args":["a"]}"#, noKey("body")),
        .content(
            "too many arguments",
            #""localizedBody":{"key":"k","args":\#(Array(repeating: "", count: 65))}"#,
            .invalid("content.localized_body.args")
        ),
        Case(
            "a long replacement key",
            #"{"replacementKey":"\#(text(257))","content":{"title":"Title"}}"#,
            Expected(.invalidArgument, "IDENTIFIER_INVALID", "replacement_key")
        ),
    ]

    private static let noDate = Expected(
        .invalidArgument,
        "NOTIFICATION_INVALID_NO_DATE",
        "trigger.calendar.date_components",
        unCode: 1400
    )

    static let triggers: [Case] = [
        .interval("no interval", ""),
        .interval("interval of 0", #""interval":"0s""#),
        .interval("interval below 0", #""interval":"-0.000000001s""#),
        .interval("60 s less 1 ns, repeating", #""interval":"59.999999999s""#, repeats: true),
        .interval("100 years and 1 ns", #""interval":"3155760000.000000001s""#),
        .interval("the longest interval", #""interval":"315576000000s""#),
        .trigger("no kind", "{}", kind("trigger.kind")),
        .trigger("no kind, repeating", #"{"repeats":true}"#, kind("trigger.kind")),
        .trigger("push", #"{"push":{}}"#, kind("trigger.push")),
        .trigger(
            "CAL-5: a date without a part",
            #"{"calendar":{"dateComponents":{"timeZone":"Europe/Rome"}}}"#,
            noDate
        ),
        .trigger(
            "CAL-9: a date that is past",
            #"{"calendar":{"dateComponents":{"year":2025,"month":12,"day":31}}}"#,
            noDate
        ),
        .trigger(
            "a date that never comes",
            #"{"repeats":true,"calendar":{"dateComponents":{"month":2,"day":30},"#
                + #""shortMonthPolicy":2}}"#,
            noDate
        ),
        .trigger(
            "V22: hour 24",
            #"{"calendar":{"dateComponents":{"hour":24}}}"#,
            Expected(
                .invalidArgument,
                "DATE_COMPONENTS_INVALID",
                "trigger.calendar.date_components.hour"
            )
        ),
        .trigger(
            "a zone that is not there",
            #"{"calendar":{"dateComponents":{"hour":8,"timeZone":"Europe/Atlantis"}}}"#,
            Expected(
                .invalidArgument,
                "TIME_ZONE_UNKNOWN",
                "trigger.calendar.date_components.time_zone"
            )
        ),
        .trigger(
            "a zone that leads out of the database",
            #"{"calendar":{"dateComponents":{"hour":8,"timeZone":"../zoneinfo/UTC"}}}"#,
            Expected(
                .invalidArgument,
                "TIME_ZONE_UNKNOWN",
                "trigger.calendar.date_components.time_zone"
            )
        ),
        .trigger(
            "another calendar",
            #"{"calendar":{"dateComponents":{"day":1,"calendar":"hebrew"}}}"#,
            Expected(
                .invalidArgument,
                "CALENDAR_UNSUPPORTED",
                "trigger.calendar.date_components.calendar"
            )
        ),
        .trigger(
            "no region",
            #"{"location":{}}"#,
            Expected(.invalidArgument, "REGION_INVALID", "trigger.location.region")
        ),
        .region(
            "LOC-4 neither entry nor exit",
            #""notifyOnEntry":false,"notifyOnExit":false,"circular":{"radiusMeters":1}"#,
            "notify_on_entry"
        ),
        .region("a radius of 0", #""circular":{"radiusMeters":0}"#, "circular.radius_meters"),
        .region(
            "LOC-4 a radius beyond 1,000 km",
            #""circular":{"radiusMeters":1000001}"#,
            "circular.radius_meters"
        ),
        .region(
            "a radius that is no number",
            #""circular":{"radiusMeters":"NaN"}"#,
            "circular.radius_meters"
        ),
        .region(
            "a latitude beyond the pole",
            #""circular":{"latitude":90.1,"radiusMeters":1}"#,
            "circular.latitude"
        ),
        .region(
            "an endless longitude",
            #""circular":{"longitude":"-Infinity","radiusMeters":1}"#,
            "circular.longitude"
        ),
        .region("a UUID that is none", #""beacon":{"uuid":"x"}"#, "beacon.uuid"),
        .region(
            "a minor number alone",
            #""beacon":{"uuid":"e2c56db5-dffb-48d2-b060-d0f5a71096e0","minor":1}"#,
            "beacon.minor"
        ),
        .region(
            "a major number beyond 65535",
            #""beacon":{"uuid":"e2c56db5-dffb-48d2-b060-d0f5a71096e0","major":65536}"#,
            "beacon.major"
        ),
    ]

    private static let all = contents + triggers + recurrences

    @Test("Add refuses it, names the field, and changes nothing", arguments: all)
    func add(row: Case) async throws {
        let service = try SharedService.get()
        let center = try await service.authorizedCenter()
        let before = try service.test.state()
        let bytes = try Rpc.add.encode(#"{"request":\#(row.json)}"#, app: center.center.appID)
        let error = try await refusal { _ = try await service.call(.add, bytes) }
        row.expected.check(error, prefix: "request.")
        #expect(!error.message.contains("Title"))
        #expect(try service.test.state() == before)
    }

    @Test("AddBatch refuses it alone, and names its place", arguments: all)
    func batch(row: Case) async throws {
        let app = "org.example.batch"
        let center = try await SharedService.get().authorizedCenter(app)
        let request = try Belfry_V1_NotificationRequest(jsonString: row.json)
        let results = try await center.addBatch([.titled("a"), request, .titled("b")])
        #expect(results.map { (try? $0.get())?.identifier } == ["a", nil, "b"])
        guard case .failure(let error) = results[1] else { return }
        row.expected.check(error, prefix: "requests[1].")
    }

    @Test(
        "A duration that is not well formed is refused, whatever it may mean",
        arguments: [
            (1, 1_000_000_000), (1, -1), (-1, 1), (0, .max), (.max, 999_999_999), (.min, -1),
        ]
            as [(Int64, Int32)]
    )
    func duration(seconds: Int64, nanos: Int32) async throws {
        let center = try await SharedService.get().authorizedCenter()
        let error = try await refusal {
            try await center.add("x") { request in
                request.trigger.timeInterval.interval = .with {
                    $0.seconds = seconds
                    $0.nanos = nanos
                }
            }
        }
        #expect(error.reason == "TIME_INTERVAL_INVALID")
        #expect(error.fields.map(\.path) == ["request.trigger.time_interval.interval"])
    }
}
