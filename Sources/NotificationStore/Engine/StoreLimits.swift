internal import Faults
package import NotificationCore
package import NotificationRecords

/// The store's limits, each with the reason for its number.
package struct StoreLimits: Hashable, Sendable {
    /// Commands that wait for the writer; a further command is refused with a time to retry.
    ///
    /// A center may have a quarter of the places, so that other centers go on. A full queue is done
    /// in a few seconds, even with a slow disk (a sync of 10 ms).
    package var queuedCommands = 8_192
    /// Requests of one batch: enough to share the sync, few enough that the batch ends soon.
    package var rowsPerBatch = 1_024
    /// Rows of one read transaction: a long read would keep freed pages from being used again.
    package var rowsPerRead = 256
    /// Rows that are read for one page of a list: a filtered list then ends its page, full or not.
    ///
    /// A list without a filter has a full page by then, since a page has at most 1,000 entries and
    /// a center has at most ``deliveredPerCenter`` rows beside its pending requests.
    package var rowsPerPage = 2_048
    /// Centers that a batch leaves in memory for the next one.
    package var cachedCenters = 1_024
    /// Their identifiers and deliveries: of some 400 bytes each, 3 KiB with the longest names.
    package var cachedEntries = 8_192
    /// How much of the log of changes may be behind.
    package var changes = ChangeLimits()
    /// Whether a border counts as crossed only after a dwell beyond it, or far beyond it (LOC-2).
    package var suppressesJitter = false
    /// Pending requests of one center.
    package var pendingPerCenter: Int
    /// The policy for a further request.
    package var pendingLimitPolicy = PendingLimitPolicy.rejectNew
    /// Arriving occurrences of one center; for a further occurrence the app counts as unresponsive
    /// (FD-5).
    package var arrivingPerCenter = 1_024
    /// Responses of one center that wait for the app: more than a person gives in seven days.
    package var responsesPerCenter = 10_000
    /// Actions that wait until one device is unlocked: more than a person taps in 30 s.
    package var unlockWaitsPerDevice = 64
    /// Devices that have browsers to tell of alerts; each is watched as long as the server runs.
    package var webPushDevices = 1_000
    /// Notifications that are open on one device: more than a person looks at.
    package var presentationsPerDevice = 16
    /// Notifications of one app that are open, on all devices together.
    package var presentationsPerApp = 1_024
    /// Notifications that are open on all devices together.
    package var presentations = 16_384
    /// Bytes of the views and buttons of open notifications together, of which one app may have a
    /// quarter.
    package var presentationBytes = 256 << 20
    /// Delivered notifications that one center keeps (D-19).
    package var deliveredPerCenter = 1_000
    /// Notifications of one center that are snoozed at a time: more than a person keeps for later.
    package var snoozedPerCenter = 256
    /// Notifications of one device that are sorted on demand: about 50 MB.
    package var listedPerDevice = 100_000
    /// How long a notification stays in the delivered list, in nanoseconds (D-19).
    package var deliveredNanoseconds = 7 * 24 * 3600 * Int64.nanosecondsPerSecond
    /// How long an event is kept, in nanoseconds (W-14).
    package var eventNanoseconds = 7 * 24 * 3600 * Int64.nanosecondsPerSecond
    /// Bytes of events that one center keeps, counted as subscribers are told them (W-14).
    package var eventBytesPerCenter = 64 * 1024 * 1024
    /// Events and notifications of a center that expire at a time: a longer slice would delay the
    /// calls of its batch.
    package var rowsPerExpiry = 256
    /// Pending requests up to which a list by fire date is sorted on demand (W-8).
    package var pendingSortedByDate = 10_000
    /// How many of the newest idempotency keys are kept (W-9).
    package var idempotencyKeys = 4_000_000
    /// How many bytes of the newest idempotency keys and their replies are kept; a sixteenth of
    /// ``storeBytes`` where that is less.
    package var idempotencyBytes = 512 << 20
    /// Ended tokens for pushes that are kept, so that providers are told when they ended: about
    /// 40 MB.
    package var endedTokens = 250_000
    /// How long an ended token is kept at least, unless there are too many, in nanoseconds: as long
    /// as APNs keeps a push for a device that is off.
    package var endedTokenNanoseconds = 30 * 24 * 3600 * Int64.nanosecondsPerSecond
    /// Pushes that providers named, which are kept for a day so that a retry acts once: about
    /// 200 MB.
    package var pushReceipts = 1_000_000
    /// Pushes to many devices of one app that have not ended: more than an app sends in a minute.
    package var openTagPushesPerApp = 100
    /// How long the outcomes of a push to many devices are kept, in nanoseconds.
    package var tagPushNanoseconds = 7 * 24 * 3600 * Int64.nanosecondsPerSecond
    /// Rich pushes that are kept of one app; a further one takes the place of the oldest.
    package var richPushesPerApp = 10_000
    /// How long a rich push is kept, in nanoseconds: as long as a push waits for its device.
    package var richPushNanoseconds = 30 * 24 * 3600 * Int64.nanosecondsPerSecond
    /// Bytes that the store may use before adds are refused; nil is 80 % of its disk.
    package var storeBytes: Int?
    /// Bytes of the disk and of the map that adds leave free, or an eighth where that is less:
    /// removals and deliveries also write, and still work when adds are refused.
    package var reservedBytes = 256 << 20
    /// How many of the newest backups stay in the data directory.
    package var keptBackups = 10
    /// Bytes of the files of one app together (ATT-10).
    package var attachmentBytesPerApp = Limits.attachmentBytesPerApp
    /// Files of one app.
    package var attachmentsPerApp = Limits.attachmentsPerApp
    /// Apps that one caller has registered, each counted for each of its devices.
    package var appsPerCaller = 10_000
    /// Bytes of the files that one caller stored, of all apps together.
    package var fileBytesPerCaller = 4 << 30
    /// Bytes that one caller may make the store keep: requests, events and other rows of its apps,
    /// and the rows of apps and devices that it stored.
    package var storeBytesPerCaller = 4 << 30
    /// Named sounds of one app: many times more than any app has.
    package var soundsPerApp = 1_000
    /// Uploads and downloads of files at the same time: each may hold a message of 768 KiB.
    package var transfers = 64
    /// How long the client of an upload or a download may do nothing, in nanoseconds.
    package var transferStallNanoseconds = 30 * Int64.nanosecondsPerSecond
    /// The least rate of an upload or a download: a transfer that stays slower for longer than
    /// ``transferStallNanoseconds`` is ended, so that its place is free.
    package var transferBytesPerSecond: Int64 = 16 * 1_024
    /// Subscriptions of the whole server: each may hold a message of 256 KiB.
    package var subscriptions = 10_000
    /// About how many bytes of news may wait for all watchers of devices together: a watcher that
    /// reads is told all news of a call that makes 100,000 deliveries.
    package var newsBytes = 128 << 20
    /// Events of one message to a subscriber.
    package var eventsPerMessage = 256
    /// Bytes of requests in one message to a subscriber: a message with so many is sent.
    package var eventBytesPerMessage = 256 * 1024
    /// Bytes of the messages that are on their way to streams together, beside a few KiB of each.
    package var messageBytes = 32 << 20
    /// Bytes of requests in one page of a list: a page with so many ends.
    package var bytesPerPage = 1024 * 1024

    /// Bytes of one caller's idempotency keys and their replies, beside what it stores.
    var idempotencyBytesPerCaller: Int {
        if Fault.keptRepliesNotBounded.isPlanted { return .max }
        return min(idempotencyBytes / 4, storeBytesPerCaller / 8)
    }

    /// Lowers the limits for all callers together to parts of the bytes that the store may use.
    mutating func fit(_ limitBytes: Int) {
        let share = limitBytes / 16
        idempotencyBytes = min(idempotencyBytes, share)
        // A row of either takes about 256 bytes, with the row of its order.
        endedTokens = min(endedTokens, share / 256)
        pushReceipts = min(pushReceipts, share / 256)
    }

    /// The number of pending requests of one center from which a further request is refused.
    ///
    /// A policy that evicts can choose from a limited number only, so a store with more pending
    /// requests from an earlier configuration refuses adds until enough of them are done.
    var pendingRefused: Int {
        pendingLimitPolicy == .rejectNew
            ? pendingPerCenter : max(pendingPerCenter, Limits.evictablePending) + 1
    }

    package init() {
        pendingPerCenter = Limits.pendingPerCenter
    }
}
