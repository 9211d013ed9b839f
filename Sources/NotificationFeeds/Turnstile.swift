internal import Faults
package import NotificationCore
internal import NotificationStore

/// The receiver of a feed's messages.
///
/// Called on a thread of the pump, one call at a time; must not block.
package protocol FeedSink<Feed, Message>: AnyObject, Sendable {
    associatedtype Feed
    associatedtype Message

    /// Takes the feed, on the thread that opens it and before the first message: the sink calls the
    /// feed's `sent()` after each message, perhaps at once.
    func begin(_ feed: Feed)
    /// Sends one message; the next one comes after the feed's `sent()`.
    func send(_ message: Message)
    /// Ends the stream; nothing follows.
    func end(_ refusal: Refusal)
}

/// Lets the messages of a feed go to its sink one at a time, and the end after them.
struct Turnstile<Feed, Message>: Sendable {
    typealias Sink = any FeedSink<Feed, Message>

    /// Whether a message is made or on its way; true at first, so that no message is made before
    /// ``open()``.
    private var isBusy = true
    private var isOnItsWay = false
    /// Whether a thread has a turn, in which it may be calling the sink.
    private var isServed = false
    private(set) var isEnded = false
    /// The refusal that the sink is told when the turn ends during which the feed ended.
    private var lastWord: Refusal?
    /// Released at the end, since a sink may hold its feed.
    private var sink: Sink?
    private var lastSentBootNanoseconds = SystemTime.now().bootNanoseconds
    private let rooms: MessageRooms?
    /// The room of the message that is made or on its way, where it may be large.
    private var room: MessageRoom?
    /// How many messages were taken.
    private var takenCount = 0

    init(_ sink: Sink, _ rooms: MessageRooms?) {
        self.sink = sink
        self.rooms = rooms
    }

    /// Whether the message of this turn may be large.
    var mayBeLarge: Bool { room != nil }
    /// Whether the client has shown that it reads.
    var isProven: Bool { takenCount >= MessageRooms.provenCount }

    /// Whether the next message may be made.
    var isFree: Bool { !isBusy && !isServed && !isEnded }

    /// Lets the first message be made.
    mutating func open() { isBusy = false }

    /// Notes that a thread makes the next message.
    mutating func takeTurn() {
        isBusy = true
        isServed = true
        room = isProven ? rooms?.take() : nil
    }

    /// Gives up a turn without a message.
    mutating func skip() {
        isBusy = false
        room = nil
    }

    /// Gives the sink for the message of a turn; nil where the feed ended during the turn.
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
        room = nil
        takenCount += 1
        lastSentBootNanoseconds = SystemTime.now().bootNanoseconds
    }

    /// Gives a turn back: returns the sink, and the refusal that it is to be told, where the feed
    /// ended during the turn.
    mutating func endTurn() -> (sink: Sink?, lastWord: Refusal?) {
        isServed = false
        if isEnded { room = nil }
        return (isEnded ? sink.take() : nil, lastWord.take())
    }

    /// Ends the feed.
    ///
    /// - Parameter refusal: What the sink is told, after the message of a turn that is under way;
    ///   nil tells nothing.
    /// - Returns: Whether the feed was open, and the sink that is to be told now or released.
    mutating func end(_ refusal: Refusal? = nil) -> (wasOpen: Bool, sink: Sink?) {
        guard !isEnded else { return (false, nil) }
        isEnded = true
        if !isServed { room = nil }
        guard isServed && !Fault.endOvertakesSend.isPlanted else { return (true, sink.take()) }
        lastWord = refusal
        return (true, nil)
    }

    func idle(at bootNanoseconds: Int64) -> (nanoseconds: Int64, isOnItsWay: Bool) {
        (bootNanoseconds - lastSentBootNanoseconds, isOnItsWay)
    }
}
