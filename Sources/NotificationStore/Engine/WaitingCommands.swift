internal import NotificationCore

/// The idempotency keys of commands that are not done: a retry joins the first call.
struct OpenKeys {
    /// Those of commands that go on in the next batch.
    var going: Set<[UInt8]> = []
    /// Those of commands that wait, and for what.
    var waiting: [[UInt8]: Wait] = [:]
}

/// The commands that wait for a person, in the order in which they came.
///
/// The writer thread's alone. They are looked at when a prompt ends or the next instant comes, and
/// cost a batch nothing otherwise.
struct WaitingCommands {
    private struct Entry {
        let command: QueuedCommand
        let wait: Wait
    }

    private var entries: [Entry] = []
    /// When the first of them waits no longer.
    private(set) var nextEnd: ElapsedInstant?

    /// How many of them each center has.
    private(set) var places: [CenterName: Int] = [:]

    var count: Int { entries.count }
    var commands: [QueuedCommand] { entries.map(\.command) }

    /// What each idempotency key among them waits for.
    var keys: [[UInt8]: Wait] {
        Dictionary(
            entries.compactMap { entry in entry.command.key.map { ($0.bytes, entry.wait) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    mutating func append(_ command: QueuedCommand, _ wait: Wait) {
        entries.append(Entry(command: command, wait: wait))
        nextEnd = min(nextEnd ?? wait.end, wait.end)
        if let owner = command.owner { places[owner, default: 0] += 1 }
    }

    /// Takes out those that go on: their prompt has ended, or their time.
    ///
    /// - Complexity: O(*n*) where there may be one; else O(1).
    mutating func takeEnded(prompts: Set<UInt64>, at now: ElapsedInstant) -> [QueuedCommand] {
        guard !prompts.isEmpty || hasEnded(at: now) else { return [] }
        var (ended, others): ([QueuedCommand], [Entry]) = ([], [])
        for entry in entries {
            if entry.wait.end <= now || prompts.contains(entry.wait.prompt) {
                ended.append(entry.command)
            } else {
                others.append(entry)
            }
        }
        replace(with: others)
        return ended
    }

    /// Whether one more of a center's may wait beside at most `limit`, of which a center has a
    /// quarter as of the queue.
    func hasRoom(for owner: CenterName, limit: Int) -> Bool {
        count < limit && places[owner, default: 0] < max(1, limit / 4)
    }

    /// Whether the time of one has come.
    func hasEnded(at now: ElapsedInstant) -> Bool { nextEnd.map { $0 <= now } ?? false }

    /// Takes commands out that are told otherwise.
    mutating func remove(_ commands: [QueuedCommand]) {
        let removed = Set(commands.map(ObjectIdentifier.init))
        replace(with: entries.filter { !removed.contains(ObjectIdentifier($0.command)) })
    }

    private mutating func replace(with others: [Entry]) {
        entries = others
        nextEnd = others.map(\.wait.end).min()
        places = [:]
        for owner in others.compactMap(\.command.owner) { places[owner, default: 0] += 1 }
    }
}
