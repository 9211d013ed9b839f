/// Why a command is refused: stable for programs.
///
/// The names are stored, and the service writes them in capitals: ``pendingLimit`` is
/// `PENDING_LIMIT`.
package enum Reason: String, Hashable, Sendable, CaseIterable {
    // The form of a command.
    case batchEmpty, batchTooLarge, identifierInvalid, invalidField, listTooLarge, malformedMessage
    case optionsInvalid, pageTokenInvalid, updateMaskEmpty, updateMaskInvalid
    case appIDInvalid = "appIdInvalid"
    case deviceIDInvalid = "deviceIdInvalid"
    case idempotencyKeyExpired, idempotencyKeyReused

    // A request and its content.
    case badgeInputInvalid, contentProvidingInvalid, contentProvidingObjectNotAllowed
    case contentTooLarge, localizationKeyInvalid, notificationInvalidNoContent, pendingLimit
    case progressInvalid, relevanceScoreInvalid, soundVolumeInvalid, summaryArgumentCountInvalid,
        userInfoInvalid

    // A trigger and the clock.
    case calendarUnsupported, clockNotManual, clockTargetInvalid, dateComponentsInvalid
    case notificationInvalidNoDate, timeIntervalInvalid, timeZoneInvalid, timeZoneUnknown
    case triggerKindInvalid, zonesUnreadable
    case noNextTriggerDate, recurrenceInvalid, recurrenceLimitsInvalid, requestNotPending

    // Regions and the reports of sensors.
    case beaconInvalid, locationInvalid, locationNotAuthorized, regionConflict, regionInvalid
    case regionLimit

    // Categories and actions.
    case actionInvalid, categoryInvalid, categoryLimit, categoryTooLarge

    // Permission, and the person's acts.
    case actWaiting, actionUnknown, answerInvalid, authorizationNotDetermined, dismissInvalid
    case groupNotFound, noAppSettings, notificationNotFound, notificationReplaced
    case notificationsNotAllowed, promptEnded, promptNotFound, responseInvalid, responseLimit
    case settingNotSupported, summaryOff, textNotExpected, textTooLong, unlockTimedOut

    // A snooze.
    case snoozeInvalid, snoozeLimit

    // The dates to come.
    case windowInvalid

    // The state of a device.
    case focusFilterInvalid, focusScheduleInvalid, personInvalid, summaryTimeInvalid

    // Apps, their texts and their files.
    case appLimit, fileBytesLimit, storeBytesLimit
    case appNameInvalid, appNotRegistered, extensionInvalid, languageInvalid, pluralInvalid
    case soundLimit, soundNameInvalid, stringTableTooLarge
    case attachmentCorrupt, attachmentInvalidFileSize
    case attachmentInvalidURL = "attachmentInvalidUrl"
    case attachmentMoveIntoDataStoreFailed, attachmentNotInDataStore, attachmentOffsetInvalid
    case attachmentUnrecognizedType, chunkTooLarge, transferStalled, uploadEnded
    case uploadOrderInvalid

    // Registrations for pushes.
    case badDeviceToken, deviceTokenNotForTopic, expiredToken, missingDeviceToken, pushNotEntitled
    case tagInvalid, tagLimit, unregistered

    // Pushes.
    case badExpirationDate, badPriority, badTopic, invalidPushType, payloadEmpty, payloadInvalid
    case payloadTooLarge
    case badCollapseID = "badCollapseId"
    case badMessageID = "badMessageId"

    // Pushes to many devices and rich pushes.
    case idempotencyKeyRequired, pushLimit, pushNotFound, richPayloadInvalid, richPushNotFound
    case tagExpressionInvalid

    // Subscriptions and callbacks.
    case callbackEnded, callbackUnknown, eventNumberUnknown, eventsTrimmed, notPrimary
    case resumeWithRole, snapshotWithAfter, subscriberStalled, subscriptionLimit
    case subscriptionResumed, subscriptionUnknown

    // Extensions that serve.
    case extensionCategoryTaken, extensionNotServing, extensionReplaced

    // Open notifications.
    case contentViewSpace, contentViewTooLarge, mediaNotPlayable, presentationLimit
    case presentationNotFound

    // The tokens of callers.
    case tokenAmbiguous, tokenLimit, tokenNotFound, tokensUnavailable

    // Browsers that are told while no page is open.
    case webPushLimit, webPushOff

    // The server and its store.
    case backupCancelled, backupFailed, backupRunning, cancelled, outcomeUnknown, overloaded
    case rowDamaged, stopping, storeFull, storeUnreadable
}
