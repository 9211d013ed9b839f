internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

enum Rpc: String, CaseIterable, CustomTestStringConvertible {
    case getServerInfo = "ServerService/GetServerInfo"
    case registerApp = "InstallationService/RegisterApp"
    case unregisterApp = "InstallationService/UnregisterApp"
    case setStringTable = "InstallationService/SetStringTable"
    case setSound = "InstallationService/SetSound"
    case listStringTables = "InstallationService/ListStringTables"
    case listSounds = "InstallationService/ListSounds"
    case requestAuthorization = "NotificationCenterService/RequestAuthorization"
    case getNotificationSettings = "NotificationCenterService/GetNotificationSettings"
    case setCategories = "NotificationCenterService/SetNotificationCategories"
    case getCategories = "NotificationCenterService/GetNotificationCategories"
    case upsertCategories = "NotificationCenterService/UpsertNotificationCategories"
    case removeCategories = "NotificationCenterService/RemoveNotificationCategories"
    case add = "NotificationCenterService/Add"
    case schedule = "NotificationCenterService/Schedule"
    case addBatch = "NotificationCenterService/AddBatch"
    case listPending = "NotificationCenterService/ListPending"
    case listUpcoming = "NotificationCenterService/ListUpcoming"
    case listTriggerDates = "NotificationCenterService/ListTriggerDates"
    case removePending = "NotificationCenterService/RemovePending"
    case skipNext = "NotificationCenterService/SkipNext"
    case removeAllPending = "NotificationCenterService/RemoveAllPending"
    case listDelivered = "NotificationCenterService/ListDelivered"
    case removeDelivered = "NotificationCenterService/RemoveDelivered"
    case removeAllDelivered = "NotificationCenterService/RemoveAllDelivered"
    case setBadgeCount = "NotificationCenterService/SetBadgeCount"
    case registerForPushes = "NotificationCenterService/RegisterForRemoteNotifications"
    case unregisterForPushes = "NotificationCenterService/UnregisterForRemoteNotifications"
    case setTags = "PushService/SetTags"
    case listRegistrations = "PushService/ListRegistrations"
    case pushToTags = "PushService/PushToTags"
    case getPushStatus = "PushService/GetPushStatus"
    case cancelPush = "PushService/CancelPush"
    case createRichPush = "RichPushService/CreateRichPush"
    case getRichPush = "RichPushService/GetRichPush"
    case listRichPushes = "RichPushService/ListRichPushes"
    case downloadRichPayload = "RichPushService/DownloadRichPayload"
    case markRichPushRead = "RichPushService/MarkRichPushRead"
    case revokeDeviceToken = "AdminService/RevokeDeviceToken"
    case push = "PushService/Push"
    case withdrawNotifications = "PushService/WithdrawNotifications"
    case completeBackgroundPush = "DelegateService/CompleteBackgroundPush"
    case subscribe = "DelegateService/Subscribe"
    case awaitAnswer = "DelegateService/AwaitAnswer"
    case serve = "ExtensionService/Serve"
    case completeServiceExtension = "ExtensionService/CompleteServiceExtension"
    case completeContentExtension = "ExtensionService/CompleteContentExtension"
    case getNotificationActions = "ExtensionService/GetNotificationActions"
    case setNotificationActions = "ExtensionService/SetNotificationActions"
    case updateContentView = "ExtensionService/UpdateContentView"
    case performDefaultAction = "ExtensionService/PerformDefaultAction"
    case dismissContentExtension = "ExtensionService/DismissContentExtension"
    case openNotification = "DeviceService/OpenNotification"
    case closeNotification = "DeviceService/CloseNotification"
    case listApps = "DeviceService/ListApps"
    case updateSettings = "DeviceService/UpdateSettings"
    case answerPrompt = "DeviceService/AnswerAuthorizationPrompt"
    case updateAppState = "DelegateService/UpdateAppState"
    case completeWillPresent = "DelegateService/CompleteWillPresent"
    case completeResponse = "DelegateService/CompleteResponse"
    case watchDevice = "DeviceService/WatchDevice"
    case getDeviceState = "DeviceService/GetDeviceState"
    case updateDeviceState = "DeviceService/UpdateDeviceState"
    case listNotificationCenter = "DeviceService/ListNotificationCenter"
    case respond = "DeviceService/Respond"
    case dismiss = "DeviceService/Dismiss"
    case snooze = "DeviceService/Snooze"
    case listSnoozed = "DeviceService/ListSnoozed"
    case listHistory = "DeviceService/ListHistory"
    case createWebPush = "DeviceService/CreateWebPushSubscription"
    case listWebPushes = "DeviceService/ListWebPushSubscriptions"
    case deleteWebPush = "DeviceService/DeleteWebPushSubscription"
    case listCallers = "AdminService/ListCallers"
    case listDamagedRows = "AdminService/ListDamagedRows"
    case createToken = "AdminService/CreateToken"
    case listTokens = "AdminService/ListTokens"
    case revokeToken = "AdminService/RevokeToken"
    case openSettings = "DeviceService/OpenSettings"
    case reportLocation = "DeviceService/ReportLocation"
    case reportBeacons = "DeviceService/ReportBeacons"
    case uploadAttachment = "AttachmentService/UploadAttachment"
    case putAttachment = "AttachmentService/PutAttachment"
    case getAttachment = "AttachmentService/GetAttachment"
    case listAttachments = "AttachmentService/ListAttachments"
    case downloadAttachment = "AttachmentService/DownloadAttachment"
    case getStats = "AdminService/GetStats"
    case backup = "AdminService/Backup"
    case getClock = "AdminService/GetClock"
    case advanceClock = "AdminService/AdvanceClock"
    case setClock = "AdminService/SetClock"
    case suspend = "AdminService/Suspend"

