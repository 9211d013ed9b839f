/// Where a device was at an instant.
package struct LocationFix: Hashable, Sendable {
    package var place: Coordinate
    /// By how many meters the place may be wrong; finite, not negative.
    package var accuracyMeters: Double
    /// When the device was there; nil is the instant at which the report is handled.
    package var time: WallInstant?

    package init(place: Coordinate, accuracyMeters: Double = 0, time: WallInstant? = nil) {
        self.place = place
        self.accuracyMeters = accuracyMeters
        self.time = time
    }
}

/// A beacon that a device saw at an instant.
package struct BeaconSighting: Hashable, Sendable {
    /// The UUID of the beacon's family.
    package var uuid: UInt128
    /// The group within the family.
    package var major: UInt16
    /// The beacon within the group.
    package var minor: UInt16
    /// When the device saw the beacon; nil is the instant at which the report is handled.
    package var time: WallInstant?

    package init(uuid: UInt128, major: UInt16, minor: UInt16, time: WallInstant? = nil) {
        self.uuid = uuid
        self.major = major
        self.minor = minor
        self.time = time
    }
}

/// The instants of a report, as the server reads them.
package enum ReportTime {
    /// How far ahead of the server's clock a device's clock may be, in nanoseconds: 5 min.
    package static let aheadNanoseconds = 300 * Int64.nanosecondsPerSecond

    /// Whether a report's instant is one that a device can mean; while the server's clock is not
    /// set, any instant is (DT-4).
    package static func isPossible(_ time: WallInstant?, at now: WallInstant) -> Bool {
        time.map { $0.nanoseconds(since: now) <= aheadNanoseconds || !now.isTime } ?? true
    }

    /// Gives the instant of a report: a device's clock that is a little ahead does not count.
    package static func instant(_ time: WallInstant?, at now: WallInstant) -> WallInstant {
        min(time ?? now, now)
    }

    /// Whether a report is not older than the newest one that was handled.
    ///
    /// After the clock was set back, a report that was handled in its future does not count.
    package static func isNews(
        _ time: WallInstant,
        after last: WallInstant,
        at now: WallInstant
    ) -> Bool {
        time >= last || last > now
    }
}
