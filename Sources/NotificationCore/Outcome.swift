/// The outcome of a due occurrence (§7.6, §8).
package enum Outcome: Hashable, Sendable {
    /// Delivered with this presentation; without ``PresentationOptions/list`` there is no entry.
    case delivered(Presentation)
    case suppressed(SuppressionReason)
    /// Too late after down time to be of use (D-8).
    case missed
    /// The app is in front and has to say how to present the occurrence (§9).
    case asks

    /// Whether an older occurrence that is arriving under the same identifier or replacement key is
    /// withdrawn and withheld first (FG-3, ADD-12); an occurrence that is missed, filtered or not
    /// permitted leaves it as it is.
    package var withdrawsOlder: Bool {
        switch self {
        case .missed, .suppressed(.notAuthorized), .suppressed(.filtered): false
        case .delivered, .asks, .suppressed(.notPresented): true
        }
    }
}

/// The effects of a delivery that the person perceived.
package struct Presentation: Hashable, Sendable {
    package var options: PresentationOptions
    /// Whether the delivery came quietly, into the list at most, because of a Focus, a provisional
    /// grant or the summary.
    package var isQuiet: Bool
    /// Whether the app was asked and said nothing in time (D-14).
    package var hasTimedOut: Bool
    /// Whether the delivery is held for the scheduled summary (SSM-3).
    package var isHeld: Bool
    /// When that summary is due; kept in events.
    package var heldUntil: WallInstant?
    /// The name of the Focus that kept the delivery quiet; nil where none did (QH-2).
    package var silencingFocus: String?
    /// Whether the device vibrates in place of a muted sound; not kept in events.
    package var vibrates: Bool

    package init(
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

    /// Keeps the part of a decision that is recorded.
    init(_ decision: PresentationDecision) {
        let isHeld = decision.mode == .heldForSummary && decision.options.contains(.list)
        self.init(
            decision.options,
            // A delivery that belongs in the summary and has no entry to wait in comes quietly,
            // too.
            isQuiet: decision.mode != .immediate && !isHeld,
            hasTimedOut: decision.hasTimedOut,
            isHeld: isHeld,
            vibrates: decision.vibrates
        )
        silencingFocus = decision.silencingFocus
    }
}

extension ForegroundDelegate {
    /// The delegate's standing answer; nil where it is asked each time, or there is no delegate.
    var standingAnswer: PresentationOptions? {
        switch self {
        case .none, .asks: nil
        case .withoutWillPresent: []
        case .standing(let options): options
        }
    }
}

/// Why an occurrence was withheld; the numbers are stored and are the wire's.
package enum SuppressionReason: UInt8, Hashable, Sendable, CaseIterable {
    /// The person no longer allows notifications (D-4).
    case notAuthorized = 1
    /// The app was in front and presents the occurrence itself, or a newer occurrence replaced it
    /// (§9).
    case notPresented = 2
    /// The app's service extension dropped the push (NSE-5).
    case filtered = 3
}

/// The decision about a due request that fires.
package struct Firing: Hashable, Sendable {
    package var outcome: Outcome
    /// When the latest occurrence that the firing represents was due (DT-5).
    package var scheduled: Due
    /// How late that occurrence is, in nanoseconds; never negative.
    package var lateByNanoseconds: Int64
    /// How many earlier occurrences the firing represents as well.
    package var collapsedCount: Int64
    /// How many occurrences the request has had, with those that the firing represents.
    package var occurrenceCount: Int64
    /// When the request fires next; absent ends the request.
    package var nextFire: Due?
    /// The steps to find what it represents (``PassedOccurrences/searchSteps``).
    package var searchSteps = 0
}
