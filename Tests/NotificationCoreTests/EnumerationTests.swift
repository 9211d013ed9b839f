internal import NotificationCore
internal import Testing

/// The numbers are stored and are the wire's, so none may ever change.
@Suite("Apple's numbers (§2)")
struct EnumerationTests {
    @Test("2.1: Authorization options")
    func authorizationOptions() {
        let all: [AuthorizationOptions] = [
            .badge, .sound, .alert, .carPlay, .criticalAlert, .providesAppNotificationSettings,
            .provisional, .announcement, .timeSensitive,
        ]
        #expect(all.map(\.rawValue) == [1, 2, 4, 8, 16, 32, 64, 128, 256])
    }

    @Test("2.2-2.5: Settings")
    func settings() {
        let statuses: [AuthorizationStatus] = [
            .notDetermined, .denied, .authorized, .provisional, .ephemeral,
        ]
        #expect(statuses.map(\.rawValue) == [0, 1, 2, 3, 4])
        let settings: [NotificationSetting] = [.notSupported, .disabled, .enabled]
        #expect(settings.map(\.rawValue) == [0, 1, 2])
        #expect([AlertStyle.none, .banner, .alert].map(\.rawValue) == [0, 1, 2])
        let previews: [ShowPreviews] = [.always, .whenAuthenticated, .never]
        #expect(previews.map(\.rawValue) == [0, 1, 2])
    }

    @Test("2.1, 2.6-2.8: None is 0")
    func none() {
        #expect(AuthorizationOptions().rawValue == 0)
        #expect(ActionOptions().rawValue == 0)
        #expect(CategoryOptions().rawValue == 0)
        #expect(PresentationOptions().rawValue == 0)
    }

    @Test("2.2-2.5, 2.9, 2.10: There are no others")
    func counts() {
        #expect(AuthorizationStatus.allCases.count == 5)
        #expect(NotificationSetting.allCases.count == 3)
        #expect(AlertStyle.allCases.count == 3)
        #expect(ShowPreviews.allCases.count == 3)
        #expect(UNErrorCode.allCases.count == 12)
        #expect(InterruptionLevel.allCases.count == 4)
    }

    @Test("2.6: Action options")
    func actionOptions() {
        let all: [ActionOptions] = [.authenticationRequired, .destructive, .foreground]
        #expect(all.map(\.rawValue) == [1, 2, 4])
    }

    @Test("2.7: Category options")
    func categoryOptions() {
        let all: [CategoryOptions] = [
            .customDismissAction, .allowInCarPlay, .hiddenPreviewsShowTitle,
            .hiddenPreviewsShowSubtitle, .allowAnnouncement,
        ]
        #expect(all.map(\.rawValue) == [1, 2, 4, 8, 16])
    }

    @Test("2.8: Presentation options")
    func presentationOptions() {
        let all: [PresentationOptions] = [.badge, .sound, .alert, .list, .banner]
        #expect(all.map(\.rawValue) == [1, 2, 4, 8, 16])
    }

    @Test("2.10: Interruption levels, in their order")
    func interruptionLevels() {
        let all: [InterruptionLevel] = [.passive, .active, .timeSensitive, .critical]
        #expect(all.map(\.rawValue) == [0, 1, 2, 3])
        #expect(all.sorted() == all)
    }

    @Test("2.9: The errors that Apple numbered carry its numbers")
    func errors() {
        #expect(Refusal.notAllowed(.denied).unErrorCode == 1)
        #expect(Refusal.notAllowed(.denied).kind == .permissionDenied)
        #expect(Refusal.attachmentNotInDataStore([.badge]).unErrorCode == 103)
        #expect(Refusal.attachmentNotInDataStore([.badge]).kind == .notFound)
        #expect(Refusal.noContent([.badge]).unErrorCode == 1401)
        #expect(Refusal.noContent([.badge]).kind == .invalidArgument)
        #expect(Refusal.badgeInvalid([.badge]).unErrorCode == 1600)
        #expect(Refusal.badgeInvalid([.badge]).kind == .invalidArgument)
    }

    struct ErrorRow: CustomTestStringConvertible, Sendable {
        let number: Int
        let code: UNErrorCode
        let kind: Refusal.Kind
        let reason: Reason
        let testDescription: String

        init(
            _ name: String,
            _ number: Int,
            _ code: UNErrorCode,
            _ kind: Refusal.Kind,
            _ reason: Reason
        ) {
            testDescription = "2.9 \(name)"
            self.number = number
            self.code = code
            self.kind = kind
            self.reason = reason
        }
    }

