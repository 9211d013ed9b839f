internal import NotificationProtocol
internal import SwiftProtobuf
internal import Testing

struct DescriptorSetTests {
    private let set: Google_Protobuf_FileDescriptorSet

    init() throws {
        set = try Google_Protobuf_FileDescriptorSet(serializedBytes: DescriptorSet.bytes)
    }

    @Test("Reflection finds each service with its methods")
    func services() {
        let services = set.file.filter { $0.package == "belfry.v1" }.flatMap(\.service)
        let methods = Dictionary(
            uniqueKeysWithValues: services.map { ($0.name, $0.method.map(\.name)) }
        )
        #expect(
            methods == [
                "ServerService": ["GetServerInfo"],
                "InstallationService": [
                    "RegisterApp", "UnregisterApp", "SetStringTable", "ListStringTables",
                    "SetSound", "ListSounds",
                ],
                "NotificationCenterService": [
                    "RequestAuthorization", "GetNotificationSettings", "SetNotificationCategories",
                    "GetNotificationCategories", "UpsertNotificationCategories",
                    "RemoveNotificationCategories", "Add", "AddBatch", "Schedule", "ListPending",
                    "ListUpcoming", "ListTriggerDates", "RemovePending", "RemoveAllPending",
                    "SkipNext", "ListDelivered",
                    "RemoveDelivered", "RemoveAllDelivered", "SetBadgeCount",
                    "RegisterForRemoteNotifications", "UnregisterForRemoteNotifications",
                ],
                "DelegateService": [
                    "Subscribe", "UpdateAppState", "CompleteWillPresent", "AwaitAnswer",
                    "CompleteResponse", "CompleteBackgroundPush",
                ],
                "ExtensionService": [
                    "Serve", "CompleteServiceExtension", "CompleteContentExtension",
                    "GetNotificationActions", "SetNotificationActions", "UpdateContentView",
                    "PerformDefaultAction", "DismissContentExtension",
                ],
                "DeviceService": [
                    "WatchDevice", "GetDeviceState", "UpdateDeviceState", "ListApps",
                    "UpdateSettings", "AnswerAuthorizationPrompt", "ListNotificationCenter",
                    "OpenNotification", "CloseNotification", "Respond", "Dismiss", "Snooze",
                    "ListSnoozed", "ListHistory", "OpenSettings", "CreateWebPushSubscription",
                    "ListWebPushSubscriptions", "DeleteWebPushSubscription", "ReportLocation",
                    "ReportBeacons",
                ],
                "PushService": [
                    "Push", "PushToTags", "GetPushStatus", "CancelPush", "WithdrawNotifications",
                    "ListRegistrations", "SetTags",
                ],
                "RichPushService": [
                    "CreateRichPush", "GetRichPush", "ListRichPushes", "DownloadRichPayload",
                    "MarkRichPushRead",
                ],
                "AttachmentService": [
                    "UploadAttachment", "PutAttachment", "GetAttachment", "ListAttachments",
                    "DownloadAttachment",
                ],
                "AdminService": [
                    "GetStats", "Backup", "GetClock", "AdvanceClock", "SetClock", "Suspend",
                    "ListCallers", "ListDamagedRows", "CreateToken", "ListTokens", "RevokeToken",
                    "RevokeDeviceToken",
                ],
            ]
        )
    }

    @Test("Each file that another imports is there")
    func imports() {
        let names = Set(set.file.map(\.name))
        for file in set.file {
            #expect(names.isSuperset(of: file.dependency), "\(file.name)")
        }
    }

    @Test("Each rpc has messages of its own")
    func messages() {
        let own = set.file.filter { $0.package == "belfry.v1" }
        for method in own.flatMap(\.service).flatMap(\.method) {
            #expect(method.inputType == ".belfry.v1.\(method.name)Request")
            #expect(method.outputType == ".belfry.v1.\(method.name)Response")
        }
    }

    @Test("An enum's first value is 0, and all carry the enum's name")
    func enums() {
        for file in set.file where file.package == "belfry.v1" {
            for type in file.enumType {
                #expect(type.value.first?.number == 0, "\(type.name)")
                let prefix = Self.screaming(type.name) + "_"
                #expect(type.value.allSatisfy { $0.name.hasPrefix(prefix) }, "\(type.name)")
            }
        }
    }

    /// Gives "PRESENTATION_OPTION" for "PresentationOption".
    private static func screaming(_ name: String) -> String {
        var words = ""
        for character in name {
            if character.isUppercase, !words.isEmpty { words.append("_") }
            words += character.uppercased()
        }
        return words
    }
}
