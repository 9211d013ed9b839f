public import NotificationCore
internal import NotificationStore

/// Where a feed's messages go.
///
/// Called on a thread of the pump, one call at a time; must not block.
public protocol FeedSink<Feed, Message>: AnyObject, Sendable {
    /// What feeds it.
    associatedtype Feed
    /// What it is told.
    associatedtype Message

    /// Takes the feed, on the thread that opens it and before anything is sent: a message may be
    /// taken at once, and then it is this feed that has to hear so.
    func begin(_ feed: Feed)
    /// Sends one message; the next one comes after the feed's `sent()`.
    func send(_ message: Message)
    /// Ends the stream; nothing follows.
    func end(_ refusal: Refusal)
}

/// Lets the messages of a feed go to its sink one at a time, and its end after them.
struct Turnstile<Feed, Message>: Sendable {
    typealias Sink = any FeedSink<Feed, Message>

    /// Whether a thread makes the next message, or one is on its way; at first nobody makes one.
    private var isBusy = true
    private var isOnItsWay = false
    /// Whether a thread has a turn, in which it may be calling the sink.
    private var isServed = false
    private(set) var isEnded = false
    /// What the sink is told at the end of the turn that was under way when it ended.
    private var lastWord: Refusal?
    /// Let go at the end, since a sink may hold its feed.
    private var sink: Sink?
    private var lastSentBootNanoseconds = SystemTime.now().bootNanoseconds

    init(_ sink: Sink) {
        self.sink = sink
    }

    /// Whether the next message may be made.
    var isFree: Bool { !isBusy && !isServed && !isEnded }

    /// Lets the first message be made.
    mutating func open() { isBusy = false }

    /// Has a thread make the next message.
    mutating func takeTurn() {
        isBusy = true
        isServed = true
    }

    /// Gives a turn up without a message.
    mutating func skip() { isBusy = false }

    /// Gives the sink for the message of a turn; nil where the feed ended meanwhile.
    mutating func send() -> Sink? {
        guard !isEnded, let sink else { return nil }
        isOnItsWay = true
        lastSentBootNanoseconds = SystemTime.now().bootNanoseconds
        return sink
    }

    /// Notes that the last message was taken.
    mutating func sent() {
        isBusy = false
        isOnItsWay = false
        lastSentBootNanoseconds = SystemTime.now().bootNanoseconds
    }

    /// Gives a turn back: with the sink, and what it is to be told, where the feed ended meanwhile.
    mutating func endTurn() -> (sink: Sink?, lastWord: Refusal?) {
        isServed = false
        return (isEnded ? sink.take() : nil, lastWord.take())
    }

    /// Ends the feed.
    ///
    /// - Parameter refusal: What the sink is told, after what a turn that is under way tells it;
    ///   nil tells it nothing.
    /// - Returns: Whether it was open, and the sink to be told now, or to be let go.
    mutating func end(_ refusal: Refusal? = nil) -> (wasOpen: Bool, sink: Sink?) {
        guard !isEnded else { return (false, nil) }
        isEnded = true
        guard isServed else { return (true, sink.take()) }
        lastWord = refusal
        return (true, nil)
    }

    /// How long nothing was sent, and whether a message is still on its way.
    func idle(at bootNanoseconds: Int64) -> (nanoseconds: Int64, isOnItsWay: Bool) {
        (bootNanoseconds - lastSentBootNanoseconds, isOnItsWay)
    }
}
