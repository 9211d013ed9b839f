internal import BelfryLocking
internal import NotificationStore

/// The rooms for large messages, of which all feeds together have a limited number.
///
/// A message is in memory until its client takes it. So a feed has small messages until its client
/// has shown that it reads, and whenever all rooms are taken: ten thousand streams that nobody
/// reads any more cost about as much as ten thousand that nobody ever read.
final class MessageRooms: Sendable {
    /// Bytes of a message without a room.
    static let smallByteCount = 2 * 1024
    /// The messages that a client took before it gets a large one: more than HTTP/2 lets a stream
    /// send before the client asks for more, and than the system keeps of a stream over HTTP/1.1.
    static let provenCount = 512

    private let free: Guarded<Int>

    /// Makes rooms for so many bytes.
    init(byteCount: Int, each roomByteCount: Int) {
        free = Guarded(byteCount / max(1, roomByteCount))
    }

    /// Takes a room; nil where all are taken.
    func take() -> MessageRoom? {
        let isTaken = free.withLock { free in
            guard free > 0 else { return false }
            free -= 1
            return true
        }
        return isTaken ? MessageRoom(self) : nil
    }

    fileprivate func giveBack() { free.withLock { $0 += 1 } }
}

final class MessageRoom: Sendable {
    private let rooms: MessageRooms

    fileprivate init(_ rooms: MessageRooms) { self.rooms = rooms }

    deinit { rooms.giveBack() }
}
