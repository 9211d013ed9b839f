internal import NotificationCore

/// How much due work a batch does: less, and after a rest, where a batch with due work found no
/// space.
///
/// A large batch needs more pages than a small one, and the calls of its batch fail with it.
struct DuePace {
    /// How long due work rests after a batch that found no space, in nanoseconds.
    private static let rest: Int64 = 1_000_000_000

    /// The rows of due work that a batch does at most.
    private var limit = Int.max
    /// Until when no due work is done.
    private var restsUntil: ElapsedInstant?

    /// The rows of due work that a batch does of the `share` that it would do; none at rest.
    func share(of share: Int, at now: Now) -> Int {
        if let restsUntil, now.elapsed < restsUntil { return 0 }
        return min(share, limit)
    }

    /// Lowers the limit, after a batch with so many rows of due work found no space.
    mutating func slowDown(from share: Int, at now: Now) {
        limit = max(1, share / 2)
        restsUntil = now.elapsed.advanced(byNanoseconds: Self.rest)
    }

    /// Raises the limit, after a batch that would do `share` rows of due work became durable.
    mutating func speedUp(to share: Int) {
        restsUntil = nil
        limit = limit < share ? 2 * limit : .max
    }

    /// When due work is done again.
    func end(at now: Now) -> ElapsedInstant {
        restsUntil ?? now.elapsed.advanced(byNanoseconds: Self.rest)
    }
}
