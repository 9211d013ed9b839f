public import NotificationCore

/// The store's limits, each with its reason.
public struct StoreLimits: Hashable, Sendable {
    /// Commands that wait for the writer; one more is refused with a time to retry.
    ///
    /// A center may have a quarter of the places, so that others go on.
    /// At the writer's slowest (a disk that syncs in 10 ms) they are done in a few seconds.
    public var queuedCommands = 8_192
    /// Requests of one batch: enough that the sync is shared, few enough that it ends in time.
    public var rowsPerBatch = 1_024
    /// Rows of one read transaction: no reader may be old, or pages pile up behind it.
    public var rowsPerRead = 256
    /// Rows that one page of a list looks at: a list with a filter then ends its page, full or not.
    ///
    /// A list without one has a full page by then, since a page has at most 1,000 entries and a
    /// center at most ``deliveredPerCenter`` rows beside its pending requests.
    public var rowsPerPage = 2_048
    /// Pending requests of one center.
    public var pendingPerCenter: Int
    /// What becomes of one more.
    public var pendingLimitPolicy = PendingLimitPolicy.rejectNew
    /// Occurrences of one center that wait for the app's word; for one more it counts as silent
    /// (FD-5).
    public var arrivingPerCenter = 1_024
    /// Responses of one center that wait for the app: more than a person gives in their seven days.
    public var responsesPerCenter = 10_000
    /// Actions that wait until one device is unlocked: more than a person taps in their 30 s.
    public var unlockWaitsPerDevice = 64
    /// Delivered notifications that one center keeps (D-19).
    public var deliveredPerCenter = 1_000
    /// Notifications of one device that are put in order on demand: about 50 MB.
    public var listedPerDevice = 100_000
    /// How long a notification stays in the delivered list, in nanoseconds (D-19).
    public var deliveredNanoseconds = 7 * 24 * 3600 * Int64.nanosecondsPerSecond
    /// How long an event is kept, in nanoseconds (W-14).
    public var eventNanoseconds = 7 * 24 * 3600 * Int64.nanosecondsPerSecond
    /// Bytes of events that one center keeps, as its subscribers are told them (W-14).
    public var eventBytesPerCenter = 64 * 1024 * 1024
    /// Events and notifications that a center loses at a time for their age: a longer slice would
    /// hold up the calls of its batch.
    public var rowsPerExpiry = 256
    /// Pending requests up to which a list by fire date is sorted on demand (W-8).
    public var pendingSortedByDate = 10_000
    /// Idempotency keys that are kept, the newest (W-9): about 400 MB.
    public var idempotencyKeys = 4_000_000
    /// Bytes that the store may use before adds are refused; absent is 80 % of its disk.
    public var storeBytes: Int?
    /// Bytes of the disk and of the map, or an eighth of either where that is less, that adds leave
    /// free: a store that is full still removes and delivers, which write too.
    public var reservedBytes = 256 << 20
    /// Backups that stay in the data directory: the newest.
    public var keptBackups = 10
    /// Bytes of the files of one app together (ATT-10).
    public var attachmentBytesPerApp = Limits.attachmentBytesPerApp
    /// Files of one app.
    public var attachmentsPerApp = Limits.attachmentsPerApp
    /// Sounds that one app has by name: many times what any has.
    public var soundsPerApp = 1_000
    /// Files that are being sent and fetched at once: each may hold a message of 768 KiB.
    public var transfers = 64
    /// How long who sends or fetches a file may do nothing, in nanoseconds.
    public var transferStallNanoseconds = 30 * Int64.nanosecondsPerSecond
    /// The least rate of who sends or fetches a file: one that is slower for longer than it may do
    /// nothing is ended, and its place is free.
    public var transferBytesPerSecond: Int64 = 16 * 1_024
    /// Subscriptions of the whole server: each may hold a message of 256 KiB.
    public var subscriptions = 10_000
    /// About how many bytes of news may wait for all who watch devices together: one that reads is
    /// told all of a call that makes 100,000 deliveries.
    public var newsBytes = 128 << 20
    /// Events of one message to a subscriber.
    public var eventsPerMessage = 256
    /// Bytes of requests in one message to a subscriber, after which it is sent.
    public var eventBytesPerMessage = 256 * 1024
    /// Bytes of requests in one page of a list, after which it ends.
    public var bytesPerPage = 1024 * 1024

    /// Pending requests of one center beyond which one more is refused.
    ///
    /// A policy that evicts chooses from a few, so a store that has many from before takes no more
    /// until these are done.
    var pendingRefused: Int {
        pendingLimitPolicy == .rejectNew
            ? pendingPerCenter : max(pendingPerCenter, Limits.evictablePending) + 1
    }

    /// Makes the default limits.
    public init() {
        pendingPerCenter = Limits.pendingPerCenter
    }
}
