internal import GRPC
internal import NotificationClient
internal import NotificationCore
internal import NotificationProtocol
internal import NotificationStore
internal import SwiftProtobuf
internal import TestSupport
internal import Testing

@Suite("What the calls refuse (api.md 1)", .sharedService)
struct CallRefusalTests {
    /// A call that is refused, with its request in JSON.
    struct Case: Sendable, CustomTestStringConvertible {
        let rpc: Rpc
        let json: String
        let expected: Expected

        init(_ rpc: Rpc, _ json: String, _ expected: Expected) {
            self.rpc = rpc
            self.json = json
            self.expected = expected
        }

        var testDescription: String { "\(rpc.rawValue) \(json.prefix(60))" }
    }

    private static let tooMany: String = {
        let names = (0...1_000).map { "\"\($0)\"" }
        return "[" + names.joined(separator: ",") + "]"
    }()

    private static func invalid(_ reason: String, _ field: String) -> Expected {
        Expected(.invalidArgument, reason, field)
    }

    private static let ahead = Expected(.outOfRange, "EVENT_NUMBER_UNKNOWN", "after")

    static let lists: [Case] = [Rpc.listPending, .listDelivered].flatMap { rpc in
        [
            Case(rpc, #"{"pageSize":-1}"#, .invalid("page_size")),
            Case(rpc, #"{"pageSize":1001}"#, .invalid("page_size")),
            Case(rpc, #"{"order":2}"#, .invalid("order")),
            Case(rpc, #"{"order":-1}"#, .invalid("order")),
            Case(rpc, #"{"pageToken":"next"}"#, invalid("PAGE_TOKEN_INVALID", "page_token")),
            Case(rpc, #"{"pageToken":"00"}"#, invalid("PAGE_TOKEN_INVALID", "page_token")),
            Case(
                rpc,
                #"{"filter":{"identifiers":\#(tooMany)}}"#,
                .invalid("filter.identifiers")
            ),
            Case(
                rpc,
                #"{"filter":{"identifiers":["a","\#(String(repeating: "x", count: 600))"]}}"#,
                invalid("IDENTIFIER_INVALID", "filter.identifiers[1]")
            ),
        ]
    }

    static let removals: [Case] = [Rpc.removePending, .removeDelivered].flatMap { rpc in
        [
            Case(rpc, #"{"identifiers":\#(tooMany)}"#, .invalid("identifiers")),
            Case(
                rpc,
                #"{"identifiers":["a",""]}"#,
                invalid("IDENTIFIER_INVALID", "identifiers[1]")
            ),
            Case(
                rpc,
                #"{"identifiers":["\#(String(repeating: "x", count: 257))"]}"#,
                invalid("IDENTIFIER_INVALID", "identifiers[0]")
            ),
        ]
    }

    static let changes: [Case] = [
        Case(.requestAuthorization, "{}", invalid("OPTIONS_INVALID", "options")),
        Case(
            .requestAuthorization,
            #"{"options":[0]}"#,
            invalid("OPTIONS_INVALID", "options[0]")
        ),
        Case(
            .requestAuthorization,
            #"{"options":[4,3]}"#,
            invalid("OPTIONS_INVALID", "options[1]")
        ),
        Case(
            .requestAuthorization,
            #"{"options":[512]}"#,
            invalid("OPTIONS_INVALID", "options[0]")
        ),
        Case(.requestAuthorization, #"{"options":[4],"wait":"-1s"}"#, .invalid("wait")),
        Case(.requestAuthorization, #"{"options":[4],"wait":"600.1s"}"#, .invalid("wait")),
        Case(.addBatch, "{}", invalid("BATCH_EMPTY", "requests")),
        Case(
            .addBatch,
            #"{"requests":[\#(Array(repeating: "{}", count: 1_001).joined(separator: ","))]}"#,
            invalid("BATCH_TOO_LARGE", "requests")
        ),
        Case(
            .setBadgeCount,
            #"{"count":-1}"#,
            Expected(.invalidArgument, "BADGE_INPUT_INVALID", "count", unCode: 1600)
        ),
    ]

    static let categories: [Case] = [Rpc.setCategories, .upsertCategories].flatMap { rpc in
        [
            Case(
                rpc,
                #"{"categories":[{"identifier":"a"},{}]}"#,
                invalid("CATEGORY_INVALID", "categories[1].identifier")
            ),
            Case(
                rpc,
                #"{"categories":[{"identifier":"a"},{"identifier":"a"}]}"#,
                invalid("CATEGORY_INVALID", "categories[1].identifier")
            ),
            Case(
                rpc,
                #"{"categories":[{"identifier":"a","options":[1,3]}]}"#,
                .invalid("categories[0].options[1]")
            ),
            Case(
                rpc,
                #"{"categories":[{"identifier":"a","actions":[{"identifier":"x"},{}]}]}"#,
                invalid("ACTION_INVALID", "categories[0].actions[1].identifier")
            ),
            Case(
                rpc,
                #"{"categories":[{"identifier":"a","actions":[{"identifier":"x","icon":{}}]}]}"#,
                invalid("ACTION_INVALID", "categories[0].actions[0].icon")
            ),
            Case(
                rpc,
                #"{"categories":[{"identifier":"a","actions":[{"localizedTitle":{}}]}]}"#,
                .later("categories[0].actions[0].localized_title")
            ),
            Case(
                rpc,
                #"{"categories":[{"identifier":"a","localizedCategorySummaryFormat":{}}]}"#,
                .later("categories[0].localized_category_summary_format")
            ),
        ]
    }

    static let installations: [Case] = [
        Case(
            .removeCategories,
            #"{"identifiers":\#(tooMany)}"#,
            .invalid("identifiers")
        ),
        Case(
            .registerApp,
            #"{"manifest":{"language":"x"}}"#,
            invalid("LANGUAGE_INVALID", "manifest.language")
        ),
        Case(
            .registerApp,
            #"{"manifest":{"names":{"pt":"Nome"}}}"#,
            invalid("APP_NAME_INVALID", "manifest.names")
        ),
        Case(
            .registerApp,
            #"{"manifest":{"iconAttachmentId":"a"}}"#,
            Expected(
                .notFound,
                "ATTACHMENT_NOT_IN_DATA_STORE",
                "manifest.icon_attachment_id",
                unCode: 103
            )
        ),
        Case(
            .registerApp,
            #"{"manifest":{"extensions":[{"extensionId":"other","kind":1}]}}"#,
            invalid("EXTENSION_INVALID", "manifest.extensions[0].extension_id")
        ),
        Case(
            .registerApp,
            #"{"manifest":{"extensions":[{"extensionId":"other"}]}}"#,
            invalid("EXTENSION_INVALID", "manifest.extensions[0].kind")
        ),
        Case(
            .registerApp,
            #"{"manifest":{"extensions":[{"kind":2}]}}"#,
            .later("manifest.extensions[0].kind")
        ),
        Case(
            .registerApp,
            #"{"manifest":{"backgroundModes":[0]}}"#,
            .invalid("manifest.background_modes[0]")
        ),
        Case(
            .registerApp,
            #"{"manifest":{"entitlements":{"apsEnvironment":1}}}"#,
            .later("manifest.entitlements.aps_environment")
        ),
        Case(
            .registerApp,
            #"{"manifest":{"entitlements":{"communication":true}}}"#,
            .later("manifest.entitlements.communication")
        ),
    ]

    static let decisions: [Case] = [
        Case(.listApps, #"{"pageSize":-1}"#, .invalid("page_size")),
        Case(.listApps, #"{"pageSize":1001}"#, .invalid("page_size")),
        Case(.listApps, #"{"pageToken":"00"}"#, invalid("PAGE_TOKEN_INVALID", "page_token")),
        Case(.listApps, #"{"deviceId":"a/b"}"#, invalid("DEVICE_ID_INVALID", "device_id")),
        Case(.updateSettings, "{}", invalid("UPDATE_MASK_EMPTY", "update_mask")),
        Case(
            .updateSettings,
            #"{"updateMask":"alertSetting,providesAppNotificationSettings","#
                + #""settings":{"alertSetting":1}}"#,
            invalid("UPDATE_MASK_INVALID", "update_mask.paths[1]")
        ),
        Case(
            .updateSettings,
            #"{"updateMask":"alertSetting"}"#,
            .invalid("settings.alert_setting")
        ),
        Case(
            .updateSettings,
            #"{"updateMask":"authorizationStatus","settings":{"authorizationStatus":3}}"#,
            .invalid("settings.authorization_status")
        ),
        Case(
            .updateSettings,
            #"{"updateMask":"alertStyle","settings":{"alertStyle":3}}"#,
            .invalid("settings.alert_style")
        ),
        Case(
            .updateSettings,
            #"{"updateMask":"carPlaySetting","settings":{"carPlaySetting":2}}"#,
            Expected(.failedPrecondition, "SETTING_NOT_SUPPORTED", "settings.car_play_setting")
        ),
        Case(.updateSettings, #"{"grouping":3}"#, .invalid("grouping")),
        Case(.updateSettings, #"{"locationPermission":2}"#, .later("location_permission")),
        Case(.answerPrompt, #"{"promptId":"1"}"#, invalid("ANSWER_INVALID", "answer")),
        Case(.answerPrompt, #"{"answer":4}"#, invalid("ANSWER_INVALID", "answer")),
        Case(
            .answerPrompt,
            #"{"answer":1,"options":[4]}"#,
            invalid("ANSWER_INVALID", "options")
        ),
        Case(
            .answerPrompt,
            #"{"answer":0,"options":[4,3]}"#,
            invalid("ANSWER_INVALID", "options[1]")
        ),
        Case(
            .answerPrompt,
            #"{"answer":0,"keepInSummary":true}"#,
            invalid("ANSWER_INVALID", "keep_in_summary")
        ),
        Case(
            .answerPrompt,
            #"{"answer":1,"deviceId":"a/b"}"#,
            invalid("DEVICE_ID_INVALID", "device_id")
        ),
        Case(
            .answerPrompt,
            #"{"answer":1,"promptId":"0x1"}"#,
            Expected(.notFound, "PROMPT_NOT_FOUND", "prompt_id")
        ),
    ]

    static let subscriptions: [Case] = [
        Case(.subscribe, #"{"after":"1000"}"#, ahead),
        Case(.subscribe, #"{"after":"18446744073709551615"}"#, ahead),
        Case(
            .subscribe,
            #"{"after":"0","snapshot":true}"#,
            invalid("SNAPSHOT_WITH_AFTER", "after")
        ),
        Case(.subscribe, #"{"role":2}"#, .invalid("role")),
        Case(.subscribe, #"{"capabilities":[3]}"#, .invalid("capabilities[0]")),
        Case(.subscribe, #"{"capabilities":[1,0]}"#, .invalid("capabilities[1]")),
        Case(.subscribe, #"{"capabilities":[1]}"#, .invalid("capabilities")),
        Case(.subscribe, #"{"role":1,"capabilities":[8]}"#, .later("capabilities")),
        Case(.subscribe, #"{"appState":4}"#, .invalid("app_state")),
        Case(
            .subscribe,
            #"{"standingPresentation":{"options":[32]}}"#,
            .invalid("standing_presentation.options[0]")
        ),
        Case(.subscribe, #"{"standingPresentation":{}}"#, .invalid("standing_presentation")),
        Case(.subscribe, #"{"resumeSubscriptionId":"x"}"#, .later("resume_subscription_id")),
    ]

    private static let emptyItems = Array(repeating: "{}", count: 1_001).joined(separator: ",")

    private static let notPrimary = Expected(.failedPrecondition, "NOT_PRIMARY", "subscription_id")

    static let delegates: [Case] =
        [
            Case(.updateAppState, #"{"subscriptionId":"a"}"#, .invalid("app_state")),
            Case(.updateAppState, #"{"subscriptionId":"a","appState":4}"#, .invalid("app_state")),
            Case(
                .updateAppState,
                #"{"subscriptionId":"a","appState":1}"#,
                Expected(.notFound, "SUBSCRIPTION_UNKNOWN", "subscription_id")
            ),
            Case(.completeWillPresent, Rpc.completeWillPresent.request, notPrimary),
            Case(.completeResponse, Rpc.completeResponse.request, notPrimary),
        ]
        + [Rpc.completeWillPresent, .completeResponse].flatMap { rpc in
            [
                Case(rpc, "{}", invalid("BATCH_EMPTY", "answers")),
                Case(
                    rpc,
                    #"{"answers":[\#(emptyItems)]}"#,
                    invalid("BATCH_TOO_LARGE", "answers")
                ),
            ]
        }

    private static let a =
        #""notification":{"center":{"appId":"org.example.a"},"identifier":"a","delivery":"1"}"#

    static let devices: [Case] = [
        Case(.getDeviceState, #"{"deviceId":"a/b"}"#, invalid("DEVICE_ID_INVALID", "device_id")),
        Case(.watchDevice, #"{"deviceId":"a/b"}"#, invalid("DEVICE_ID_INVALID", "device_id")),
        Case(.watchDevice, #"{"appIds":[""]}"#, invalid("APP_ID_INVALID", "app_ids[0]")),
        Case(.updateDeviceState, "{}", invalid("UPDATE_MASK_EMPTY", "update_mask")),
        Case(
            .updateDeviceState,
            #"{"updateMask":"locked,deviceId"}"#,
            invalid("UPDATE_MASK_INVALID", "update_mask.paths[1]")
        ),
        Case(
            .updateDeviceState,
            #"{"updateMask":"locationPermission"}"#,
            .later("update_mask.paths[0]")
        ),
        Case(
            .updateDeviceState,
            #"{"updateMask":"timeZone","state":{"timeZone":"Mars/Olympus"}}"#,
            invalid("TIME_ZONE_INVALID", "state.time_zone")
        ),
        Case(
            .updateDeviceState,
            #"{"updateMask":"timeZone","state":{"timeZone":"../passwd"}}"#,
            invalid("TIME_ZONE_INVALID", "state.time_zone")
        ),
        Case(
            .updateDeviceState,
            #"{"updateMask":"languages","state":{"languages":["en","?"]}}"#,
            invalid("LANGUAGE_INVALID", "state.languages")
        ),
        Case(
            .updateDeviceState,
            #"{"updateMask":"summary.enabled","state":{"summary":{"enabled":true}}}"#,
            invalid("SUMMARY_TIME_INVALID", "state.summary.times")
        ),
        Case(
            .updateDeviceState,
            #"{"updateMask":"focus","state":{"focus":{"allowedPeople":[""]}}}"#,
            invalid("PERSON_INVALID", "state.focus.allowed_people")
        ),
        Case(
            .updateDeviceState,
            #"{"updateMask":"focus","state":{"focus":{"filters":[{"appId":"a"},{"appId":"a"}]}}}"#,
            .invalid("state.focus.filters[1].app_id")
        ),
        Case(.listNotificationCenter, #"{"pageSize":1001}"#, .invalid("page_size")),
        Case(
            .listNotificationCenter,
            #"{"pageToken":"00"}"#,
            invalid("PAGE_TOKEN_INVALID", "page_token")
        ),
        Case(
            .listNotificationCenter,
            #"{"appIds":["a","a_b"]}"#,
            invalid("APP_ID_INVALID", "app_ids[1]")
        ),
        Case(.listNotificationCenter, #"{"appIds":\#(tooMany)}"#, .invalid("app_ids")),
        Case(.respond, #"{"defaultAction":{}}"#, invalid("RESPONSE_INVALID", "target")),
        Case(.respond, #"{\#(a)}"#, invalid("RESPONSE_INVALID", "act")),
        Case(.respond, #"{"presentationId":"a","defaultAction":{}}"#, .later("presentation_id")),
        Case(
            .respond,
            #"{"deviceId":"other",\#(a),"defaultAction":{}}"#,
            .invalid("notification.center.device_id")
        ),
        Case(.dismiss, #"{"all":true}"#, .invalid("kind")),
        Case(.dismiss, #"{"kind":0}"#, invalid("DISMISS_INVALID", "target")),
        Case(.dismiss, #"{"all":false,"kind":0}"#, invalid("DISMISS_INVALID", "all")),
        Case(.dismiss, #"{"all":true,"kind":1}"#, invalid("DISMISS_INVALID", "kind")),
        Case(.dismiss, #"{"all":true,"kind":2}"#, .invalid("kind")),
        Case(
            .dismiss,
            #"{"groupId":"nothing","kind":0}"#,
            Expected(.notFound, "GROUP_NOT_FOUND", "group_id")
        ),
    ]

    static let clocks: [Case] = [
        Case(.advanceClock, "{}", invalid("CLOCK_TARGET_INVALID", "target")),
        Case(
            .advanceClock,
            #"{"toNextDue":false}"#,
            invalid("CLOCK_TARGET_INVALID", "to_next_due")
        ),
        Case(.advanceClock, #"{"by":"-1s"}"#, invalid("CLOCK_TARGET_INVALID", "by")),
        Case(.advanceClock, #"{"by":"315576000000s"}"#, invalid("CLOCK_TARGET_INVALID", "by")),
        Case(
            .advanceClock,
            #"{"to":"2025-12-31T23:59:59Z"}"#,
            invalid("CLOCK_TARGET_INVALID", "to")
        ),
        Case(
            .advanceClock,
            #"{"to":"0001-01-01T00:00:00Z"}"#,
            invalid("CLOCK_TARGET_INVALID", "to")
        ),
        Case(
            .advanceClock,
            #"{"to":"9999-12-31T23:59:59Z"}"#,
            invalid("CLOCK_TARGET_INVALID", "to")
        ),
    ]

    @Test(
        "It is refused with code, reason and field, and nothing changes",
        arguments: lists + removals + changes + categories + installations + decisions
            + subscriptions + delegates + devices + clocks
    )
    func refused(row: Case) async throws {
        let service = try SharedService.get()
        let center = try await service.authorizedCenter()
        let before = try service.test.state()
        let bytes = try row.rpc.encode(row.json, app: center.center.appID)
        let error = try await refusal { _ = try await service.call(row.rpc, bytes) }
        row.expected.check(error)
        #expect(error.retryDelay == nil)
        #expect(try service.test.state() == before)
        #expect(service.store.clock.now().wall == .newYear)
    }

    @Test(
        "A center that cannot be is refused by every call",
        arguments: Rpc.allCases.filter(\.isOfCenter),
        [
            ("", "", "APP_ID_INVALID", "center.app_id"),
            ("a_b", "", "APP_ID_INVALID", "center.app_id"),
            (String(repeating: "a", count: 156), "", "APP_ID_INVALID", "center.app_id"),
            ("a", "a/b", "DEVICE_ID_INVALID", "center.device_id"),
            ("a", String(repeating: "d", count: 129), "DEVICE_ID_INVALID", "center.device_id"),
        ]
    )
    func center(
        rpc: Rpc,
        bad: (app: String, device: String, reason: String, field: String)
    )
        async throws
    {
        let service = try SharedService.get()
        let center = Belfry_V1_GetNotificationSettingsRequest.with { request in
            request.center.appID = bad.app
            request.center.deviceID = bad.device
        }
        let bytes =
            try rpc.encode(rpc.request, app: nil) + (center.serializedBytes() as [UInt8])
        let error = try await refusal { _ = try await service.call(rpc, bytes) }
        Expected(.invalidArgument, bad.reason, bad.field).check(error)
    }

    @Test(
        "An app that is not registered is not found by any call but those that register it",
        arguments: Rpc.allCases.filter { $0.isOfCenter && !$0.registers }
    )
    func unregistered(rpc: Rpc) async throws {
        let service = try SharedService.get()
        let bytes = try rpc.encode(rpc.request, app: "org.example.nobody")
        let error = try await refusal { _ = try await service.call(rpc, bytes) }
        Expected(.notFound, "APP_NOT_REGISTERED").check(error)
        #expect(error.metadata == ["app_id": "org.example.nobody", "device_id": "local"])
    }

    @Test("An rpc that is not there is UNIMPLEMENTED and named", arguments: ["Nothing", "add", ""])
    func unknownRpc(name: String) async throws {
        let service = try SharedService.get()
        let path = "/belfry.v1.NotificationCenterService/\(name)"
        let error = try await refusal { _ = try await service.channel.unary(path, []) }
        #expect(error.code == .unimplemented)
        #expect(error.message.contains(path))
    }
}
