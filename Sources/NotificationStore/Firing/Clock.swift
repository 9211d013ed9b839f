internal import BelfryLocking
public import NotificationCore

/// The server's two clocks: the machine's, or manual ones that `AdvanceClock` alone moves.
///
/// Elapsed time goes on from where the store's last batch left it: within one boot of the machine
/// by the boot-time clock, across boots by the wall clock's difference, never backward.
public final class Clock: Sendable {
    /// Which clock a server runs on.
    public enum Form: Hashable, Sendable {
        /// The machine's clocks.
        case system
        /// Clocks that stand still until they are moved. A store that has a time keeps it;
        /// an empty one starts at this instant.
        case manual(start: WallInstant)
    }

    /// Whether it is the manual clock.
    public let isManual: Bool

    // Of the system form: elapsed = boot-time clock + offset. Set once.
    private let offsetNanoseconds: Int64
    // Of the manual form. Moved by the writer thread after the batch that moved it is durable.
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
    public func now() -> Now {
        guard !isManual else { return manualNow.withLock { $0 } }
        let system = SystemTime.now()
        return Now(
            elapsed: ElapsedInstant(nanoseconds: system.bootNanoseconds + offsetNanoseconds),
            wall: WallInstant(nanoseconds: system.wallNanoseconds)
        )
    }

    /// Whether the wall clock was ever set (DT-4); from any thread.
    public var isSet: Bool { now().wall.isTime }

    /// Reads the clock that callers wait on: elapsed time that passes by itself.
    ///
    /// It is the machine's also where the server's clock is a manual one: who waits for a person
    /// cannot move the clock meanwhile.
    func waited() -> ElapsedInstant {
        ElapsedInstant(nanoseconds: SystemTime.now().bootNanoseconds + offsetNanoseconds)
    }

    /// Moves the manual clock, on the writer thread.
    func set(_ now: Now) {
        precondition(isManual, "the system clock was set")
        manualNow.withLock { $0 = now }
    }

    /// Gives the boot-time nanoseconds at which ``waited()`` is `instant`, as is the elapsed clock
    /// of the system form.
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
        let isSameBoot = !boot.isEmpty && last.bootIdentifier == boot
        let wall = WallInstant(nanoseconds: system.wallNanoseconds)
        let passed: Int64 =
            if isSameBoot {
                system.bootNanoseconds - last.bootNanoseconds
            } else if wall.isTime && last.now.wall.isTime {
                system.wallNanoseconds - last.now.wall.nanoseconds
            } else {
                // One of them was not set: nobody knows how long the machine was off.
                0
            }
        return last.now.elapsed.nanoseconds + max(0, passed) - system.bootNanoseconds
    }
}
