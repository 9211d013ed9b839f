internal import BelfryLocking
internal import NotificationCore

/// A state of a store in which it refuses calls or leaves work undone, and which can end without a
/// restart.
package enum StoreCondition: Hashable, Sendable, CaseIterable {
    /// The wall clock was never set: what waits for a date does not fire (DT-4).
    case clockNotSet
    /// There is no space for changes that make the store grow (ST-2).
    case storeFull
    /// Half of the reserve is used, so due work waits, too.
    case dueWorkWaits
    /// Rows are damaged: the calls that need them are refused.
    case rowsDamaged
    /// Calls were refused a moment ago, because too many waited for the writer.
    case overloaded
    /// Calls were refused a moment ago, because their caller has all that it may have.
    case callerAtLimit
}

/// Notes refusals that tell of the store's surroundings and not of its state; from any thread.
final class RecentRefusals: Sendable {
    /// How long a refusal shows, in nanoseconds.
    private static let shownNanoseconds = 60 * Int64.nanosecondsPerSecond

    /// When each was noted last, by the boot-time clock.
    private let last = Guarded<[StoreCondition: Int64]>([:])

    func note(_ condition: StoreCondition) {
        let now = SystemTime.sinceBoot()
        last.withLock { $0[condition] = now }
    }

    /// The conditions whose refusals were noted a moment ago.
    var recent: Set<StoreCondition> {
        let now = SystemTime.sinceBoot()
        return last.withLock { last in
            Set(last.filter { now - $0.value < Self.shownNanoseconds }.keys)
        }
    }
}

extension Store {
    /// The states in which calls are refused or work waits, now, in the order of their severity.
    package var conditions: [StoreCondition] {
        var present = context.refusals.recent
        if !clock.isSet { present.insert(.clockNotSet) }
        if damage.hasDamage { present.insert(.rowsDamaged) }
        // Skip a store that cannot be read: the failure is reported elsewhere.
        switch try? writer.room() {
        case .adds?, .lastAdds?, nil: break
        case .dueWork?: present.insert(.storeFull)
        case .removals?: present.formUnion([.storeFull, .dueWorkWaits])
        }
        return StoreCondition.allCases.filter(present.contains)
    }
}
