internal import NotificationCore
internal import StandardServices
internal import Testing

@testable internal import NotificationService

/// Refusals from below the service, which name their problem by type, in the words of the wire.
@Suite("The wire's words for what is refused (W-10)")
struct RefusalWireTests {
    /// The reasons of the contract, each of which programs may compare with.
    private static let reasons = """
        ACTION_INVALID ACTION_UNKNOWN ACT_WAITING ANSWER_INVALID APP_ID_INVALID APP_LIMIT
        APP_NAME_INVALID APP_NOT_REGISTERED
        ATTACHMENT_CORRUPT ATTACHMENT_INVALID_FILE_SIZE ATTACHMENT_INVALID_URL
        ATTACHMENT_MOVE_INTO_DATA_STORE_FAILED ATTACHMENT_NOT_IN_DATA_STORE
        ATTACHMENT_OFFSET_INVALID ATTACHMENT_UNRECOGNIZED_TYPE AUTHORIZATION_NOT_DETERMINED
        BACKUP_CANCELLED BACKUP_FAILED BACKUP_RUNNING BADGE_INPUT_INVALID BATCH_EMPTY
        BATCH_TOO_LARGE CALENDAR_UNSUPPORTED CALLBACK_ENDED CALLBACK_UNKNOWN CANCELLED
        CATEGORY_INVALID CATEGORY_LIMIT CATEGORY_TOO_LARGE CHUNK_TOO_LARGE CLOCK_NOT_MANUAL
        CLOCK_TARGET_INVALID CONTENT_PROVIDING_INVALID CONTENT_PROVIDING_OBJECT_NOT_ALLOWED
        CONTENT_TOO_LARGE DATE_COMPONENTS_INVALID DEVICE_ID_INVALID DISMISS_INVALID
        EVENTS_TRIMMED EVENT_NUMBER_UNKNOWN EXTENSION_CATEGORY_TAKEN
        EXTENSION_INVALID EXTENSION_NOT_SERVING EXTENSION_REPLACED FOCUS_FILTER_INVALID
        GROUP_NOT_FOUND IDEMPOTENCY_KEY_EXPIRED IDEMPOTENCY_KEY_REUSED IDENTIFIER_INVALID
        INVALID_FIELD LANGUAGE_INVALID LIST_TOO_LARGE LOCALIZATION_KEY_INVALID MALFORMED_MESSAGE
        NOTIFICATIONS_NOT_ALLOWED NOTIFICATION_INVALID_NO_CONTENT NOTIFICATION_INVALID_NO_DATE
        NOTIFICATION_NOT_FOUND NOTIFICATION_REPLACED NOT_PRIMARY NO_APP_SETTINGS
        OPTIONS_INVALID OUTCOME_UNKNOWN OVERLOADED PAGE_TOKEN_INVALID PENDING_LIMIT
        PERSON_INVALID PLURAL_INVALID PROMPT_ENDED PROMPT_NOT_FOUND RELEVANCE_SCORE_INVALID
        RESPONSE_INVALID RESPONSE_LIMIT RESUME_WITH_ROLE ROW_DAMAGED SETTING_NOT_SUPPORTED
        SNAPSHOT_WITH_AFTER SOUND_LIMIT SOUND_NAME_INVALID SOUND_VOLUME_INVALID STOPPING
        STORE_FULL STORE_UNREADABLE STRING_TABLE_TOO_LARGE SUBSCRIBER_STALLED SUBSCRIPTION_LIMIT
        SUBSCRIPTION_RESUMED SUBSCRIPTION_UNKNOWN SUMMARY_ARGUMENT_COUNT_INVALID SUMMARY_OFF
        SUMMARY_TIME_INVALID TEXT_NOT_EXPECTED TEXT_TOO_LONG TIME_INTERVAL_INVALID
        TIME_ZONE_INVALID TIME_ZONE_UNKNOWN TRANSFER_STALLED TRIGGER_KIND_INVALID
        UNLOCK_TIMED_OUT UPDATE_MASK_EMPTY UPDATE_MASK_INVALID UPLOAD_ENDED UPLOAD_ORDER_INVALID
        USER_INFO_INVALID ZONES_UNREADABLE

        BAD_DEVICE_TOKEN DEVICE_TOKEN_NOT_FOR_TOPIC EXPIRED_TOKEN MISSING_DEVICE_TOKEN
        PUSH_NOT_ENTITLED TAG_INVALID TAG_LIMIT UNREGISTERED

        BAD_COLLAPSE_ID BAD_EXPIRATION_DATE BAD_MESSAGE_ID BAD_PRIORITY BAD_TOPIC
        INVALID_PUSH_TYPE PAYLOAD_EMPTY PAYLOAD_INVALID PAYLOAD_TOO_LARGE

        BEACON_INVALID LOCATION_INVALID LOCATION_NOT_AUTHORIZED REGION_CONFLICT REGION_INVALID
        REGION_LIMIT

        CONTENT_VIEW_SPACE CONTENT_VIEW_TOO_LARGE MEDIA_NOT_PLAYABLE PRESENTATION_LIMIT
        PRESENTATION_NOT_FOUND

        FILE_BYTES_LIMIT STORE_BYTES_LIMIT
        FOCUS_SCHEDULE_INVALID IDEMPOTENCY_KEY_REQUIRED NO_NEXT_TRIGGER_DATE PUSH_LIMIT
        PROGRESS_INVALID PUSH_NOT_FOUND RECURRENCE_INVALID RECURRENCE_LIMITS_INVALID
        REQUEST_NOT_PENDING
        RICH_PAYLOAD_INVALID
        RICH_PUSH_NOT_FOUND SNOOZE_INVALID SNOOZE_LIMIT TAG_EXPRESSION_INVALID WINDOW_INVALID

        TOKENS_UNAVAILABLE TOKEN_AMBIGUOUS TOKEN_LIMIT TOKEN_NOT_FOUND

        WEB_PUSH_LIMIT WEB_PUSH_OFF
        """

