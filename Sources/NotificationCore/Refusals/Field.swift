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
    case localizedSubtitle, localizedTitle, progress, relevanceScore, sound, summaryArgument
    case summaryArgumentCount, targetContentIdentifier, threadIdentifier, userInfo
    case name, volume
    case file, thumbnailClippingRect, thumbnailFrame, thumbnailOffset
    case communication, avatar, conversation, groupName, recipients, sender
    case arguments, key

    // A trigger.
    case trigger, at, calendar, dateComponents, interval, timeInterval, timeZone
    case day, dayOfYear, era, firstWeekday, hour, minimumDaysInFirstWeek, minute, month
    case nanosecond, quarter, second, weekOfMonth, weekOfYear, weekday, weekdayOrdinal, year
    case yearForWeekOfYear
    case anchor, anchoredInterval, calendarStep, endAt, expiresAfter, limits, maxOccurrences
    case replacementKey, shortMonthPolicy, skipDates, startAt, unit, weekdays
    case addedDates, cron, excludedDates, recurrence, rule, start

    // Categories and actions.
    case actions, categories, hiddenPreviewsBodyPlaceholder, intentIdentifiers
    case localizedHiddenPreviewsBodyPlaceholder, localizedSummaryFormat

    // The person's acts.
    case actionIdentifier, answer, group, prompt, text

    // A snooze.
    case duration, snooze, until

    // The settings of an app.
    case alertSetting, alertStyle, announcementSetting, authorizationStatus, badgeSetting
    case carPlaySetting, changes, criticalAlertSetting, directMessagesSetting, lockScreenSetting
    case notificationCenterSetting, scheduledDeliverySetting, settings, soundSetting
    case timeSensitiveSetting

    // The state of a device.
    case allowedApps, allowedPeople, filters, focus, from, languages, schedule, summary
    case times

    // Regions and the reports of sensors.
    case beacon, circular, fixes, latitude, location, longitude, minor, notifyOnEntry
    case radiusMeters, region, sightings, time

    // The registration of an app, its texts and its files.
    case extensions, `extension`, icon, iconFile, kind, language, names, other, plural
    case registration, strings
    case byteCount, data, fileName, mediaType, metadata, sha256, typeHint

    // Registrations for pushes.
    case environment, tags, token

    // Pushes.
    case apnsID = "apnsId"
    case collapse, expiration, headers, payload, priority, topic

    // Pushes to many devices and rich pushes.
    case afterOutcome, deliverAt, message, richType, tagExpression

    // Subscriptions.
    case resumedSubscription, subscription

    // Extensions.
    case callback, initialContentSizeRatio, serving

    // Open notifications.
    case buttonFrame, buttonTintColor, media, presentation, view
}
