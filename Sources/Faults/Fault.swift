#if FAULTS
internal import Glibc

/// A known fault, which is planted to show that a test catches it.
///
/// `BELFRY_FAULT` names the fault that a process has; `Tests/Faults/faults.tsv` names the tests
/// that it must make fail. Only the debug build has faults.
package enum Fault: String {
    // The core and the store, in the order of their names.

    /// A second act that waits for the unlock is answered as waiting, and never done.
    case actLostOnUnlock = "act-lost-on-unlock"
    /// A 33rd banner drops the first, though an act on it waits for the unlock.
    case actLostToALaterBanner = "act-lost-to-a-later-banner"
    /// An act that a content extension never answers is told to nobody.
    case actLostWithTheExtension = "act-lost-with-the-extension"
    /// A fix does not find the circles on the other side of the antimeridian.
    case antimeridianEndsTheWorld = "antimeridian-ends-the-world"
    /// A service extension drops pushes without the entitlement for filtering.
    case anyExtensionDropsPushes = "any-extension-drops-pushes"
    /// An occurrence about which the app does not answer in time is suppressed.
    case arrivingNotSettledAtItsDeadline = "arriving-not-settled-at-its-deadline"
    /// Old backups stay, however many there are.
    case backupsWithoutNumber = "backups-without-number"
    /// After the wall clock was set back, dates are looked for from it on, whatever has fired.
    case backwardClockFiresAgain = "backward-clock-fires-again"
    /// A banner without an entry in the list cannot be acted on.
    case bannerNotActable = "banner-not-actable"
    /// The log gets its blocks in the sync of the frame that needs them.
    case blocksGivenWithTheFrame = "blocks-given-with-the-frame"
    /// The person presses the buttons of the category, not those of the open notification.
    case buttonsOfTheCategoryPressed = "buttons-of-the-category-pressed"
    /// The next batch takes for stored the changes in memory of a batch that failed.
    case cacheOfFailedBatchKept = "cache-of-failed-batch-kept"
    /// A delivery that left the list stays among the oldest that batches have read.
    case cachedDeliveryStays = "cached-delivery-stays"
    /// A frame is taken whatever the frame before it was.
    case chainNotChecked = "chain-not-checked"
    /// Elapsed time goes backward over a boot when the wall clock was set back meanwhile.
    case clockGoesBack = "clock-goes-back"
    /// Batches do not store the clocks: a restart begins at an older time.
    case clockNotStored = "clock-not-stored"
    /// Within a boot, too, a restart counts elapsed time by the wall clock.
    case clockSetCounts = "clock-set-counts"
    /// A firing that stands for several occurrences is as late as the oldest of them.
    case collapsedLateAsOldest = "collapsed-late-as-oldest"
    /// The occurrences that a late firing stands for do not count towards the last.
    case collapsedNotCounted = "collapsed-not-counted"
    /// A command joins the line of those that wait without the lock of the line.
    case commandsWithoutLock = "commands-without-lock"
    /// A backup whose file could not grow fails with what LMDB says of that.
    case cutBackupNotAsked = "cut-backup-not-asked"
    /// A data file that was cut short is opened all the same.
    case cutFileNotNoticed = "cut-file-not-noticed"
    /// A damaged row ends the server, and all its apps with it.
    case damageEndsTheServer = "damage-ends-the-server"
    /// A log that lost a frame ends there: what was behind it is gone.
    case damageTakenForEnd = "damage-taken-for-end"
    /// The list of dates to come forgets how many there were, and has dates that never fire.
    case datesToComeBeyondTheLast = "dates-to-come-beyond-the-last"
    /// A deletion that is done at once is not in the log: the replay brings the row back.
    case deletionNotLogged = "deletion-not-logged"
    /// How long a notification is kept depends on what the wall clock is set to.
    case deliveredKeptByTheWallClock = "delivered-kept-by-the-wall-clock"
    /// A denial turns off what was asked for, and leaves on what the person turned on beside it.
    case denialLeavesSomeOn = "denial-leaves-some-on"
    /// A dismissal goes on in an app that was unregistered meanwhile.
    case dismissalMeetsAnUnregisteredApp = "dismissal-meets-an-unregistered-app"
    /// A change of zone moves dates that are due already, and are thereby lost.
    case dueDatesMoved = "due-dates-moved"
    /// Work that is due together is done without a look at whether the first took the second away.
    case dueNotLookedAtAgain = "due-not-looked-at-again"
    /// Due work goes on until a full store has no space for removals.
    case dueWorkTakesTheReserve = "due-work-takes-the-reserve"
    /// Work that is due within a millisecond fires with due work, as if it were its time.
    case earlyFire = "early-fire"
    /// A log whose last frame was cut short is told as damaged.
    case endTakenForDamage = "end-taken-for-damage"
    /// A token that has ended is taken as if the app still had it.
    case endedTokenTaken = "ended-token-taken"
    /// A request that ends with an occurrence that is arriving does not say that it ended.
    case endedWithoutAWord = "ended-without-a-word"
    /// A subscriber who is asked no more keeps the ends of all later questions.
    case endsKeptWithoutAMessage = "ends-kept-without-a-message"
    /// A center whose events are all too old begins to number them from 1 again.
    case eventNumberReused = "event-number-reused"
    /// Whoever reads on from an event is told the events before it in its row as well.
    case eventsOfTheRowTold = "events-of-the-row-told"
    /// After a failed write or sync the store refuses the batch and serves on.
    case failedSyncServedOn = "failed-sync-served-on"
    /// A filter of a table's keys is begun beside a batch whose keys it does not get.
    case filterBegunOverUnsynced = "filter-begun-over-unsynced"
    /// A list with a filter looks for entries until it has a page or comes to the end.
    case filterWithoutBound = "filter-without-bound"
    /// A start makes the due index anew from the records, those of what has fired included.
    case firedAgainAfterCrash = "fired-again-after-crash"
    /// A request that fired for the last time still counts as pending bytes.
    case firedBytesStillCount = "fired-bytes-still-count"
    /// An occurrence that is withheld is counted, and no event tells of it.
    case firingNotRecorded = "firing-not-recorded"
    /// A batch that writes a row before the first one finds the one that was the first.
    case firstKeyNotLowered = "first-key-not-lowered"
    /// A row's checksum is of its length and its last bytes alone.
    case flippedBitNotTold = "flipped-bit-not-told"
    /// A caller of whom nothing else is kept loses the floor of its forgotten keys.
    case floorGoesWithItsRow = "floor-goes-with-its-row"
    /// An idempotency key goes without moving the floor: a late retry of it acts again.
    case floorNotMoved = "floor-not-moved"
    /// A row that was written before a front and deleted from there lets the front go back.
    case frontGoesBack = "front-goes-back"
    /// A start finds rows again that were written and deleted from the front since a merge began.
    case frontKeepsReplayedRows = "front-keeps-replayed-rows"
    /// The log has nothing of rows that were deleted from the front.
    case frontNotLogged = "front-not-logged"
    /// A row that is written before the first one is not seen by loops from the front.
    case frontNotLowered = "front-not-lowered"
    /// The trees keep the rows that were deleted from the front.
    case frontNotMerged = "front-not-merged"
    /// A batch for which the disk has no space is lost, and its calls are answered OK.
    case fullAcknowledged = "full-acknowledged"
    /// A batch for which there is no space stops the store.
    case fullStopsStore = "full-stops-store"
    /// Two keys of which one is the beginning of the other are taken for the same key.
    case headsAloneCompared = "heads-alone-compared"
    /// An app that its settings take out of the summary leaves there what waits.
    case heldAfterLeavingSummary = "held-after-leaving-summary"
    /// The replies that are kept for a caller's keys take any number of bytes.
    case keptRepliesNotBounded = "kept-replies-not-bounded"
    /// A start lets the batches overlook the changes that are not in the trees.
    case keyNotInTheFilter = "key-not-in-the-filter"
    /// A batch that is made while the one before is written to the log does not read its changes.
    case lastBatchNotRead = "last-batch-not-read"
    /// The next occurrence is looked for from now on, and not from when the last was due.
    case lateOccurrenceComesTwice = "late-occurrence-comes-twice"
    /// Whoever sends a byte now and then may go on for ever.
    case leastRateIgnored = "least-rate-ignored"
    /// A zone's name is looked up before its length is judged.
    case lengthJudgedAfterHashing = "length-judged-after-hashing"
    /// Whoever removes all leaves a push behind the first slice that a removal lets through.
    case letThroughStays = "let-through-stays"
    /// A caller may register any number of apps.
    case limitOfAppsIgnored = "limit-of-apps-ignored"
    /// A caller may store any number of bytes.
    case limitOfBytesIgnored = "limit-of-bytes-ignored"
    /// The apps of a caller may keep any number of bytes in the store.
    case limitOfStoreBytesIgnored = "limit-of-store-bytes-ignored"
    /// The lock file may be a link to any file.
    case lockBehindLink = "lock-behind-link"
    /// A data directory that another process holds is opened all the same.
    case lockNotTaken = "lock-not-taken"
    /// The log takes frames though a sync of it failed.
    case logGoesOnAfterFailure = "log-goes-on-after-failure"
    /// A start forgets the changes that are not in the trees.
    case logNotReplayed = "log-not-replayed"
    /// A frame is acknowledged before it is on the disk.
    case logNotSynced = "log-not-synced"
    /// A repair lets the numbers of lost events be given again.
    case lostEventNumbersGivenAgain = "lost-event-numbers-given-again"
    /// The log loses rows while their merge is under way: a crash in it loses the rest.
    case mergeNotedEarly = "merge-noted-early"
    /// A merge takes the keys of the batch that is made meanwhile: later ones do not find them.
    case mergeTakesTheNextKeys = "merge-takes-the-next-keys"
    /// In a full store the merges before a batch end with the one that was under way.
    case mergesEndWithTheFirst = "merges-end-with-the-first"
    /// Rows of a frame that gets another place than it was to have are looked for where that was.
    case movedFrameKeepsItsPlaces = "moved-frame-keeps-its-places"
    /// A generation begins over frames that no checkpoint has.
    case neededFramesOverwritten = "needed-frames-overwritten"
    /// A reader of an older state sees the newest changes.
    case newestChangesForAll = "newest-changes-for-all"
    /// A batch that was made over one that found no space becomes durable without it.
    case nextBatchOutlivesTheLast = "next-batch-outlives-the-last"
    /// LMDB is opened with `MDB_NOSYNC`: the log loses frames before the disk has their rows.
    case noSync = "no-sync"
    /// A store that is nearly full keeps what it could delete, and the next add finds no space.
    case nothingGoesNearTheLimit = "nothing-goes-near-the-limit"
    /// The numbers of an app that is registered again begin at 1.
    case numbersBeginAnew = "numbers-begin-anew"
    /// A key that changed again is read as it was when the merge began.
    case olderChangeWins = "older-change-wins"
    /// Frames of an older generation that are left in a segment are taken.
    case olderGenerationTaken = "older-generation-taken"
    /// A damaged row of what is only forgotten or counted stops whoever meets it.
    case oldestReceiptStopsAll = "oldest-receipt-stops-all"
    /// An advance of the clock passes the deadlines of questions that were open before it.
    case openQuestionExpires = "open-question-expires"
    /// An option that is asked for after a quiet grant was kept goes on without the person.
    case permissionEscalatesAfterKeep = "permission-escalates-after-keep"
    /// The first fix after an add fires what the device is inside of.
    case presenceFires = "presence-fires"
    /// The retry of a call that was cut off begins anew instead of doing the rest.
    case progressNotResumed = "progress-not-resumed"
    /// An app that asks for provisional while a prompt is open waits for the person.
    case promptHoldsTheQuietGrant = "prompt-holds-the-quiet-grant"
    /// A push to many is told as complete though it reached its first devices alone.
    case pushToManyEndsEarly = "push-to-many-ends-early"
    /// A push is delivered again when its provider repeats it.
    case pushedAgainByItsRetry = "pushed-again-by-its-retry"
    /// A write that a quota cut short ends the server, as a failed disk does.
    case quotaNotAsked = "quota-not-asked"
    /// A trimmed event keeps the record of an identifier that the same batch changes.
    case recordKeptWhileWithdrawn = "record-kept-while-withdrawn"
    /// A record goes with its last event, while the delivered list refers to it.
    case recordReleasedWhileListed = "record-released-while-listed"
    /// A record goes with an older event of it, while its last occurrence is settled.
    case recordReleasedWhileSettled = "record-released-while-settled"
    /// A record goes with its notification, while kept events refer to it.
    case recordReleasedWhileTold = "record-released-while-told"
    /// A frame for which the disk had no room stays in the log: a restart brings it back.
    case refusedFrameStays = "refused-frame-stays"
    /// The bits of a row count one request too far: a record goes that events refer to.
    case releasedRecordDeletedWhileTold = "released-record-deleted-while-told"
    /// A record is read although it is released.
    case releasedRecordShown = "released-record-shown"
    /// Released records are not deleted, however many they are.
    case releasedRecordsKept = "released-records-kept"
    /// The records of an app that was unregistered stay until there are many.
    case releasedRecordsOutliveTheirApp = "released-records-outlive-their-app"
    /// A removal leaves the row in the due index, and whatever is due fires.
    case removalLeavesDueRow = "removal-leaves-due-row"
    /// A call fails for lack of space where due work beside it finds none.
    case removalsWaitForDueWork = "removals-wait-for-due-work"
    /// A call is answered before its batch is committed.
    case replyBeforeCommit = "reply-before-commit"
    /// The reply to a call with an idempotency key is not kept: a retry acts again.
    case replyNotKept = "reply-not-kept"
    /// The rest of a report is forgotten after a crash.
    case reportCutByACrash = "report-cut-by-a-crash"
    /// A stream that is paused again, after it was resumed, reads one more message.
    case resumedInTwoSteps = "resumed-in-two-steps"
    /// The calls of a batch that is thrown away with the last one are forgotten.
    case returnedCallsForgotten = "returned-calls-forgotten"
    /// A notification that comes back from a snooze leaves no word: its record goes with its first
    /// event.
    case returnNotNoted = "return-not-noted"
    /// A rich push can be fetched by devices that it was not sent to.
    case richPushForAnyone = "rich-push-for-anyone"
    /// The subscriber that answers for an app is looked up once for a whole advance of the clock.
    case roleKeptForWholeAdvance = "role-kept-for-whole-advance"
    /// A row that is written over a deletion counts as new to its tree, and comes back once
    /// it is deleted.
    case rowOverADeletionIsNew = "row-over-a-deletion-is-new"
    /// The rows of apps and devices count for nobody: a caller stores what it likes.
    case rowsOfCallersNotCounted = "rows-of-callers-not-counted"
    /// The scanner takes a request that is to be refused.
    case scannedRequestNotValidated = "scanned-request-not-validated"
    /// The scanner takes a text that is not UTF-8.
    case scannedTextNotChecked = "scanned-text-not-checked"
    /// An event tells of changed settings where only what is remembered changed.
    case settingsChangedForNothing = "settings-changed-for-nothing"
    /// The changes of an occurrence are decided before the pushes that its withdrawal lets through.
    case settledBeforeWithdrawn = "settled-before-withdrawn"
    /// An occurrence that was skipped is found again when the device's zone changes.
    case skippedOccurrenceComesBack = "skipped-occurrence-comes-back"
    /// A snooze that ended long before the server is back is forgotten, as a one-shot request is.
    case snoozeLostAtRestart = "snooze-lost-at-restart"
    /// A snooze is lost to an occurrence with its replacement key that still arrives.
    case snoozeLostToWhatArrives = "snooze-lost-to-what-arrives"
    /// A snooze goes on though another notification with its replacement key is delivered.
    case snoozeOutlivesItsKey = "snooze-outlives-its-key"
    /// The request of a snoozed notification goes with the event of its delivery.
    case snoozedRecordReleased = "snoozed-record-released"
    /// A call of several batches goes on from a step that was thrown away.
    case stepNotTakenBack = "step-not-taken-back"
    /// An advance of the clock stops for a question to a primary whose connection is cut.
    case stopsForTheCut = "stops-for-the-cut"
    /// A start takes a last frame that is in the system's memory alone.
    case tailNotWrittenAgain = "tail-not-written-again"
    /// A text is hashed by how it looks: one letter with many marks takes minutes.
    case textHashedByCharacters = "text-hashed-by-characters"
    /// A page token is taken without its code: anybody can make one.
    case tokenNotAuthenticated = "token-not-authenticated"
    /// A frame is taken without its checksum.
    case tornFrameTaken = "torn-frame-taken"
    /// The head of a frame that was cut short stays where the next frame goes.
    case tornHeadStays = "torn-head-stays"
    /// A row of which the oldest events went stays as it is.
    case trimmedRunStays = "trimmed-run-stays"
    /// A fix that may lie on either side of a border ends a dwell.
    case uncertainFixEndsADwell = "uncertain-fix-ends-a-dwell"
    /// A push whose app was gone before it could answer is not offered again.
    case unheardPushLost = "unheard-push-lost"
    /// Unmerged changes count by their bytes, not by the pages that they take.
    case unmergedWithoutItsPages = "unmerged-without-its-pages"
    /// A clock that was never set counts like any other.
    case unsetClockFires = "unset-clock-fires"
    /// Events that are too old go, whether those who follow were told them or not.
    case untoldEventsTrimmed = "untold-events-trimmed"
    /// A center forgets that its notifications have replacement keys.
    case usedKeysNotNoted = "used-keys-not-noted"
    /// An occurrence that waits for an answer was due by the clock of now.
    case waitFollowsTheClock = "wait-follows-the-clock"
    /// Subscribers are woken before the batch is committed: they find nothing.
    case wakeBeforeCommit = "wake-before-commit"
    /// An app whose permission for the location was withdrawn is still told of crossings.
    case withdrawnPermissionFires = "withdrawn-permission-fires"
    /// A change of one device's zone looks at the dates of all devices.
    case zoneMovesAll = "zone-moves-all"

    // The feeds, the service, its transports and the programs, in the order of their names.

    /// One address may have all connections of a listener.
    case addressTakesAll = "address-takes-all"
    /// A list is read although its caller has cancelled the call.
    case cancelledListRead = "cancelled-list-read"
    /// A compressed message is inflated, to whatever size.
    case compressedAccepted = "compressed-accepted"
    /// A subscriber's first message may go before its sink knows the feed, which hears nothing
    /// then.
    case deafSubscriber = "deaf-subscriber"
    /// Frames that come over TLS are not metered.
    case decryptedNotMetered = "decrypted-not-metered"
    /// A socket is made in a directory of any user.
    case directoryOwnerNotChecked = "directory-owner-not-checked"
    /// A stream ends while its last message is still being sent.
    case endOvertakesSend = "end-overtakes-send"
    /// A primary is told that a question ended that it was never asked.
    case endedThoughNotAsked = "ended-though-not-asked"
    /// A token counts after it has expired, until the file changes.
    case expiredTokenCounts = "expired-token-counts"
    /// Of an app that a request names twice, the first name alone is checked: the last one
    /// counts.
    case firstAppAloneChecked = "first-app-alone-checked"
    /// A connection that its meter would end goes on.
    case floodNotEnded = "flood-not-ended"
    /// A dismissal that does not say how clears everything.
    case forgottenKindClears = "forgotten-kind-clears"
    /// SIGHUP and SIGPIPE do what they do to a program that says nothing.
    case hangupEndsServer = "hangup-ends-server"
    /// A generation of the log begins though a reader holds the one that it is written over.
    case heldFramesOverwritten = "held-frames-overwritten"
    /// The headers of a call may be as long as its client likes until it knows the settings.
    case headersWithoutLimit = "headers-without-limit"
    /// Health is not told of the stop: its watchers are told that all serves until the stream ends.
    case healthNotToldOfStop = "health-not-told-of-stop"
    /// One address may have all connections of the HTTP listener.
    case httpAddressTakesAll = "http-address-takes-all"
    /// A polling thread reads large messages itself, and moves no bytes of other calls meanwhile.
    case largeMessagesReadAtOnce = "large-messages-read-at-once"
    /// A listener that found no descriptor to accept with is not watched again.
    case listenerDeaf = "listener-deaf"
    /// All reads share two threads, of which the lists of one connection may have both.
    case listsStarveFeeders = "lists-starve-feeders"
    /// Nothing tells that the client of a unary call went, unless the handler asks.
    case openCallsNotWatched = "open-calls-not-watched"
    /// A page of any origin calls over HTTP.
    case originNotChecked = "origin-not-checked"
    /// A browser is told of an alert as the unlocked device shows it.
    case pushAsUnlocked = "push-as-unlocked"
    /// A browser is signed in by its cookie alone, which every port of the machine gets.
    case sessionKeyNotChecked = "session-key-not-checked"
    /// Each user of a unix socket may make every call.
    case otherUserUnlimited = "other-user-unlimited"
    /// A user, or an address, may have all places for uploads with a few connections.
    case peerShareIgnored = "peer-share-ignored"
    /// A probe waits for as long as the writer does.
    case probeWaitsForTheWriter = "probe-waits-for-the-writer"
    /// The feeds' pump looks up who follows a center without its lock.
    case pumpWithoutLock = "pump-without-lock"
    /// A push that waits is not offered when the app attaches.
    case pushNotOfferedAtAttach = "push-not-offered-at-attach"
    /// A retry over a stream of adds acts again.
    case scheduleKeyIgnored = "schedule-key-ignored"
    /// A reply that is alone in its batch is told before those of earlier batches.
    case repliesOvertake = "replies-overtake"
    /// A stream of adds is read on, however many answers its client leaves unread.
    case scheduleWithoutEnd = "schedule-without-end"
    /// A browser is told of alerts after the token that subscribed it was revoked.
    case revokedTokenPushedTo = "revoked-token-pushed-to"
    /// The open streams of a token that is revoked go on.
    case revokedTokenStreamsOn = "revoked-token-streams-on"
    /// A caller with any role may make every call.
    case roleNotChecked = "role-not-checked"
    /// The shim sends without the lock of the call.
    case sendWithoutLock = "send-without-lock"
    /// A client talks to a server of another user in the default place.
    case serverOwnerNotChecked = "server-owner-not-checked"
    /// An app that missed a deadline is not asked again after a call of its own.
    case silentAppNotBelievedAgain = "silent-app-not-believed-again"
    /// Each part of a device's state begins with the first app again.
    case snapshotBeginsAgain = "snapshot-begins-again"
    /// A sound is told of a delivery that was replaced before its banner was told.
    case soundOfReplacedTold = "sound-of-replaced-told"
    /// A commit while a subscription opens does not wake it.
    case tailLostAtSubscribe = "tail-lost-at-subscribe"
    /// A day in words is that of UTC, and not of the zone that the times are of.
    case tomorrowOfAnotherZone = "tomorrow-of-another-zone"
    /// A subscriber whose next event was trimmed is not told so, and waits for ever.
    case trimmedNotTold = "trimmed-not-told"
    /// A request that ends within its message, or without one, is given to the handler.
    case truncatedMessage = "truncated-message"
    /// A request of two messages is not refused: the last one is answered.
    case twoMessages = "two-messages"
    /// A connection may leave as much unfinished as it likes.
    case unfinishedWithoutLimit = "unfinished-without-limit"
    /// A message of a stream over HTTP counts as sent though the client reads none.
    case unreadHTTPNotBounded = "unread-http-not-bounded"
    /// A call is carried out though its caller reads no reply.
    case unreadRepliesNotBounded = "unread-replies-not-bounded"
    /// The pushes that wait for an extension that went are kept back until its deadline.
    case unservedQuestionsWait = "unserved-questions-wait"
    /// A subscription with a message on its way ignores that there are newer events.
    case wakeIgnored = "wake-ignored"
    /// A key that is written while the keys of a table are read is not known afterwards.
    case writtenKeyNotKnown = "written-key-not-known"

    private static let planted: Fault? = {
        guard let value = unsafe getenv("BELFRY_FAULT") else { return nil }
        let name = unsafe String(cString: value)
        guard let fault = Fault(rawValue: name) else {
            fatalError("BELFRY_FAULT: there is no fault \(name)")
        }
        return fault
    }()

    package var isPlanted: Bool { self == Self.planted }
}
#else
/// A fault of a build that has none: its name and what it would do are gone after inlining.
@dynamicMemberLookup
@frozen
@usableFromInline
package struct Fault {
    @inlinable
    init() {}

    @inlinable
    @inline(__always)
    package static subscript(dynamicMember name: StaticString) -> Fault { Fault() }

    /// Always false.
    @inlinable
    @inline(__always)
    package var isPlanted: Bool { false }
}
#endif
