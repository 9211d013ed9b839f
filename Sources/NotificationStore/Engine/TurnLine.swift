internal import DequeModule

/// The work that waits for a thread, such as the writer's, in a line for each caller; the callers
/// take turns.
///
/// In its turn a caller may take work of ``quantum``, and keeps the rest of that for its next turn
/// while it waits (deficit round robin). So a caller with much work waits behind the others, who
/// get as much done as it does. The work of one caller stays in its order.
package struct TurnLine<Caller: Hashable, Element> {
    private struct Line {
        var waiting = Deque<(element: Element, cost: Int)>()
        /// The work that the caller may take before the next caller's turn.
        var credit: Int
    }

    /// The work of a turn, in rows or KiB.
    private let quantum: Int
    private var lines: [Caller: Line] = [:]
    /// The callers with work that waits; the first has its turn.
    private var turns = Deque<Caller>()
    /// How many elements wait.
    package private(set) var count = 0
    /// Their cost together.
    private(set) var cost = 0

    package init(quantum: Int = 64) {
        self.quantum = quantum
    }

    func count(of caller: Caller) -> Int { lines[caller]?.waiting.count ?? 0 }

    /// Appends an element behind the others of its caller.
    package mutating func append(_ element: Element, of caller: Caller, cost: Int) {
        if lines[caller] == nil { turns.append(caller) }
        lines[caller, default: Line(credit: quantum)].waiting.append((element, cost))
        count += 1
        self.cost += cost
    }

    /// Takes the next elements: costs of at most `limit` together, and at least one element if any
    /// waits.
    ///
    /// Elements that are taken together are done together, and small work would end as late as
    /// large work. So where several callers wait, half of `limit` is taken, and an element of more
    /// than a quarter of that only as the first.
    package mutating func take(atMost limit: Int) -> [Element] {
        let most = turns.count > 1 ? max(1, limit / 2) : limit
        var taken: [Element] = []
        var cost = 0
        while let caller = nextCaller(), let next = lines[caller]?.waiting.first {
            if !taken.isEmpty {
                guard next.cost <= max(1, most / 4) else {
                    // Let the caller wait behind small work, but not for long.
                    lines[caller]?.credit += limit / 4
                    break
                }
                guard next.cost <= most - cost else { break }
            }
            cost += next.cost
            taken.append(next.element)
            remove(next.cost, from: caller)
        }
        return taken
    }

    /// The caller whose element comes next; a turn ends where the credit does not pay for more.
    ///
    /// Where one caller alone waits, its credit does not matter: nobody waits behind it.
    private mutating func nextCaller() -> Caller? {
        guard turns.count > 1 else { return turns.first }
        while let caller = turns.first, let line = lines[caller], let next = line.waiting.first {
            if next.cost <= line.credit { return caller }
            lines[caller]?.credit += quantum
            turns.append(turns.removeFirst())
        }
        return nil
    }

    private mutating func remove(_ cost: Int, from caller: Caller) {
        guard let index = lines.index(forKey: caller) else { return }
        count -= 1
        self.cost -= cost
        lines.values[index].waiting.removeFirst()
        lines.values[index].credit = max(0, lines.values[index].credit - cost)
        guard lines.values[index].waiting.isEmpty else { return }
        lines.remove(at: index)
        turns.removeFirst()
    }
}
