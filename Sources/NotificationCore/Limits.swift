/// The domain's limits, each with its reason.
package enum Limits {
    /// Bytes of an app's identifier: what Apple allows a bundle identifier.
    package static let appIDBytes = 155
    /// Bytes of a device's name: room for a UUID with a prefix; both names fit one store key.
    package static let deviceIDBytes = 128
    /// UTF-8 bytes of a request's identifier; it is part of a store key.
    package static let identifierBytes = 256
    /// UTF-8 bytes of an attachment's file name: the longest name of a file.
    package static let fileNameBytes = 256
    /// Bytes of the type that a caller names for a file: several times the longest known type.
    package static let typeHintBytes = 256
    /// Bytes of a media type: what RFC 6838 allows each of its two parts.
    package static let mediaTypeBytes = 255
    /// Bytes of the files of one app together (ATT-10): 200 MiB.
    package static let attachmentBytesPerApp = 200 << 20
    /// Files of one app: ``attachmentBytesPerApp`` in files of 20 KiB, so that small files do not
    /// fill the disk.
    package static let attachmentsPerApp = 10_000
    /// How long an unreferenced file is kept, in nanoseconds: 24 h (attachment.proto).
    package static let unreferencedNanoseconds = 24 * 3600 * Int64.nanosecondsPerSecond
    /// UTF-8 bytes of a sound's name: the longest name of a file.
    package static let soundNameBytes = 256
    /// Bytes of a request's content without attachments (C-1).
    package static let contentBytes = 64 * 1024
    /// Attachments of a notification, which shows one of them: more than a person looks through.
    package static let attachments = 1_024
    /// How deep the user info may nest, so that a sender cannot overflow a reader's stack.
    package static let userInfoDepth = 64
    /// The longest interval of a trigger, 100 years (TI-1), in nanoseconds.
    package static let intervalNanoseconds = 100 * 365_250 * 86_400 * 1_000_000
    /// The shortest interval of a repeating trigger (§7.2), in nanoseconds.
    package static let repeatingIntervalNanoseconds = 60 * Int64.nanosecondsPerSecond
    /// Days that a recurrence leaves out: each day of a year (CAL-11).
    package static let skippedDays = 366
    /// UTF-8 bytes of a recurrence's rule: several times the longest of calendars in use (REC-3).
    package static let recurrenceBytes = 2_048
    /// Dates of a recurrence beside its rule, and dates that it leaves out (REC-3).
    package static let recurrenceDates = 366
    /// The number of times to which a recurrence can count (REC-3).
    package static let recurrenceCount = 100_000
    /// Periods and days that a search for a recurrence's next time, or for that with the last
    /// number, looks at: each day of 60 years (REC-7).
    package static let recurrenceSteps = 25_000
    /// Periods and days after which the occurrences that a late firing stands for are counted no
    /// further: each day of 27 years (REC-7).
    package static let passedSteps = 10_000
    /// Units of a calendar step.
    package static let calendarStepCount = 1_000
    /// How late a one-shot request is still delivered after down time (D-8), in nanoseconds.
    package static let latenessNanoseconds = 24 * 3600 * Int64.nanosecondsPerSecond
    /// The most by which two zones show different times: from UTC-12 to UTC+14.
    package static let zoneDifferenceNanoseconds = 26 * 3600 * Int64.nanosecondsPerSecond
    /// How long an app may take to say how to present a notification (D-14).
    package static let willPresentNanoseconds = 5 * Int64.nanosecondsPerSecond
    /// How long a service extension may take for a push (NSE-3).
    package static let serviceExtensionNanoseconds: Int64 = 30_000_000_000
    /// How long before its deadline a service extension is told that its time ends (NSE-11).
    package static let expiringNanoseconds: Int64 = 3_000_000_000
    /// How long a response waits for its app (D-15).
    package static let responseNanoseconds = 7 * 24 * 3600 * Int64.nanosecondsPerSecond
    /// How long an action waits until its device is unlocked, in nanoseconds: 30 s (W-20).
    package static let unlockNanoseconds = 30 * Int64.nanosecondsPerSecond
    /// How long a person can act on a banner without an entry in the list: 30 s (D-26).
    package static let bannerNanoseconds = 30 * Int64.nanosecondsPerSecond
    /// The longest snooze: a year (SNZ-1), in nanoseconds.
    package static let snoozeNanoseconds = 366 * 24 * 3600 * Int64.nanosecondsPerSecond
    /// Banners without an entry in the list that are remembered for an app: more than can show one
    /// after another within ``bannerNanoseconds``.
    package static let shownBanners = 32
    /// Pending requests of one center, unless the server's options set fewer (D-2).
    package static let pendingPerCenter = 16_777_216
    /// Pending requests of one center that a policy may choose from: each add beyond the limit
    /// looks at all of them.
    package static let evictablePending = 1_024
    /// Apps that a Focus or the scheduled summary names: more than a person installs.
    package static let namedApps = 1_024
    /// People that a Focus allows: more than a person would pick by hand.
    package static let allowedPeople = 1_024
    /// UTF-8 bytes of a person's address or name: what RFC 5321 allows an address.
    package static let personBytes = 256
    package static let focusNameBytes = 256
    /// Windows of the schedule of a Focus: several for each day of the week.
    package static let focusWindows = 64
    /// Values of all filters of a Focus together, so that a device's state stays one small record.
    package static let focusFilterValues = 1_024
    /// UTF-8 bytes of a filter's value: as for an identifier, since most values are identifiers.
    package static let focusFilterValueBytes = 256
    /// Times of the scheduled summary: one for each hour.
    package static let summaryTimes = 24
    /// UTF-8 bytes of a zone's name: twice the longest name of today.
    package static let timeZoneBytes = 64
    /// Languages of a device: each costs one more look into an app's texts.
    package static let languages = 16
    /// People that a communication names besides its sender; the content limit bounds their bytes.
    package static let recipients = 1_024
    /// UTF-8 bytes of a person's text in a text action: as many as the content has that it answers.
    package static let userTextBytes = 64 * 1024
    /// UTF-8 bytes of an app's name and of its icon's name: the longest name of a file.
    package static let appNameBytes = 256
    /// Languages of an app's name: about as many as any system offers.
    package static let appLanguages = 200
    /// Bytes of a language tag: the longest tag that BCP 47 asks every program to accept.
    package static let languageBytes = 35
    /// Extensions of an app: more than any app has, so that a registration stays small.
    package static let appExtensions = 64
    /// Categories of a content extension: more than an app shows in one way.
    package static let extensionCategories = 256
    /// UTF-8 bytes of a key in an app's string tables: a long sentence, as some apps use them.
    package static let localizationKeyBytes = 1_024
    /// UTF-8 bytes of a group's summary: it is one line.
    package static let summaryTextBytes = 4_096
    /// UTF-8 bytes of a thread, a conversation, a window, a group's name or a summary's argument:
    /// room for an address on the web.
    package static let nameBytes = 1_024
    /// UTF-8 bytes of a file's name, a filter's criteria or a picture's name in a content.
    package static let shortNameBytes = 256
    /// Arguments of a localized text: more than any sentence has places for.
    package static let textArguments = 64
    /// UTF-8 bytes of a localized text as it is shown: as many as a plain text may have.
    package static let shownTextBytes = contentBytes
    /// Texts of an app in one language: several times those of a large app.
    package static let stringsPerTable = 10_000
    /// UTF-8 bytes of an app's texts in one language, with their keys: what one call may bring.
    package static let stringTableBytes = 1024 * 1024
    /// UTF-8 bytes of the identifier of a category or an action: as for a request.
    package static let categoryIdentifierBytes = 256
    /// Actions of a category: several times the ten that are shown (K-2).
    package static let actionsPerCategory = 64
    /// Intents of a category; they have no effect on delivery.
    package static let intentsPerCategory = 64
    /// UTF-8 bytes of a category with its actions: as for a request's content.
    package static let categoryBytes = 64 * 1024
    /// Categories of a center, since one command sets them all; Apple has no limit (K-1).
    package static let categoriesPerCenter = 4_096
    /// UTF-8 bytes of a center's categories: one reply and one stored record hold them all.
    package static let categorySetBytes = 1024 * 1024
    /// Actions of a center's categories with which those of a further category are compared (K-3):
    /// as many as there may be categories, so that a large set is written in a short time.
    package static let comparedActions = 4_096
    /// UTF-8 bytes of a push's payload (§20.2).
    package static let payloadBytes = 4_096
    /// UTF-8 bytes of the payload of a call (§20.2).
    package static let callPayloadBytes = 5_120
    /// UTF-8 bytes of a push's collapse id (§20.4).
    package static let collapseIdentifierBytes = 64
    /// How long a push may wait for its device, in nanoseconds: 30 days (§21.5).
    package static let pushNanoseconds = 30 * 24 * 3600 * Int64.nanosecondsPerSecond
    /// How long an app may work on a push in the background (BG-2).
    package static let backgroundNanoseconds = 30 * Int64.nanosecondsPerSecond
    /// Pushes that wait for one app on one device (D-9).
    package static let backgroundPushes = 100
    /// Tags of a device (AZ-2).
    package static let tagsPerDevice = 60
    /// Bytes of a tag (AZ-2).
    package static let tagBytes = 120
    /// Warnings in one reply: enough to show the pattern.
    package static let categoryWarnings = 100
    /// The largest radius of a region, in meters: 1,000 km (LOC-4).
    package static let regionRadiusMeters = 1_000_000.0
    /// How long a device has to stay beyond a border, in nanoseconds: 20 s (LOC-2).
    package static let dwellNanoseconds = 20 * Int64.nanosecondsPerSecond
    /// How far beyond a border one fix is enough, in meters (LOC-2).
    package static let jitterMeters = 200.0
    /// How long a beacon is not seen until its region is left, in nanoseconds: 30 s (LOC-3).
    package static let beaconLossNanoseconds = 30 * Int64.nanosecondsPerSecond
    /// Regions that an app watches under the profile `ios` (LIM-3).
    package static let regionsPerApp = 20
    /// Fixes or sightings of one report: some minutes of a device that reports each second.
    package static let reportsPerCall = 1_000
    /// Bytes of a content extension's view (NCE-9): a picture as large as a screen shows it.
    package static let contentViewBytes = 256 * 1024
    /// Bytes of the media type of a view, with its parameters.
    package static let viewMediaTypeBytes = 256
    /// How long a content extension may take to say what becomes of an action (NCE-9).
    package static let contentAnswerNanoseconds = 5 * Int64.nanosecondsPerSecond
}
