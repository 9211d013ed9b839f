/// A notification to be delivered when its trigger fires; a value, never changed once added.
public struct NotificationRequest: Hashable, Sendable {
    /// The key for replacing and removing, 1-256 UTF-8 bytes.
    public var identifier: String
    /// What it says.
    public var content: NotificationContent
    /// When it fires; absent means now.
    public var trigger: Trigger?

    /// Makes a request.
    public init(identifier: String, content: NotificationContent, trigger: Trigger? = nil) {
        self.identifier = identifier
        self.content = content
        self.trigger = trigger
    }
}

/// When a request fires.
public enum Trigger: Hashable, Sendable {
    /// After time has passed (semantics.md 7.2).
    case timeInterval(TimeIntervalTrigger)

    /// Whether it fires again after it has fired.
    public var repeats: Bool {
        switch self {
        case .timeInterval(let trigger): trigger.repeats
        }
    }

    /// Gives when it fires next.
    ///
    /// - Parameters:
    ///   - base: The instant at which the request was accepted.
    ///   - now: The instant that the result lies strictly after.
    /// - Returns: The instant, on the clock that it is told by; nil where there is none.
    public func nextFire(base: ElapsedInstant, after now: Now) -> Due? {
        switch self {
        case .timeInterval(let trigger):
            trigger.nextFire(base: base, after: now.elapsed).map(Due.elapsed)
        }
    }

    /// Gives how many occurrences after `due` one late firing stands for (semantics.md D-8).
    public func collapsedCount(due: Due, now: Now) -> Int64 {
        switch (self, due) {
        case (.timeInterval(let trigger), .elapsed(let instant)):
            trigger.collapsedCount(due: instant, now: now.elapsed)
        case (.timeInterval, .wall): 0
        }
    }
}
