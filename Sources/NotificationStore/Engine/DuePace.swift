internal import NotificationCore

/// How much due work a batch does: less, and after a rest, where there was no space for it.
///
/// A large batch needs more pages than a small one, and the calls of its batch fail with it. The
/// rest is timed by the clock that ``Clock/waited()`` reads: a manual clock may stand still.
struct DuePace {
    /// How long due work rests, in nanoseconds.
    private static let rest: Int64 = 1_000_000_000

    /// The rows of due work that a batch does at most.
    private var limit = Int.max
    /// Until when no due work is done.
    private var restsUntil: ElapsedInstant?
    /// Whether it rests since the store has room for removals alone.
    private(set) var awaitsRoom = false

    /// The rows of due work that a batch does of the `share` that it would do.
    func share(of share: Int) -> Int { min(share, limit) }

    /// Until when due work rests; nil where it does not.
    func end(on clock: Clock) -> ElapsedInstant? {
        guard let restsUntil, clock.waited() < restsUntil else { return nil }
        return restsUntil
    }

    /// Whether only more room in the store helps: no batch can do less.
    var needsRoom: Bool { awaitsRoom || limit == 1 }

    /// Lets due work rest until the store has more room, or for a while.
    mutating func awaitRoom(on clock: Clock) {
        rest(on: clock)
        awaitsRoom = true
    }

    /// Lets due work rest for a while.
    mutating func rest(on clock: Clock) {
        restsUntil = clock.waited().advanced(byNanoseconds: Self.rest)
    }

    /// Lowers the limit, after a batch with so many rows of due work found no space.
    mutating func slowDown(from share: Int, on clock: Clock) {
        limit = max(1, share / 2)
        rest(on: clock)
    }

    /// Ends the rest, since the store has more room.
    mutating func noteRoom() { (awaitsRoom, restsUntil) = (false, nil) }

    /// Raises the limit, after a batch that would do `share` rows of due work became durable.
    mutating func speedUp(to share: Int) {
        (awaitsRoom, restsUntil) = (false, nil)
        limit = limit < share ? 2 * limit : .max
    }
}
