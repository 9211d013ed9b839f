/// How far a push to many devices is.
package struct TagPushStatus: Hashable, Sendable {
    /// When the push was taken from its caller.
    package var createdAt: WallInstant
    /// The instant for which the caller scheduled the push; nil is at once.
    package var deliverAt: WallInstant?
    /// When it began; nil while it waits for its instant.
    package var beganAt: WallInstant?
    /// When it had reached all, or was cancelled; nil before.
    package var endedAt: WallInstant?
    /// Whether it was cancelled before it had reached all.
    package var isCancelled: Bool
    /// How many devices had each outcome, in the order of ``PushOutcome``'s numbers.
    package var counts: [UInt64]

    /// The number of its last outcome, and so of devices that it has reached.
    package var deviceCount: UInt64 { counts.reduce(0, &+) }

    package init(
        createdAt: WallInstant,
        deliverAt: WallInstant?,
        beganAt: WallInstant?,
        endedAt: WallInstant?,
        isCancelled: Bool,
        counts: [UInt64]
    ) {
        self.createdAt = createdAt
        self.deliverAt = deliverAt
        self.beganAt = beganAt
        self.endedAt = endedAt
        self.isCancelled = isCancelled
        self.counts = counts
    }
}

/// The outcome of a push to many on one device.
package struct TagPushOutcome: Hashable, Sendable {
    /// Its number among the outcomes of the push, counted from 1 without gaps.
    package var number: UInt64
    package var center: CenterName
    /// The identifier of the push on this device, in the form of a UUID.
    package var apnsIdentifier: String
    package var outcome: PushOutcome
    /// Why it was refused; nil where it was not.
    package var reason: Reason?

    package init(
        number: UInt64,
        center: CenterName,
        apnsIdentifier: String,
        outcome: PushOutcome,
        reason: Reason?
    ) {
        self.number = number
        self.center = center
        self.apnsIdentifier = apnsIdentifier
        self.outcome = outcome
        self.reason = reason
    }
}
