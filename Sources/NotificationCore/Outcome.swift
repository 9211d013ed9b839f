/// What a due occurrence leads to (§7.6, §8).
public enum Outcome: Hashable, Sendable {
    /// Delivered so; without ``PresentationOptions/list`` it leaves no entry.
    case delivered(Presentation)
    /// Withheld.
    case suppressed(SuppressionReason)
    /// Too late after down time to be of use (D-8).
    case missed
    /// The app is in front and says how to present it (§9).
    case asks
}

/// What the person perceived of a delivery.
public struct Presentation: Hashable, Sendable {
    /// The effects.
    public var options: PresentationOptions
    /// Whether it came quietly: into the list alone, or not even there, because of Focus, of a
    /// provisional grant or of the summary.
    public var isQuiet: Bool
    /// Whether the app was asked and said nothing in time (D-14).
    public var hasTimedOut: Bool
    /// Whether it waits for the scheduled summary to be shown (SSM-3).
    public var isHeld: Bool
    /// When that summary is due; events keep it.
    public var heldUntil: WallInstant?
    /// Whether the device vibrates in place of a sound that is muted; events do not keep it.
    public var vibrates: Bool

    /// Makes a presentation.
    public init(
        _ options: PresentationOptions,
        isQuiet: Bool = false,
        hasTimedOut: Bool = false,
        isHeld: Bool = false,
        vibrates: Bool = false
    ) {
        self.options = options
        self.isQuiet = isQuiet
        self.hasTimedOut = hasTimedOut
        self.isHeld = isHeld
        self.vibrates = vibrates
    }

    /// What remains of a decision in the record.
    init(_ decision: PresentationDecision) {
        let isHeld = decision.mode == .heldForSummary && decision.options.contains(.list)
        self.init(
            decision.options,
            // What the summary keeps away and has no entry to wait in comes quietly too.
            isQuiet: decision.mode != .immediate && !isHeld,
            hasTimedOut: decision.hasTimedOut,
            isHeld: isHeld,
            vibrates: decision.vibrates
        )
    }
}

extension ForegroundDelegate {
    /// What it answers without being asked; nil where it is asked, or is not there.
    var standingAnswer: PresentationOptions? {
        switch self {
        case .none, .asks: nil
        case .withoutWillPresent: []
        case .standing(let options): options
        }
    }
}

/// Why an occurrence was withheld; the numbers are stored and are the wire's.
public enum SuppressionReason: UInt8, Hashable, Sendable, CaseIterable {
    /// The person no longer allows notifications (D-4).
    case notAuthorized = 1
    /// The app was in front and took it upon itself, or gave way to a newer one (§9).
    case notPresented = 2
}

/// What firing a due request decides.
public struct Firing: Hashable, Sendable {
    /// What the occurrence leads to.
    public var outcome: Outcome
    /// When it was due: the latest occurrence that it stands for (DT-5).
    public var scheduled: Due
    /// How late that one is, in nanoseconds; never negative.
    public var lateByNanoseconds: Int64
    /// The earlier occurrences that it stands for as well.
    public var collapsedCount: Int64
    /// When it fires next; absent ends the request.
    public var nextFire: Due?
}
