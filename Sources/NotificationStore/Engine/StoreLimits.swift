public import NotificationCore

/// The store's limits, each with its reason.
public struct StoreLimits: Hashable, Sendable {
    /// Commands that wait for the writer; a further command is refused with a time to retry.
    ///
    /// A center may have a quarter of the places, so that other centers go on. Even with a slow
    /// disk (a sync of 10 ms) a full queue is done in a few seconds.
    public var queuedCommands = 8_192
    /// Requests of one batch: enough to share the sync, few enough that the batch ends soon.
    public var rowsPerBatch = 1_024
    /// Rows of one read transaction: a long read would keep freed pages from being used again.
    public var rowsPerRead = 256
    /// Rows that are read for one page of a list: a filtered list then ends its page, full or not.
    ///
    /// A list without a filter has a full page by then, since a page has at most 1,000 entries and
    /// a center has at most ``deliveredPerCenter`` rows beside its pending requests.
    public var rowsPerPage = 2_048
    /// Pending requests of one center.
    public var pendingPerCenter: Int
    /// What happens to a further request.
    public var pendingLimitPolicy = PendingLimitPolicy.rejectNew
    /// Arriving occurrences of one center; for a further occurrence the app counts as unresponsive
    /// (FD-5).
    public var arrivingPerCenter = 1_024
    /// Responses of one center that wait for the app: more than a person gives in seven days.
    public var responsesPerCenter = 10_000
    /// Actions that wait until one device is unlocked: more than a person taps in 30 s.
    public var unlockWaitsPerDevice = 64
    /// Delivered notifications that one center keeps (D-19).
    public var deliveredPerCenter = 1_000
    /// Notifications of one device that are sorted on demand: about 50 MB.
    public var listedPerDevice = 100_000
    /// How long a notification stays in the delivered list, in nanoseconds (D-19).
    public var deliveredNanoseconds = 7 * 24 * 3600 * Int64.nanosecondsPerSecond
    /// How long an event is kept, in nanoseconds (W-14).
    public var eventNanoseconds = 7 * 24 * 3600 * Int64.nanosecondsPerSecond
    /// Bytes of events that one center keeps, counted as subscribers are told them (W-14).
    public var eventBytesPerCenter = 64 * 1024 * 1024
    /// Events and notifications of a center that expire at a time: a longer slice would delay the
    /// calls of its batch.
    public var rowsPerExpiry = 256
    /// Pending requests up to which a list by fire date is sorted on demand (W-8).
    public var pendingSortedByDate = 10_000
    /// The newest idempotency keys, which are kept (W-9): about 400 MB.
    public var idempotencyKeys = 4_000_000
    /// Bytes that the store may use before adds are refused; nil is 80 % of its disk.
    public var storeBytes: Int?
    /// Bytes of the disk and of the map that adds leave free, or an eighth where that is less:
    /// removals and deliveries also write, and still work when adds are refused.
    public var reservedBytes = 256 << 20
    /// The newest backups, which stay in the data directory.
    public var keptBackups = 10
    /// Bytes of the files of one app together (ATT-10).
    public var attachmentBytesPerApp = Limits.attachmentBytesPerApp
    /// Files of one app.
    public var attachmentsPerApp = Limits.attachmentsPerApp
    /// Named sounds of one app: many times more than any app has.
    public var soundsPerApp = 1_000
    /// Uploads and downloads of files at the same time: each may hold a message of 768 KiB.
    public var transfers = 64
    /// How long the client of an upload or a download may do nothing, in nanoseconds.
    public var transferStallNanoseconds = 30 * Int64.nanosecondsPerSecond
    /// The least rate of an upload or a download: a transfer that stays slower for longer than
    /// ``transferStallNanoseconds`` is ended, so that its place is free.
    public var transferBytesPerSecond: Int64 = 16 * 1_024
    /// Subscriptions of the whole server: each may hold a message of 256 KiB.
    public var subscriptions = 10_000
    /// About how many bytes of news may wait for all watchers of devices together: a watcher that
    /// reads is told all news of a call that makes 100,000 deliveries.
    public var newsBytes = 128 << 20
    /// Events of one message to a subscriber.
    public var eventsPerMessage = 256
    /// Bytes of requests in one message to a subscriber: a message with so many is sent.
    public var eventBytesPerMessage = 256 * 1024
    /// Bytes of requests in one page of a list: a page with so many ends.
    public var bytesPerPage = 1024 * 1024

    /// The number of pending requests of one center from which a further request is refused.
    ///
    /// A policy that evicts can choose from a limited number only, so a store with more pending
    /// requests from an earlier configuration refuses adds until enough of them are done.
    var pendingRefused: Int {
        pendingLimitPolicy == .rejectNew
            ? pendingPerCenter : max(pendingPerCenter, Limits.evictablePending) + 1
    }

    /// Makes the default limits.
    public init() {
        pendingPerCenter = Limits.pendingPerCenter
    }
}
