internal import NotificationCore

/// How much due work a batch does: less, and after a rest, where a batch with due work found no
/// space.
///
/// A large batch needs more pages than a small one, and the calls of its batch fail with it. The
/// rest is timed by the clock that ``Clock/waited()`` reads: a manual clock may stand still.
struct DuePace {
    /// How long due work rests after a batch that found no space, in nanoseconds.
    private static let rest: Int64 = 1_000_000_000

    /// The rows of due work that a batch does at most.
    private var limit = Int.max
    /// Until when no due work is done.
    private(set) var restsUntil: ElapsedInstant?

    /// The rows of due work that a batch does of the `share` that it would do.
    func share(of share: Int) -> Int { min(share, limit) }

    func rests(on clock: Clock) -> Bool {
        guard let restsUntil else { return false }
        return clock.waited() < restsUntil
    }

    /// Lets due work rest from now on.
    mutating func rest(on clock: Clock) {
        restsUntil = clock.waited().advanced(byNanoseconds: Self.rest)
    }

    /// Lowers the limit, after a batch with so many rows of due work found no space.
    mutating func slowDown(from share: Int, on clock: Clock) {
        limit = max(1, share / 2)
        rest(on: clock)
    }

    /// Raises the limit, after a batch that would do `share` rows of due work became durable.
    mutating func speedUp(to share: Int) {
        restsUntil = nil
        limit = limit < share ? 2 * limit : .max
    }
}
