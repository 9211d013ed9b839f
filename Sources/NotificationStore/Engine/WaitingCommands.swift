internal import NotificationCore

/// The idempotency keys of commands that are not done: a retry joins the first call.
struct OpenKeys {
    /// The keys of commands that go on in the next batch.
    var going: Set<[UInt8]> = []
    /// The keys of waiting commands, with their waits.
    var waiting: [[UInt8]: Wait] = [:]
}

/// The commands that wait for a person, in the order in which they came.
///
/// Used by the writer thread alone. The commands are looked at when a prompt ends or the next wait
/// times out, and cost a batch nothing otherwise.
struct WaitingCommands {
    private struct Entry {
        let command: QueuedCommand
        let wait: Wait
    }

    private var entries: [Entry] = []
    /// When the first of the waits times out.
    private(set) var nextEnd: ElapsedInstant?

    /// How many of the waiting commands each center has.
    private(set) var places: [CenterName: Int] = [:]

    var count: Int { entries.count }
    var commands: [QueuedCommand] { entries.map(\.command) }

    /// The wait of each command that has an idempotency key, by key.
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

    /// Takes out the commands that go on: their prompt has ended, or their wait has timed out.
    ///
    /// - Complexity: O(*n*) where a wait may have ended; else O(1).
    mutating func takeEnded(prompts: Set<PromptNumber>, at now: ElapsedInstant) -> [QueuedCommand] {
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

    /// Whether a further command of a center may wait: at most `limit` commands wait, and a center
    /// has a quarter of the places, as in the queue.
    func hasRoom(for owner: CenterName, limit: Int) -> Bool {
        count < limit && places[owner, default: 0] < max(1, limit / 4)
    }

    /// Whether a wait has timed out.
    func hasEnded(at now: ElapsedInstant) -> Bool { nextEnd.map { $0 <= now } ?? false }

    /// Takes out commands whose callers are answered elsewhere.
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