    var path: String { "/belfry.v1.\(rawValue)" }

    var isStream: Bool {
        [
            .subscribe, .serve, .backup, .watchDevice, .uploadAttachment, .downloadAttachment,
            .pushToTags, .downloadRichPayload, .awaitAnswer, .schedule,
        ].contains(self)
    }

    /// Whether it is about a center.
    var isOfCenter: Bool {
        let ofServer: [Rpc] = [
            .getServerInfo, .getStats, .backup, .getClock, .advanceClock, .setClock, .suspend,
            .listApps, .answerPrompt, .schedule,
            .watchDevice, .getDeviceState, .updateDeviceState, .listNotificationCenter, .respond,
            .snooze, .listSnoozed, .listHistory, .listCallers, .listDamagedRows,
            .createToken, .listTokens, .revokeToken, .createWebPush, .listWebPushes, .deleteWebPush,
            .dismiss, .setStringTable, .setSound, .uploadAttachment, .putAttachment,
            .getAttachment, .listAttachments, .listSounds, .listStringTables,
            .downloadAttachment, .setTags, .listRegistrations,
            .revokeDeviceToken, .serve, .completeServiceExtension, .push, .withdrawNotifications,
            .reportLocation, .reportBeacons, .pushToTags, .getPushStatus, .cancelPush,
            .createRichPush,
            .completeContentExtension, .getNotificationActions, .setNotificationActions,
            .updateContentView, .performDefaultAction, .dismissContentExtension,
            .openNotification, .closeNotification,
        ]
        return !ofServer.contains(self)
    }

    /// Whether it registers an app that is new.
    var registers: Bool {
        [.requestAuthorization, .registerApp, .setCategories, .registerForPushes].contains(self)
    }

    /// Whether it takes an idempotency key.
    var isMutation: Bool {
        [
            .requestAuthorization, .add, .addBatch, .removePending, .removeAllPending, .skipNext,
            .removeDelivered, .removeAllDelivered, .setBadgeCount, .advanceClock,
            .setClock, .suspend, .registerApp, .unregisterApp, .setCategories, .upsertCategories,
            .removeCategories, .updateSettings, .answerPrompt, .updateAppState,
            .completeWillPresent, .completeResponse, .updateDeviceState, .respond, .dismiss,
            .snooze,
            .openSettings, .setStringTable, .putAttachment, .setSound, .registerForPushes,
            .unregisterForPushes, .setTags, .revokeDeviceToken, .push, .withdrawNotifications,
            .reportLocation, .reportBeacons, .completeServiceExtension, .completeBackgroundPush,
            .cancelPush, .createRichPush, .markRichPushRead,
            .completeContentExtension, .setNotificationActions, .updateContentView,
            .performDefaultAction, .dismissContentExtension, .openNotification,
            .closeNotification, .createToken, .revokeToken, .createWebPush, .deleteWebPush,
        ].contains(self)
    }

