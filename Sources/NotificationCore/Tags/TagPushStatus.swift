/// How far a push to many devices is.
package struct TagPushStatus: Hashable, Sendable {
    /// When it was taken.
    package var createdAt: WallInstant
    /// The instant for which it was scheduled; nil is at once.
    package var deliverAt: WallInstant?
    /// When it began; nil while it waits for its instant.
    package var beganAt: WallInstant?
    /// When it had reached all, or was cancelled; nil before.
    package var endedAt: WallInstant?
    /// Whether it was cancelled before it had reached all.
    package var isCancelled: Bool
    /// How many devices had each outcome, in the order of ``PushOutcome``'s numbers.
    package var counts: [UInt64]

    /// How many devices it has reached: the number of its last outcome.
    package var deviceCount: UInt64 { counts.reduce(0, &+) }

    /// How far a push is.
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

/// What became of a push to many on one device.
package struct TagPushOutcome: Hashable, Sendable {
    /// Its number among the outcomes of the push, counted from 1 without gaps.
    package var number: UInt64
    /// The app and the device.
    package var center: CenterName
    /// The identifier of the push on this device: a UUID.
    package var apnsIdentifier: String
    /// What became of it.
    package var outcome: PushOutcome
    /// Why it was refused; nil where it was not.
    package var reason: Reason?

    /// The outcome `number` of a push.
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
