/// When a pending request fires next, on the clock that its trigger is told by (TM-1).
public enum Due: Hashable, Sendable {
    /// After elapsed time.
    case elapsed(ElapsedInstant)
    /// At a date.
    case wall(WallInstant)

    /// Gives the date, if nobody sets the clock meanwhile.
    public func date(asOf now: Now) -> WallInstant {
        switch self {
        case .elapsed(let instant): now.wall(at: instant)
        case .wall(let date): date
        }
    }

    /// Gives how late it is, in nanoseconds; negative while it lies ahead.
    public func nanosecondsLate(at now: Now) -> Int64 {
        switch self {
        case .elapsed(let instant): now.elapsed.nanoseconds(since: instant)
        case .wall(let date): now.wall.nanoseconds.saturatingSubtract(date.nanoseconds)
        }
    }
}

/// The occurrences of a repeating trigger that one late firing stands for (D-8, DT-5).
public struct PassedOccurrences<Instant: Hashable & Sendable>: Hashable, Sendable {
    /// When the latest of them was due; the firing is as late as this one.
    public var latest: Instant
    /// How many were due before it.
    public var earlierCount: Int64
}