    @Test(
        "2.9: Each of Apple's errors has its number, its status and its reason",
        arguments: [
            ErrorRow(
                "notificationsNotAllowed",
                1,
                .notificationsNotAllowed,
                .permissionDenied,
                .notificationsNotAllowed
            ),
            ErrorRow(
                "attachmentInvalidURL",
                100,
                .attachmentInvalidURL,
                .invalidArgument,
                .attachmentInvalidURL
            ),
            ErrorRow(
                "attachmentUnrecognizedType",
                101,
                .attachmentUnrecognizedType,
                .invalidArgument,
                .attachmentUnrecognizedType
            ),
            ErrorRow(
                "attachmentInvalidFileSize",
                102,
                .attachmentInvalidFileSize,
                .invalidArgument,
                .attachmentInvalidFileSize
            ),
            ErrorRow(
                "attachmentNotInDataStore",
                103,
                .attachmentNotInDataStore,
                .notFound,
                .attachmentNotInDataStore
            ),
            ErrorRow(
                "attachmentMoveIntoDataStoreFailed",
                104,
                .attachmentMoveIntoDataStoreFailed,
                .internalError,
                .attachmentMoveIntoDataStoreFailed
            ),
            ErrorRow(
                "attachmentCorrupt",
                105,
                .attachmentCorrupt,
                .invalidArgument,
                .attachmentCorrupt
            ),
            ErrorRow(
                "notificationInvalidNoDate",
                1400,
                .notificationInvalidNoDate,
                .invalidArgument,
                .notificationInvalidNoDate
            ),
            ErrorRow(
                "notificationInvalidNoContent",
                1401,
                .notificationInvalidNoContent,
                .invalidArgument,
                .notificationInvalidNoContent
            ),
            ErrorRow(
                "contentProvidingObjectNotAllowed",
                1500,
                .contentProvidingObjectNotAllowed,
                .invalidArgument,
                .contentProvidingObjectNotAllowed
            ),
            ErrorRow(
                "contentProvidingInvalid",
                1501,
                .contentProvidingInvalid,
                .invalidArgument,
                .contentProvidingInvalid
            ),
            ErrorRow(
                "badgeInputInvalid",
                1600,
                .badgeInputInvalid,
                .invalidArgument,
                .badgeInputInvalid
            ),
        ]
    )
    func errorNumber(_ row: ErrorRow) {
        #expect(row.code.rawValue == row.number)
        let refusal = Refusal(row.code, [.content], "is wrong")
        #expect(refusal.kind == row.kind)
        #expect(refusal.reason == row.reason)
        #expect(refusal.unErrorCode == row.number)
        #expect(refusal.fields == [Refusal.WrongField([.content], "is wrong")])
        #expect(refusal.message == "is wrong")
    }

    @Test("2.9: The refusals that are made elsewhere agree")
    func refusals() {
        for refusal in [
            Refusal.notAllowed(.denied), .notAllowed(.notAsked),
            .attachmentNotInDataStore([.badge]),
            .noContent([.badge]), .badgeInvalid([.badge]),
        ] {
            let code = refusal.unErrorCode.flatMap(UNErrorCode.init)
            #expect(code?.kind == refusal.kind)
            #expect(code?.reason == refusal.reason)
        }
        #expect(Refusal.Kind.internalError.rawValue == 13)
    }

    @Test("2.12: String constants")
    func strings() {
        #expect(UNErrorCode.domain == "UNErrorDomain")
        #expect(
            NotificationAction.defaultIdentifier
                == "com.apple.UNNotificationDefaultActionIdentifier"
        )
        #expect(
            NotificationAction.dismissIdentifier
                == "com.apple.UNNotificationDismissActionIdentifier"
        )
        #expect(
            AppExtension.Kind.allCases.map(\.extensionPoint) == [
                "com.apple.usernotifications.service",
                "com.apple.usernotifications.content-extension",
            ]
        )
    }

    @Test("Our own numbers are stored")
    func ownNumbers() {
        let entitlements: [Entitlements] = [.criticalAlerts, .timeSensitive, .filtering]
        #expect(entitlements.map(\.rawValue) == [1, 2, 4])
        #expect(BackgroundModes.remoteNotification.rawValue == 1)
        #expect(AppExtension.Kind.allCases.map(\.rawValue) == [1, 2])
        let kinds: [AuthorizationPrompt.Kind] = [.initial, .upgrade, .quiet]
        #expect(kinds.map(\.rawValue) == [0, 1, 2])
        let deliveries: [AuthorizationPrompt.Delivery] = [.immediately, .scheduledSummary]
        #expect(deliveries.map(\.rawValue) == [0, 1])
        #expect(
            CategoryWarning.Code.allCases.map(\.rawValue) == [
                "ACTION_MEANING_DIFFERS", "ACTIONS_NOT_ALL_SHOWN",
            ]
        )
    }
}
