extension Rpc {
    /// The rpcs of the contract that this version does not answer.
    static let later: Set = [
        "NotificationCenterService/SkipNext",
        "DelegateService/CompleteBackgroundPush",
        "ExtensionService/Serve",
        "ExtensionService/CompleteServiceExtension",
        "ExtensionService/CompleteContentExtension",
        "ExtensionService/GetNotificationActions",
        "ExtensionService/SetNotificationActions",
        "ExtensionService/UpdateContentView",
        "ExtensionService/PerformDefaultAction",
        "ExtensionService/DismissContentExtension",
        "DeviceService/OpenNotification",
        "DeviceService/CloseNotification",
        "DeviceService/ReportLocation",
        "DeviceService/ReportBeacons",
        "PushService/Push",
        "PushService/PushToTags",
        "PushService/GetPushStatus",
        "PushService/WithdrawNotifications",
        "RichPushService/CreateRichPush",
        "RichPushService/GetRichPush",
        "RichPushService/ListRichPushes",
        "RichPushService/DownloadRichPayload",
        "RichPushService/MarkRichPushRead",
    ]
}
