internal import Faults

/// A point on the server's elapsed clock: nanoseconds that passed since its store was made.
///
/// The elapsed clock counts time that passes while the machine sleeps and while the server is down.
/// Setting the wall clock does not move the elapsed clock, and it never goes back. Intervals and
/// deadlines are counted on it.
@usableFromInline
package struct ElapsedInstant: Hashable, Comparable, Sendable {
    /// Nanoseconds since the store was made; never negative.
    @usableFromInline
    package var nanoseconds: Int64

    /// Makes the instant that lies `nanoseconds` after the store was made.
    @inlinable
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    @inlinable
    package static func < (left: Self, right: Self) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// Gives the instant of the elapsed clock `nanoseconds` later, or its last instant where that
    /// overflows.
    package func advanced(byNanoseconds nanoseconds: Int64) -> ElapsedInstant {
        ElapsedInstant(nanoseconds: self.nanoseconds.saturatingAdd(nanoseconds))
    }

    /// Gives the elapsed nanoseconds from `earlier` to this instant, or the nearest number that an
    /// `Int64` holds; negative where `earlier` lies later.
    package func nanoseconds(since earlier: ElapsedInstant) -> Int64 {
        nanoseconds.saturatingSubtract(earlier.nanoseconds)
    }
}

/// A point on the wall clock: nanoseconds since 1970-01-01T00:00:00Z, leap seconds not counted.
@usableFromInline
package struct WallInstant: Hashable, Comparable, Sendable {
    /// Nanoseconds since 1970-01-01T00:00:00Z.
    @usableFromInline
    package var nanoseconds: Int64

    /// Makes the instant that lies `nanoseconds` after 1970-01-01T00:00:00Z.
    @inlinable
    package init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    @inlinable
    package static func < (left: Self, right: Self) -> Bool {
        left.nanoseconds < right.nanoseconds
    }

    /// An instant before the first build of this version; each release moves it on.
    ///
    /// A wall clock that shows an earlier instant was never set, like the clock of a machine that
    /// boots in 1970 (DT-4). The instant is a constant, so that the same sources make the same
    /// program.
    package static let firstBuild = WallInstant(nanoseconds: 1_704_067_200_000_000_000)

    /// Whether a clock that shows this instant was ever set.
    package var isTime: Bool { self >= .firstBuild || Fault.unsetClockFires.isPlanted }

    /// Gives the instant of the wall clock `nanoseconds` later, or its last instant where that
    /// overflows.
    package func advanced(byNanoseconds nanoseconds: Int64) -> WallInstant {
        WallInstant(nanoseconds: self.nanoseconds.saturatingAdd(nanoseconds))
    }

    /// Gives the nanoseconds of the wall clock from `earlier` to this instant, or the nearest
    /// number that an `Int64` holds; negative where `earlier` lies later.
    package func nanoseconds(since earlier: WallInstant) -> Int64 {
        let (difference, overflow) = nanoseconds.subtractingReportingOverflow(earlier.nanoseconds)
        guard overflow else { return difference }
        return nanoseconds < 0 ? .min : .max
    }
}

/// The one reading of both clocks that all decisions of a batch share.
package struct Now: Hashable, Sendable {
    package var elapsed: ElapsedInstant
    package var wall: WallInstant

    package init(elapsed: ElapsedInstant, wall: WallInstant) {
        self.elapsed = elapsed
        self.wall = wall
    }

    /// Gives the date that the wall clock will show at `instant`, unless the clock is set before
    /// that.
    package func wall(at instant: ElapsedInstant) -> WallInstant {
        wall.advanced(byNanoseconds: instant.nanoseconds(since: elapsed))
    }

    /// Gives the reading `nanoseconds` later on both clocks.
    package func advanced(byNanoseconds nanoseconds: Int64) -> Now {
        Now(
            elapsed: elapsed.advanced(byNanoseconds: nanoseconds),
            wall: wall.advanced(byNanoseconds: nanoseconds)
        )
    }
}

extension Int64 {
    package static let nanosecondsPerSecond: Int64 = 1_000_000_000

    func saturatingAdd(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else { return sum }
        return other < 0 ? .min : .max
    }

    func saturatingSubtract(_ other: Int64) -> Int64 {
        let (difference, overflow) = subtractingReportingOverflow(other)
        guard overflow else { return difference }
        return other < 0 ? .max : .min
    }
}
