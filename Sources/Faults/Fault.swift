#if FAULTS
internal import Glibc

/// A known fault, which is planted to show that a test catches it.
///
/// `BELFRY_FAULT` names the fault that a process has; `Tests/Faults/faults.tsv` names the tests
/// that it must make fail. Only the debug build has faults.
package enum Fault: String {
    // The core and the store, in the order of their names.

    /// What is due within a millisecond fires with what is due, as if it were its time.
    case earlyFire = "early-fire"

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
    /// Health is not told of the stop: who watches it is told that all serves until the stream
    /// ends.
    case healthNotToldOfStop = "health-not-told-of-stop"
    /// One address may have all connections of the HTTP listener.
    case httpAddressTakesAll = "http-address-takes-all"
    /// A listener that found no descriptor to accept with is not watched again.
    case listenerDeaf = "listener-deaf"
    /// All reads share two threads, of which the lists of one connection may have both.
    case listsStarveFeeders = "lists-starve-feeders"
    /// A page of any origin calls over HTTP.
    case originNotChecked = "origin-not-checked"
    /// Each user of a unix socket may make every call.
    case otherUserUnlimited = "other-user-unlimited"
    /// A user, or an address, may have all places for uploads with a few connections.
    case peerShareIgnored = "peer-share-ignored"
    /// A probe waits for as long as the writer does.
    case probeWaitsForTheWriter = "probe-waits-for-the-writer"
    /// The feeds that a commit wakes are looked up without the pump's lock.
    case pumpWithoutLock = "pump-without-lock"
    /// A push that waits is not offered when the app attaches.
    case pushNotOfferedAtAttach = "push-not-offered-at-attach"
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
    /// What is committed while a subscription opens does not wake it.
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
    /// The pushes that wait for an extension that went are kept back until its deadline.
    case unservedQuestionsWait = "unserved-questions-wait"
    /// A subscription with a message on its way ignores that there are newer events.
    case wakeIgnored = "wake-ignored"

    private static let planted: Fault? = {
        guard let value = unsafe getenv("BELFRY_FAULT") else { return nil }
        let name = unsafe String(cString: value)
        guard let fault = Fault(rawValue: name) else {
            fatalError("BELFRY_FAULT: there is no fault \(name)")
        }
        return fault
    }()

    /// Whether this process has the fault.
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

    /// The fault of this name.
    @inlinable
    @inline(__always)
    package static subscript(dynamicMember name: StaticString) -> Fault { Fault() }

    /// Always false.
    @inlinable
    @inline(__always)
    package var isPlanted: Bool { false }
}
#endif