    /// Whether a right request needs a result of another call, so that ``request`` is refused.
    var needsOtherCalls: Bool {
        [
            .snooze, .awaitAnswer, .schedule,
            .skipNext,
            .updateAppState, .completeWillPresent, .completeResponse, .respond, .openSettings,
            .uploadAttachment, .getAttachment, .downloadAttachment, .setTags, .revokeDeviceToken,
            .completeServiceExtension,
            .push, .withdrawNotifications, .completeBackgroundPush,
            .pushToTags, .getPushStatus, .cancelPush, .getRichPush, .downloadRichPayload,
            .markRichPushRead,
            .completeContentExtension, .getNotificationActions, .setNotificationActions,
            .updateContentView, .performDefaultAction, .dismissContentExtension,
            .openNotification, .createToken, .listTokens, .revokeToken,
            .createWebPush, .listWebPushes, .deleteWebPush,
        ].contains(self)
    }

    /// A request in JSON that is right, but for the center.
    var request: String {
        switch self {
        case .requestAuthorization: #"{"options":["AUTHORIZATION_OPTION_ALERT"]}"#
        case .setStringTable:
            #"{"appId":"org.example.app","language":"en","#
                + #""strings":[{"key":"k","value":{"text":"Text"}}]}"#
        case .add: #"{"request":{"content":{"title":"Title"}}}"#
        case .addBatch: #"{"requests":[{"content":{"title":"Title"}}]}"#
        case .setCategories, .upsertCategories: #"{"categories":[{"identifier":"c"}]}"#
        case .updateSettings:
            #"{"settings":{"alertSetting":"NOTIFICATION_SETTING_DISABLED"},"#
                + #""updateMask":"alertSetting"}"#
        // The request is right where there is such a prompt; TestService.quietPrompt() opens one.
        case .answerPrompt: #"{"promptId":"1","answer":"PROMPT_ANSWER_KEEP"}"#
        case .removePending, .removeDelivered, .removeCategories: #"{"identifiers":["a","b"]}"#
        case .advanceClock, .suspend: #"{"by":"0s"}"#
        case .setClock: #"{"to":"2026-01-01T00:00:00Z"}"#
        case .updateAppState: #"{"subscriptionId":"a","appState":"APP_STATE_FOREGROUND"}"#
        case .completeWillPresent:
            #"{"subscriptionId":"a","answers":[{"callbackId":"1","presentation":{}}]}"#
        case .updateDeviceState:
            #"{"deviceId":"other","state":{"locked":true},"updateMask":"locked"}"#
        case .respond:
            #"""
            {"notification":{"center":{"appId":"a"},"identifier":"a","delivery":"1"},
            "defaultAction":{}}
            """#
        case .snooze:
            #"{"notification":{"center":{"appId":"a"},"identifier":"a","delivery":"1"},"#
                + #""duration":"60s"}"#
        case .dismiss: #"{"all":{},"kind":"DISMISS_KIND_CLEAR"}"#
        case .setSound: #"{"appId":"org.example","name":"a"}"#
        case .skipNext: #"{"identifier":"a"}"#
        case .putAttachment:
            #"{"appId":"org.example","metadata":{"fileName":"a","purpose":3},"data":"AAAA"}"#
        case .setTags: #"{"appId":"org.example","token":"ab","tags":["news"]}"#
        case .push: #"{"token":"ab","payloadJson":"{}"}"#
        case .withdrawNotifications: #"{"appId":"org.example","token":"ab"}"#
        case .completeBackgroundPush:
            #"{"subscriptionId":"a","answers":[{"callbackId":"1","result":0}]}"#
        case .listTriggerDates: #"{"trigger":{"timeInterval":{"interval":"60s"}}}"#
        case .listRegistrations, .listAttachments, .listSounds, .listStringTables, .listHistory:
            #"{"appId":"org.example"}"#
        case .pushToTags: #"{"appId":"org.example","payloadJson":"{}"}"#
        case .getPushStatus, .cancelPush: #"{"appId":"org.example","pushId":"1"}"#
        case .createRichPush: #"{"appId":"org.example","payload":"AAAA"}"#
        case .getRichPush, .downloadRichPayload, .markRichPushRead: #"{"richId":"1"}"#
        case .revokeDeviceToken: #"{"token":"ab","revocation":"TOKEN_REVOCATION_EXPIRED"}"#
        case .createToken: #"{"name":"a","roles":["admin"]}"#
        case .revokeToken: #"{"id":"a"}"#
        case .serve:
            #"{"appId":"org.example","extension":{"extensionId":"org.example.a","kind":1}}"#
        case .completeServiceExtension:
            #"{"appId":"org.example","servingId":"a","callbackId":"1.1"}"#
        case .completeContentExtension:
            #"{"appId":"org.example","servingId":"a","callbackId":"1.1","responseOption":0}"#
        case .getNotificationActions, .setNotificationActions, .performDefaultAction,
            .dismissContentExtension:
            #"{"appId":"org.example","presentationId":"01890a5d-ac96-774b-bcce-b302099a8057"}"#
        case .updateContentView:
            #"{"appId":"org.example","presentationId":"01890a5d-ac96-774b-bcce-b302099a8057","#
                + #""view":{"mediaType":"text/plain"}}"#
        case .openNotification:
            #"{"notification":{"center":{"appId":"a"},"identifier":"a","delivery":"1"}}"#
        case .closeNotification:
            #"{"presentationId":"01890a5d-ac96-774b-bcce-b302099a8057"}"#
        case .awaitAnswer: #"{"identifier":"a","requestNumber":"1"}"#
        case .completeResponse: #"{"subscriptionId":"a","answers":[{"callbackId":"1"}]}"#
        case .reportLocation: #"{"fixes":[{"latitude":1}]}"#
        default: "{}"
        }
    }

    var testDescription: String { rawValue }

    private var requestType: any Message.Type {
        switch self {
        case .getServerInfo: Belfry_V1_GetServerInfoRequest.self
        case .registerApp: Belfry_V1_RegisterAppRequest.self
        case .unregisterApp: Belfry_V1_UnregisterAppRequest.self
        case .setStringTable: Belfry_V1_SetStringTableRequest.self
        case .setSound: Belfry_V1_SetSoundRequest.self
        case .requestAuthorization: Belfry_V1_RequestAuthorizationRequest.self
        case .getNotificationSettings: Belfry_V1_GetNotificationSettingsRequest.self
        case .setCategories: Belfry_V1_SetNotificationCategoriesRequest.self
        case .getCategories: Belfry_V1_GetNotificationCategoriesRequest.self
        case .upsertCategories: Belfry_V1_UpsertNotificationCategoriesRequest.self
        case .removeCategories: Belfry_V1_RemoveNotificationCategoriesRequest.self
        case .add: Belfry_V1_AddRequest.self
        case .schedule: Belfry_V1_ScheduleRequest.self
        case .addBatch: Belfry_V1_AddBatchRequest.self
        case .listPending: Belfry_V1_ListPendingRequest.self
        case .listUpcoming: Belfry_V1_ListUpcomingRequest.self
        case .listTriggerDates: Belfry_V1_ListTriggerDatesRequest.self
        case .removePending: Belfry_V1_RemovePendingRequest.self
        case .skipNext: Belfry_V1_SkipNextRequest.self
        case .removeAllPending: Belfry_V1_RemoveAllPendingRequest.self
        case .listDelivered: Belfry_V1_ListDeliveredRequest.self
        case .removeDelivered: Belfry_V1_RemoveDeliveredRequest.self
        case .removeAllDelivered: Belfry_V1_RemoveAllDeliveredRequest.self
        case .setBadgeCount: Belfry_V1_SetBadgeCountRequest.self
        case .registerForPushes: Belfry_V1_RegisterForRemoteNotificationsRequest.self
        case .unregisterForPushes: Belfry_V1_UnregisterForRemoteNotificationsRequest.self
        case .setTags: Belfry_V1_SetTagsRequest.self
        case .listRegistrations: Belfry_V1_ListRegistrationsRequest.self
        case .pushToTags: Belfry_V1_PushToTagsRequest.self
        case .getPushStatus: Belfry_V1_GetPushStatusRequest.self
        case .cancelPush: Belfry_V1_CancelPushRequest.self
        case .createRichPush: Belfry_V1_CreateRichPushRequest.self
        case .getRichPush: Belfry_V1_GetRichPushRequest.self
        case .listRichPushes: Belfry_V1_ListRichPushesRequest.self
        case .downloadRichPayload: Belfry_V1_DownloadRichPayloadRequest.self
        case .markRichPushRead: Belfry_V1_MarkRichPushReadRequest.self
        case .revokeDeviceToken: Belfry_V1_RevokeDeviceTokenRequest.self
        case .push: Belfry_V1_PushRequest.self
        case .withdrawNotifications: Belfry_V1_WithdrawNotificationsRequest.self
        case .completeBackgroundPush: Belfry_V1_CompleteBackgroundPushRequest.self
        case .subscribe: Belfry_V1_SubscribeRequest.self
        case .awaitAnswer: Belfry_V1_AwaitAnswerRequest.self
        case .serve: Belfry_V1_ServeRequest.self
        default: laterRequestType
        }
    }

    private var laterRequestType: any Message.Type {
        switch self {
        case .completeServiceExtension: Belfry_V1_CompleteServiceExtensionRequest.self
        case .completeContentExtension: Belfry_V1_CompleteContentExtensionRequest.self
        case .getNotificationActions: Belfry_V1_GetNotificationActionsRequest.self
        case .setNotificationActions: Belfry_V1_SetNotificationActionsRequest.self
        case .updateContentView: Belfry_V1_UpdateContentViewRequest.self
        case .performDefaultAction: Belfry_V1_PerformDefaultActionRequest.self
        case .dismissContentExtension: Belfry_V1_DismissContentExtensionRequest.self
        case .openNotification: Belfry_V1_OpenNotificationRequest.self
        case .closeNotification: Belfry_V1_CloseNotificationRequest.self
        case .listApps: Belfry_V1_ListAppsRequest.self
        case .updateSettings: Belfry_V1_UpdateSettingsRequest.self
        case .answerPrompt: Belfry_V1_AnswerAuthorizationPromptRequest.self
        case .updateAppState: Belfry_V1_UpdateAppStateRequest.self
        case .completeWillPresent: Belfry_V1_CompleteWillPresentRequest.self
        case .completeResponse: Belfry_V1_CompleteResponseRequest.self
        case .watchDevice: Belfry_V1_WatchDeviceRequest.self
        case .getDeviceState: Belfry_V1_GetDeviceStateRequest.self
        case .updateDeviceState: Belfry_V1_UpdateDeviceStateRequest.self
        case .listNotificationCenter: Belfry_V1_ListNotificationCenterRequest.self
        case .respond: Belfry_V1_RespondRequest.self
        case .dismiss: Belfry_V1_DismissRequest.self
        case .snooze: Belfry_V1_SnoozeRequest.self
        case .listSnoozed: Belfry_V1_ListSnoozedRequest.self
        case .listHistory: Belfry_V1_ListHistoryRequest.self
        case .createWebPush: Belfry_V1_CreateWebPushSubscriptionRequest.self
        case .listWebPushes: Belfry_V1_ListWebPushSubscriptionsRequest.self
        case .deleteWebPush: Belfry_V1_DeleteWebPushSubscriptionRequest.self
        case .listCallers: Belfry_V1_ListCallersRequest.self
        case .listDamagedRows: Belfry_V1_ListDamagedRowsRequest.self
        case .createToken: Belfry_V1_CreateTokenRequest.self
        case .listTokens: Belfry_V1_ListTokensRequest.self
        case .revokeToken: Belfry_V1_RevokeTokenRequest.self
        case .openSettings: Belfry_V1_OpenSettingsRequest.self
        case .reportLocation: Belfry_V1_ReportLocationRequest.self
        case .reportBeacons: Belfry_V1_ReportBeaconsRequest.self
        case .uploadAttachment: Belfry_V1_UploadAttachmentRequest.self
        case .putAttachment: Belfry_V1_PutAttachmentRequest.self
        case .getAttachment: Belfry_V1_GetAttachmentRequest.self
        case .listAttachments: Belfry_V1_ListAttachmentsRequest.self
        case .listSounds: Belfry_V1_ListSoundsRequest.self
        case .listStringTables: Belfry_V1_ListStringTablesRequest.self
        case .downloadAttachment: Belfry_V1_DownloadAttachmentRequest.self
        case .getStats: Belfry_V1_GetStatsRequest.self
        case .backup: Belfry_V1_BackupRequest.self
        case .getClock: Belfry_V1_GetClockRequest.self
        case .advanceClock: Belfry_V1_AdvanceClockRequest.self
        case .setClock: Belfry_V1_SetClockRequest.self
        case .suspend: Belfry_V1_SuspendRequest.self
        default: preconditionFailure("\(self) has its type above")
        }
    }

    /// Encodes a request of this rpc that is written in JSON, for the center of `app`.
    func encode(_ json: String, app: String?) throws -> [UInt8] {
        let request: [UInt8] = try requestType.init(jsonString: json).serializedBytes()
        guard let app, isOfCenter else { return request }
        // Messages one after the other are merged, and all of these have the center in field 1.
        let center = Belfry_V1_GetNotificationSettingsRequest.with { $0.center.appID = app }
        return request + (try center.serializedBytes() as [UInt8])
    }
}