    @Test("Reasons are those of the contract, in capitals")
    func reasons() {
        let known = Self.reasons.split { $0.isWhitespace }.map(String.init)
        #expect(Reason.allCases.map(\.wireName).sorted() == known.sorted())
    }

    @Test("Each field has a name of the protos", arguments: Field.allCases)
    func field(field: Field) {
        #expect(Descriptors.fields.contains(field.wireName), "\(field) is \(field.wireName)")
    }

    @Test(
        "A path has the form of the contract's",
        arguments: [
            ([], ""), ([.count], "count"),
            ([.content, .communication, .avatar], "content.communication.avatar_attachment_id"),
            (
                .element(3, of: .requests).appending(.content, .attachments)[12].appending(.file),
                "requests[3].content.attachments[12].attachment_id"
            ),
            (
                .value(of: "a\"b\\c\n", in: .strings).appending(.plural, .other),
                #"strings["a\"b\\c\n"].plural.other"#
            ),
            (.value(of: "pt-BR", in: .names), #"names["pt-BR"]"#),
            (
                .value(of: String(repeating: "é", count: 64), in: .strings),
                "strings[\"\(String(repeating: "é", count: 64))\"]"
            ),
            (
                .value(of: String(repeating: "é", count: 65), in: .strings),
                "strings[\"\(String(repeating: "é", count: 64))…\"]"
            ),
            (.written("x.y_z[2]"), "x.y_z[2]"),
            (FieldPath([.written("state"), .field(.timeZone)]), "state.time_zone"),
        ] as [(FieldPath, String)]
    )
    func path(path: FieldPath, name: String) {
        #expect(path.wireName == name)
    }

    /// A refusal, and the message, the metadata and the fields that a client sees.
    struct Row: Sendable, CustomTestStringConvertible {
        let refusal: Refusal
        let message: String
        // Bounded: a few names of this table.
        var metadata: [String: String] = [:]
        var fields: [FieldViolation] = []
        var testDescription: String { message }
    }

    private static let center = try? CenterName(app: "org.example.tea", device: "")

    private static let notAllowed = "Notifications are not allowed for this application: "

    static let hints: [Row] = [
        Row(
            refusal: .notAllowed(.notAsked),
            message: notAllowed + "nobody has been asked yet: call RequestAuthorization first",
            metadata: ["missing": "NOT_ASKED", "code": "1"]
        ),
        Row(
            refusal: .notAllowed(.notAnswered),
            message: notAllowed + "the person is being asked, and has not answered yet",
            metadata: ["missing": "NOT_ANSWERED", "code": "1"]
        ),
        Row(
            refusal: .notAllowed(.denied),
            message: notAllowed + "the person denied them, and may allow them in the settings",
            metadata: ["missing": "DENIED", "code": "1"]
        ),
        Row(
            refusal: .notAllowed(.setting(.badgeSetting, .disabled)),
            message: notAllowed + "the person turned badge_setting off",
            metadata: ["missing": "badge_setting", "code": "1"]
        ),
        Row(
            refusal: .notAllowed(.setting(.badgeSetting, .notSupported)),
            message: notAllowed + "the app never asked for badge_setting, or cannot have it",
            metadata: ["missing": "badge_setting", "code": "1"]
        ),
        hint(.askForAppSettings, ": it did not ask for PROVIDES_APP_NOTIFICATION_SETTINGS"),
        hint(.startWithManualClock, ": start it with --clock manual"),
        hint(.repeatWithSameKey, ", then call again with the same idempotency_key"),
        hint(.beginAnew, ": ask for a snapshot, or begin with after 0"),
        hint(
            .repairStore,
            "; stop the server and run 'belfry check --repair', or restore a backup"
        ),
    ]

    private static func hint(_ hint: Refusal.Hint, _ end: String) -> Row {
        Row(
            refusal: Refusal(.unavailable, reason: .storeFull, message: "M", hint: hint),
            message: "M" + end
        )
    }

    static let fields: [Row] = [
        Row(
            refusal: .badgeInvalid([.content, .badge]).within(.element(3, of: .requests)),
            message: "requests[3].content.badge: a badge count is 0-2147483647",
            metadata: ["code": "1600"],
            fields: [
                FieldViolation(
                    field: "requests[3].content.badge",
                    description: "a badge count is 0-2147483647"
                )
            ]
        ),
        Row(
            refusal: Refusal(
                .failedPrecondition,
                reason: .settingNotSupported,
                message: "M",
                fields: [.init([.settings, .soundSetting], "A"), .init([.count], "B")]
            ),
            message: "settings.sound_setting, count: M",
            fields: [
                FieldViolation(field: "settings.sound_setting", description: "A"),
                FieldViolation(field: "count", description: "B"),
            ]
        ),
        Row(
            refusal: Refusal(
                .resourceExhausted,
                reason: .categoryLimit,
                message: "M",
                fields: [.init([.categories], "A")],
                namesFields: false,
                facts: [
                    .limit: "1", .app: "2", .device: "3", .callback: "4", .firstEvent: "5",
                    .lastEvent: "6", .byteCount: "7", .table: "8", .key: "9",
                ]
            ),
            message: "M",
            metadata: [
                "limit": "1", "app_id": "2", "device_id": "3", "callback_id": "4",
                "first_number": "5", "last_event_number": "6", "size_bytes": "7", "table": "8",
                "key": "9",
            ],
            fields: [FieldViolation(field: "categories", description: "A")]
        ),
    ]

    @Test("Messages, metadata and fields", arguments: hints + fields)
    func words(row: Row) {
        #expect(row.refusal.wireMessage == row.message)
        #expect(row.refusal.wireMetadata == row.metadata)
        #expect(row.refusal.violations == row.fields)
    }

    @Test(
        "A text about the name of an app or a device says what the contract calls it",
        arguments: [
            ("", "", "center.app_id: an app_id is required, such as org.example.reminders"),
            ("a/b", "", "center.app_id: an app_id is 1-155 of A-Z a-z 0-9 . _ -"),
            ("a", "/", "center.device_id: a device_id is 1-128 of A-Z a-z 0-9 . _ : -"),
        ]
    )
    func names(app: String, device: String, message: String) throws {
        let refusal = try #require(throws: Refusal.self) {
            try CenterName(app: app, device: device)
        }
        #expect(refusal.wireMessage == message)
        #expect(
            refusal.violations.map { "\($0.field): \($0.description)" } == [message]
        )
    }

    @Test("A call for an app that is not registered says what to call first")
    func notRegistered() throws {
        let refusal = Refusal.notRegistered(try #require(Self.center))
        #expect(
            refusal.wireMessage == """
                app org.example.tea is not registered on device local: \
                call RequestAuthorization first
                """
        )
        #expect(
            refusal.wireMetadata == ["app_id": "org.example.tea", "device_id": "local"]
        )
    }
}
