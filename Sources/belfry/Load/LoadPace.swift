internal import BelfryLocking

/// When the calls of a stage begin.
final class LoadPace: Sendable {
    private let start: ContinuousClock.Instant
    private let measured: ContinuousClock.Instant
    private let end: ContinuousClock.Instant
    /// The time between two calls; nil begins one whenever another has ended.
    private let interval: Duration?
    // How many calls have a place in the plan, and how many of those that are measured began.
    private let taken = Guarded(0)
    private let sent = Guarded(0)

    /// Plans a stage that begins now.
    init(rate: Double?, warmUp: Duration, duration: Duration) {
        start = .now
        measured = start + warmUp
        end = measured + duration
        interval = rate.map { .nanoseconds(Int64(max(1, 1_000_000_000 / $0))) }
    }

    /// When a call should begin, and whether it is measured.
    struct Slot {
        var intended: ContinuousClock.Instant
        var isMeasured: Bool
    }

    func next() async throws -> Slot? {
        guard let interval else {
            let now = ContinuousClock.now
            return now < end ? Slot(intended: now, isMeasured: now >= measured) : nil
        }
        let place = taken.withLock { taken in
            defer { taken += 1 }
            return taken
        }
        let intended = start + interval * place
        guard intended < end else { return nil }
        try await Task.sleep(until: intended, tolerance: .zero)
        guard .now < end else { return nil }
        sent.withLock { if intended >= measured { $0 += 1 } }
        return Slot(intended: intended, isMeasured: intended >= measured)
    }

    /// How many measured calls should have begun and did not, after the end of the stage.
    var unsent: Int {
        guard let interval else { return 0 }
        let first = Int(((measured - start) / interval).rounded(.up))
        let last = Int(((end - start) / interval).rounded(.up))
        return max(0, last - first - sent.withLock { $0 })
    }

    /// Waits until calls are measured.
    func warmUp() async throws {
        try await Task.sleep(until: measured, tolerance: .zero)
    }

    /// Waits for the end.
    func finish() async throws {
        try await Task.sleep(until: end, tolerance: .zero)
    }
}
