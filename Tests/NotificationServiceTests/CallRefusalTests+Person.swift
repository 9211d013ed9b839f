internal import BelfryGRPC

// The refusals of the calls about people, their devices, and apps' own statements.

extension CallRefusalTests {
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
                #"{"categories":[{"identifier":"a","actions":[{"identifier":"x","#
                    + #""localizedTitle":{}}]}]}"#,
                invalid(
                    "LOCALIZATION_KEY_INVALID",
                    "categories[0].actions[0].localized_title.key"
                )
            ),
            Case(
                rpc,
                #"{"categories":[{"identifier":"a","localizedCategorySummaryFormat":{}}]}"#,
                invalid(
                    "LOCALIZATION_KEY_INVALID",
                    "categories[0].localized_category_summary_format.key"
                )
            ),
            Case(
                rpc,
                #"{"categories":[{"identifier":"a","localizedHiddenPreviewsBodyPlaceholder":{}}]}"#,
                invalid(
                    "LOCALIZATION_KEY_INVALID",
                    "categories[0].localized_hidden_previews_body_placeholder.key"
                )
            ),
        ]
    }

    private static func entry(_ key: String, _ value: String) -> String {
        #"{"key":"\#(key)","value":\#(value)}"#
    }

    private static func table(
        _ strings: String...,
        app: String = "org.example.app",
        language: String = "en"
    ) -> String {
        let list = strings.joined(separator: ",")
        return #"{"appId":"\#(app)","language":"\#(language)","strings":[\#(list)]}"#
    }

    static let stringTables: [Case] = [
        (table(app: ""), "APP_ID_INVALID", "app_id"),
        (table(app: "a/b"), "APP_ID_INVALID", "app_id"),
        (table(language: ""), "LANGUAGE_INVALID", "language"),
        (table(language: "en_US"), "LANGUAGE_INVALID", "language"),
        (table(entry("a", #"{"text":""}"#), entry("b", "{}")), "INVALID_FIELD", #"strings["b"]"#),
        (table(entry("", #"{"text":"a"}"#)), "LOCALIZATION_KEY_INVALID", #"strings[""]"#),
        (
            table(
                entry("a", #"{"plural":{"other":"a"}}"#),
                entry("b", #"{"plural":{"one":"a"}}"#)
            ),
            "PLURAL_INVALID", #"strings["b"].plural.other"#
        ),
        (
            table((0...10_000).map { entry("\($0)", #"{"text":""}"#) }.joined(separator: ",")),
            "STRING_TABLE_TOO_LARGE", "strings"
        ),
    ].map { json, reason, field in Case(.setStringTable, json, invalid(reason, field)) }

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
            #"{"manifest":{"names":[{"language":"pt","name":"Nome"}]}}"#,
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
            invalid("EXTENSION_INVALID", "manifest.extensions[0].extension_id")
        ),
        Case(
            .registerApp,
            #"{"manifest":{"backgroundModes":[0]}}"#,
            .invalid("manifest.background_modes[0]")
        ),
        Case(
            .registerApp,
            #"{"manifest":{"entitlements":{"apsEnvironment":9}}}"#,
            .invalid("manifest.entitlements.aps_environment")
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
        Case(.updateSettings, #"{"locationPermission":9}"#, .invalid("location_permission")),
        Case(.answerPrompt, #"{"promptId":"1"}"#, invalid("ANSWER_INVALID", "answer")),
        Case(.answerPrompt, #"{"answer":0}"#, invalid("ANSWER_INVALID", "answer")),
        Case(.answerPrompt, #"{"answer":5}"#, invalid("ANSWER_INVALID", "answer")),
        Case(
            .answerPrompt,
            #"{"answer":2,"options":[4]}"#,
            invalid("ANSWER_INVALID", "options")
        ),
        Case(
            .answerPrompt,
            #"{"answer":1,"options":[4,3]}"#,
            invalid("ANSWER_INVALID", "options[1]")
        ),
        Case(
            .answerPrompt,
            #"{"answer":1,"keepInSummary":true}"#,
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
            #"{"updateMask":"locationPermission","state":{"locationPermission":9}}"#,
            .invalid("state.location_permission")
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
            #"""
            {"updateMask":"focus","state":{"focus":{"filters":[
            {"appId":"a","mode":1},{"appId":"a","mode":1}]}}}
            """#,
            .invalid("state.focus.filters[1].app_id")
        ),
        Case(
            .updateDeviceState,
            #"{"updateMask":"focus","state":{"focus":{"filters":[{"appId":"a"}]}}}"#,
            .invalid("state.focus.filters[0].mode")
        ),
        Case(
            .updateDeviceState,
            #"{"updateMask":"focus","state":{"focus":{"filters":[{"appId":"a","mode":3}]}}}"#,
            .invalid("state.focus.filters[0].mode")
        ),
        Case(.listNotificationCenter, #"{"pageSize":1001}"#, .invalid("page_size")),
        Case(
            .listNotificationCenter,
            #"{"pageToken":"00"}"#,
            invalid("PAGE_TOKEN_INVALID", "page_token")
        ),
        Case(
            .listNotificationCenter,
            #"{"appIds":["a","a$b"]}"#,
            invalid("APP_ID_INVALID", "app_ids[1]")
        ),
        Case(.listNotificationCenter, #"{"appIds":\#(tooMany)}"#, .invalid("app_ids")),
        Case(.respond, #"{"defaultAction":{}}"#, invalid("RESPONSE_INVALID", "target")),
        Case(.respond, #"{\#(a)}"#, invalid("RESPONSE_INVALID", "act")),
        Case(.respond, #"{\#(a),"media":1}"#, invalid("RESPONSE_INVALID", "media")),
        Case(
            .respond,
            #"{"deviceId":"other",\#(a),"defaultAction":{}}"#,
            .invalid("notification.center.device_id")
        ),
        Case(.dismiss, #"{"all":{}}"#, .invalid("kind")),
        Case(.dismiss, #"{"all":{},"kind":0}"#, .invalid("kind")),
        Case(.dismiss, #"{"kind":1}"#, invalid("DISMISS_INVALID", "target")),
        Case(.dismiss, #"{"all":{},"kind":2}"#, invalid("DISMISS_INVALID", "kind")),
        Case(.dismiss, #"{"all":{},"kind":3}"#, .invalid("kind")),
        Case(
            .dismiss,
            #"{"groupId":"nothing","kind":1}"#,
            Expected(.notFound, "GROUP_NOT_FOUND", "group_id")
        ),
    ]
}
