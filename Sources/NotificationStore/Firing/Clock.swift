internal import BelfryLocking
internal import Faults
package import NotificationCore
internal import NotificationRecords

/// The server's two clocks: the machine's clocks, or manual clocks that only `AdvanceClock` moves.
///
/// Elapsed time continues from the store's last batch: within one boot of the machine by the
/// boot-time clock, after another boot by the difference of the wall clock, never backward.
package final class Clock: Sendable {
    /// The kinds of clocks that a server can run on.
    package enum Form: Hashable, Sendable {
        case system
        /// Clocks that stand still until they are moved. A store that has a time keeps it; an empty
        /// store starts at this instant.
        case manual(start: WallInstant)
    }

    package let isManual: Bool

    // For the system form: elapsed = boot-time clock + offset. Set once.
    private let offsetNanoseconds: Int64
    // For the manual form: the reading. The writer thread moves it after the batch that moved the
    // clock is durable.
    private let manualNow: Guarded<Now>

    init(form: Form, last: StoreState?) {
        let system = SystemTime.now()
        switch form {
        case .system:
            isManual = false
            offsetNanoseconds = Self.offset(last, system, boot: SystemTime.bootIdentifier())
            manualNow = Guarded(Now(elapsed: .init(nanoseconds: 0), wall: .init(nanoseconds: 0)))
        case .manual(let start):
            isManual = true
            offsetNanoseconds = 0
            manualNow = Guarded(last?.now ?? Now(elapsed: .init(nanoseconds: 0), wall: start))
        }
    }

    /// Reads both clocks; from any thread.
    package func now() -> Now {
        guard !isManual else { return manualNow.withLock { $0 } }
        let system = SystemTime.now()
        return Now(
            elapsed: ElapsedInstant(nanoseconds: system.bootNanoseconds + offsetNanoseconds),
            wall: WallInstant(nanoseconds: system.wallNanoseconds)
        )
    }

    /// Whether the wall clock was ever set (DT-4); from any thread.
    package var isSet: Bool { now().wall.isTime }

    /// Reads the clock that callers wait on: elapsed time that always passes.
    ///
    /// This is the machine's clock even where the server's clock is manual: a caller that waits for
    /// a person cannot move the manual clock at the same time.
    func waited() -> ElapsedInstant {
        ElapsedInstant(nanoseconds: SystemTime.now().bootNanoseconds + offsetNanoseconds)
    }

    /// Moves the manual clock, on the writer thread.
    func set(_ now: Now) {
        precondition(isManual, "the system clock was set")
        manualNow.withLock { $0 = now }
    }

    /// Gives the boot-time nanoseconds at which ``waited()``, and the elapsed clock of the system
    /// form, show `instant`.
    func bootNanoseconds(at instant: ElapsedInstant) -> Int64 {
        instant.nanoseconds - offsetNanoseconds
    }

    /// Gives the boot-time nanoseconds that belong to a reading of the clocks.
    func bootNanoseconds(of now: Now) -> Int64 {
        isManual ? SystemTime.now().bootNanoseconds : bootNanoseconds(at: now.elapsed)
    }

    private static func offset(
        _ last: StoreState?,
        _ system: SystemTime,
        boot: String
    ) -> Int64 {
        guard let last else { return -system.bootNanoseconds }
        let isKnownBoot = !boot.isEmpty && !Fault.clockSetCounts.isPlanted
        let isSameBoot = isKnownBoot && last.bootIdentifier == boot
        let wall = WallInstant(nanoseconds: system.wallNanoseconds)
        let passed: Int64 =
            if isSameBoot {
                system.bootNanoseconds - last.bootNanoseconds
            } else if wall.isTime && last.now.wall.isTime {
                system.wallNanoseconds - last.now.wall.nanoseconds
            } else {
                // The time for which the machine was off is unknown, since one of the readings is
                // from a clock that was not set.
                0
            }
        let forward = Fault.clockGoesBack.isPlanted ? passed : max(0, passed)
        return last.now.elapsed.nanoseconds + forward - system.bootNanoseconds
    }
}
