/// When a pending request fires next, on the clock that its trigger uses (TM-1).
@usableFromInline
package enum Due: Hashable, Sendable {
    /// After elapsed time.
    case elapsed(ElapsedInstant)
    case wall(WallInstant)

    /// Gives the date at which the request fires, unless the clock is set before that.
    package func date(asOf now: Now) -> WallInstant {
        switch self {
        case .elapsed(let instant): now.wall(at: instant)
        case .wall(let date): date
        }
    }

    /// Gives by how many nanoseconds `now` is after the due instant; negative before it.
    package func nanosecondsLate(at now: Now) -> Int64 {
        switch self {
        case .elapsed(let instant): now.elapsed.nanoseconds(since: instant)
        case .wall(let date): now.wall.nanoseconds.saturatingSubtract(date.nanoseconds)
        }
    }
}

extension Due? {
    /// By how many nanoseconds `now` is after the due instant, to compare due instants; a request
    /// that waits for a place comes last.
    package func lateness(at now: Now) -> Int64 { self?.nanosecondsLate(at: now) ?? .min }
}

/// The occurrences of a repeating trigger that one late firing represents (D-8, DT-5).
package struct PassedOccurrences<Instant: Hashable & Sendable>: Hashable, Sendable {
    /// When the latest occurrence was due; the lateness of the firing counts from this instant.
    package var latest: Instant
    /// How many earlier occurrences there are.
    package var earlierCount: Int64
    /// The steps of all searches for them (``OccurrenceRun/searchSteps``).
    package var searchSteps = 0
}

extension PassedOccurrences<WallInstant> {
    /// The occurrences of a trigger with dates.
    var onWallClock: PassedOccurrences<Due> {
        .init(latest: .wall(latest), earlierCount: earlierCount, searchSteps: searchSteps)
    }
}
