internal import Faults

package enum RegionCrossing: Hashable, Sendable {
    /// From outside to inside.
    case entry
    /// From inside to outside.
    case exit
}

/// Where a device is in relation to a region; without a value that is unknown.
package struct RegionState: Hashable, Sendable {
    package var isInside: Bool
    /// When this turns into its opposite, unless the device reports otherwise before: the end of a
    /// dwell (LOC-2), or 30 s after the last sighting of a beacon (LOC-3).
    package var changesAt: ElapsedInstant?

    package init(isInside: Bool, changesAt: ElapsedInstant? = nil) {
        self.isInside = isInside
        self.changesAt = changesAt
    }

    /// The state of a region of which nothing is stored.
    ///
    /// - Parameters:
    ///   - since: When the region began to be watched.
    ///   - lastReport: The number of the newest report of its kind before the one that is handled.
    ///   - now: The instant of the report.
    ///   - isBeacon: Whether the region is a beacon's: not to be seen for 30 s is to be outside.
    /// - Returns: Outside, where the device has reported since then; nil, unknown, before that
    ///   (LOC-1).
    package static func unstored(
        since: WatchStart,
        lastReport: UInt64,
        at now: ElapsedInstant,
        isBeacon: Bool
    ) -> RegionState? {
        let isLost =
            isBeacon && now.nanoseconds(since: since.instant) >= Limits.beaconLossNanoseconds
        return lastReport > since.number || isLost ? RegionState(isInside: false) : nil
    }

    /// The state after ``changesAt``, and the crossing that this is.
    package var changed: RegionStep {
        RegionStep(state: RegionState(isInside: !isInside), crossings: [isInside ? .exit : .entry])
    }
}

/// When a region began to be watched, or its app was allowed to know the location again.
package struct WatchStart: Hashable, Sendable {
    /// A number of the store's counter, which also numbers requests and reports.
    package var number: UInt64
    package var instant: ElapsedInstant

    package init(number: UInt64, instant: ElapsedInstant) {
        self.number = number
        self.instant = instant
    }

    /// The later of two starts.
    package static func latest(_ one: WatchStart, _ other: WatchStart?) -> WatchStart {
        guard let other, other.number > one.number else { return one }
        return other
    }
}

/// The effect of a report on the state of a region.
package struct RegionStep: Hashable, Sendable {
    /// The state after the report.
    package var state: RegionState
    /// The crossings, in their order.
    package var crossings: [RegionCrossing] = []

    package init(state: RegionState, crossings: [RegionCrossing] = []) {
        self.state = state
        self.crossings = crossings
    }
}

extension CircularRegion {
    /// Decides the effect of a fix on the state of the region (LOC-1, LOC-2).
    ///
    /// - Parameters:
    ///   - fix: Where the device is.
    ///   - state: The state before; nil is unknown, and the fix then sets it without a crossing.
    ///   - instant: The instant of the fix.
    ///   - suppressesJitter: Whether a crossing needs distance and time, or much distance.
    /// - Returns: The state after the fix, and the crossing.
    package func step(
        to fix: LocationFix,
        from state: RegionState?,
        at instant: ElapsedInstant,
        suppressesJitter: Bool
    ) -> RegionStep {
        guard let state else {
            if Fault.presenceFires.isPlanted, contains(fix.place) {
                return RegionState(isInside: false).changed
            }
            return RegionStep(state: RegionState(isInside: contains(fix.place)))
        }
        guard suppressesJitter else {
            return contains(fix.place) == state.isInside
                ? RegionStep(state: RegionState(isInside: state.isInside)) : state.changed
        }
        if let end = state.changesAt, end <= instant {
            // The dwell was over before this fix, which came late.
            let crossed = state.changed
            var next = step(to: fix, from: crossed.state, at: instant, suppressesJitter: true)
            next.crossings = crossed.crossings + next.crossings
            return next
        }
        if isBeyondBorder(fix.place, from: state, by: Limits.jitterMeters) { return state.changed }
        guard isBeyondBorder(fix.place, from: state, by: fix.accuracyMeters) else {
            // A place that may as well be on the other side does not contradict a dwell.
            return contradicts(fix, state) || Fault.uncertainFixEndsADwell.isPlanted
                ? RegionStep(state: RegionState(isInside: state.isInside))
                : RegionStep(state: state)
        }
        guard state.changesAt == nil else { return RegionStep(state: state) }
        let end = instant.advanced(byNanoseconds: Limits.dwellNanoseconds)
        return RegionStep(state: RegionState(isInside: state.isInside, changesAt: end))
    }

    /// Whether a fix says that the device is still on its side of the border: it is certain enough,
    /// or deep enough on that side.
    private func contradicts(_ fix: LocationFix, _ state: RegionState) -> Bool {
        let meters = min(fix.accuracyMeters, Limits.jitterMeters)
        return state.isInside
            ? reaches(fix.place, within: radiusMeters - meters)
            : !reaches(fix.place, within: radiusMeters + meters)
    }

    /// Whether a point lies on the other side of the border, and more than `meters` away from it.
    private func isBeyondBorder(
        _ point: Coordinate,
        from state: RegionState,
        by meters: Double
    ) -> Bool {
        state.isInside
            ? !reaches(point, within: radiusMeters + meters)
            : reaches(point, within: (radiusMeters - meters).nextDown)
    }
}

extension BeaconRegion {
    /// Decides the effect of a sighting of one of its beacons on the state of the region (LOC-3).
    ///
    /// - Parameters:
    ///   - state: The state before; nil is unknown, and the sighting sets it without a crossing.
    ///   - instant: The instant of the sighting.
    /// - Returns: Inside, until 30 s later; first an exit, where the beacon was lost for so long
    ///   before.
    package static func step(from state: RegionState?, at instant: ElapsedInstant) -> RegionStep {
        let end = instant.advanced(byNanoseconds: Limits.beaconLossNanoseconds)
        let inside = RegionState(isInside: true, changesAt: end)
        guard let state else { return RegionStep(state: inside) }
        guard state.isInside else { return RegionStep(state: inside, crossings: [.entry]) }
        let isLost = state.changesAt.map { $0 <= instant } ?? false
        return RegionStep(state: inside, crossings: isLost ? [.exit, .entry] : [])
    }
}
