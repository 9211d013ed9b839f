/// A field of a command that may be wrong, by its name among the domain's words.
///
/// The names are stored, and the service makes the wire's names from them.
package enum Field: String, Hashable, Sendable, CaseIterable {
    // A command as a whole.
    case after, by, center, device, app, apps, count, idempotencyKey, listedApps, offset, order, to
    case toNextDue

    // A request and its content.
    case request, requests, content, identifier
    case attachments, badge, categoryIdentifier, filterCriteria, launchImageName, localizedBody
    case localizedSubtitle, localizedTitle, relevanceScore, sound, summaryArgument
    case summaryArgumentCount, targetContentIdentifier, threadIdentifier, userInfo
    case name, volume
    case file, thumbnailClippingRect, thumbnailFrame, thumbnailOffset
    case communication, avatar, conversation, groupName, recipients, sender
    case arguments, key

    // A trigger.
    case trigger, calendar, dateComponents, interval, timeInterval, timeZone
    case day, dayOfYear, era, firstWeekday, hour, minimumDaysInFirstWeek, minute, month
    case nanosecond, quarter, second, weekOfMonth, weekOfYear, weekday, weekdayOrdinal, year
    case yearForWeekOfYear

    // Categories and actions.
    case actions, categories, hiddenPreviewsBodyPlaceholder, intentIdentifiers
    case localizedHiddenPreviewsBodyPlaceholder, localizedSummaryFormat

    // What a person does.
    case actionIdentifier, answer, group, prompt, text

    // The settings of an app.
    case alertSetting, alertStyle, announcementSetting, authorizationStatus, badgeSetting
    case carPlaySetting, changes, criticalAlertSetting, directMessagesSetting, lockScreenSetting
    case notificationCenterSetting, scheduledDeliverySetting, settings, soundSetting
    case timeSensitiveSetting

    // The state of a device.
    case allowedApps, allowedPeople, filters, focus, languages, summary, times

    // What an app is registered with, its texts and its files.
    case extensions, `extension`, icon, iconFile, kind, language, names, other, plural
    case registration, strings
    case byteCount, data, fileName, mediaType, metadata, sha256, typeHint

    // Registrations for pushes.
    case environment, tags, token

    // Subscriptions.
    case resumedSubscription, subscription
}
