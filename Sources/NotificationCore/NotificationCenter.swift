/// The state of one center that every command may touch, and the decisions about it.
///
/// A value that is told the time: it reads no clock and no store. The same decisions at the same
/// instants give the same center, on which recovery rests. Its lists live in the store; it holds
/// only their counts.
public struct NotificationCenter: Hashable, Sendable {
    /// Whose center it is.
    public let name: CenterName
    /// What the person lets the app do.
    public var settings = NotificationSettings()
    /// The app's badge; 0 shows none.
    public var badge: Int32 = 0
    /// Requests whose triggers have not fired for good.
    public var pendingCount = 0
    /// Notifications in the list of delivered ones.
    public var deliveredCount = 0
    /// The number of the newest event; the first is 1.
    public var lastEvent: UInt64 = 0
    /// The number of the oldest event that is kept; ``lastEvent`` + 1 where none is.
    public var firstEvent: UInt64 = 1
    /// About how many bytes the kept events are to a subscriber.
    public var eventBytes = 0
    /// The number of the newest delivery; the first is 1.
    public var lastDelivery: UInt64 = 0
    /// When something that is kept becomes too old; absent where nothing is kept.
    public var expiry: ElapsedInstant?

    /// Makes the center of an app that just registered.
    public init(name: CenterName) {
        self.name = name
    }
}

/// What a due occurrence leads to (semantics.md 7.6, 8).
public enum Outcome: Hashable, Sendable {
    /// Delivered with these effects; without ``PresentationOptions/list`` it leaves no entry.
    case delivered(PresentationOptions)
    /// Withheld, because the person no longer allows notifications (semantics.md D-4).
    case suppressed
    /// Too late after down time to be of use (semantics.md D-8).
    case missed
}

/// What firing a due request decides.
public struct Firing: Hashable, Sendable {
    /// What the occurrence leads to.
    public var outcome: Outcome
    /// How late it is, in nanoseconds; never negative.
    public var lateByNanoseconds: Int64
    /// The occurrences after it that are due as well and that it stands for.
    public var collapsedCount: Int64
    /// When it fires next; absent ends the request.
    public var nextFire: ElapsedInstant?
}

extension NotificationCenter {
    /// Checks whether `add` is allowed now: steps 2 and 7 of semantics.md 6.2.
    ///
    /// - Parameters:
    ///   - trigger: The request's trigger.
    ///   - replacesPending: Whether a pending request gives way, so that the count stays.
    ///   - pendingLimit: How many pending requests the center may hold.
    /// - Throws: ``Refusal/notAllowed`` or ``Refusal/pendingLimit(_:)``.
    public func checkAdd(
        trigger: Trigger?,
        replacesPending: Bool,
        pendingLimit: Int
    ) throws(Refusal) {
        guard settings.authorizationStatus.allowsNotifications else { throw .notAllowed }
        guard trigger == nil || replacesPending || pendingCount < pendingLimit else {
            throw .pendingLimit(pendingLimit)
        }
    }

    /// Decides the delivery of `content` now: steps 2 and 6-10 of semantics.md 8.
    public func outcome(of content: NotificationContent) -> Outcome {
        guard settings.authorizationStatus.allowsNotifications else { return .suppressed }
        return .delivered(content.presentation(under: settings))
    }

    /// Decides what a request that was due at `due` leads to.
    ///
    /// - Parameters:
    ///   - request: The due request; its trigger is not nil.
    ///   - base: The instant at which it was accepted.
    ///   - due: The instant at which it was due; not after `now`.
    ///   - now: The instant of the batch.
    /// - Returns: The outcome, the lateness, and when it fires next.
    public func fire(
        _ request: NotificationRequest,
        base: ElapsedInstant,
        due: ElapsedInstant,
        now: ElapsedInstant
    ) -> Firing {
        precondition(due <= now, "a request fired before it was due")
        guard case .timeInterval(let trigger)? = request.trigger else {
            preconditionFailure("a request without a trigger was pending")
        }
        let late = now.nanoseconds(since: due)
        let isMissed = !trigger.repeats && late > Limits.latenessNanoseconds
        return Firing(
            outcome: isMissed ? .missed : outcome(of: request.content),
            lateByNanoseconds: late,
            collapsedCount: trigger.collapsedCount(due: due, now: now),
            nextFire: trigger.repeats ? trigger.nextFire(base: base, after: now) : nil
        )
    }

    /// Applies the badge of a delivery.
    ///
    /// - Returns: Whether the badge changed.
    public mutating func applyBadge(
        of content: NotificationContent,
        with options: PresentationOptions
    ) -> Bool {
        guard options.contains(.badge) else { return false }
        return setBadge(content.badge(after: badge))
    }

    /// Sets the badge as the app asks (semantics.md B-3).
    ///
    /// - Returns: Whether the badge changed.
    /// - Throws: ``Refusal/badgeInvalid(_:)`` or ``Refusal/notAllowed``.
    public mutating func setBadgeCount(_ count: Int64) throws(Refusal) -> Bool {
        guard let count = Int32(exactly: count), count >= 0 else { throw .badgeInvalid("count") }
        guard settings.authorizationStatus.allowsNotifications, settings.badge == .enabled else {
            throw .notAllowed
        }
        return setBadge(count)
    }

    private mutating func setBadge(_ count: Int32) -> Bool {
        defer { badge = count }
        return badge != count
    }
}
