internal import BelfryLocking
internal import DequeModule
package import NotificationCore
internal import NotificationStore

/// Events of one center, in the order of their numbers, shared by the subscribers that need them.
package final class EventSlice: Sendable {
    package let events: [Event]
    /// The memory that the slice takes, about: of each event, and of its content in both forms.
    let byteCount: Int
    private let bytes = Guarded<[UInt8]?>(nil)

    /// Makes a slice of events that have so many bytes together.
    init(_ events: [Event], of byteCount: Int) {
        self.events = events
        self.byteCount = 1_024 * events.count + 2 * byteCount
    }

    /// Gives the encoded events: made for the first subscriber, and shared with the others.
    ///
    /// `encode` makes the bytes, which are the same for each subscriber. A thread that asks while
    /// another one makes them waits for them.
    package func encoded(_ encode: ([Event]) -> [UInt8]) -> [UInt8] {
        bytes.withLock { bytes in
            if let bytes { return bytes }
            let made = encode(events)
            bytes = made
            return made
        }
    }
}

/// The last slices that were read: subscribers that are near each other need the same slices.
final class RecentSlices: Sendable {
    private struct Key: Hashable {
        let center: CenterNumber
        let after: EventNumber
        let byteLimit: Int
    }

    private struct State {
        var slices: [Key: EventSlice] = [:]
        var order: Deque<Key> = []
        var byteCount = 0
    }

    /// How many bytes the slices take together.
    private static let limit = 8 << 20
    private let state = Guarded(State())

    /// The slice of a center that begins after an event, for a message of so many bytes.
    func slice(of center: CenterNumber, after: EventNumber, _ byteLimit: Int) -> EventSlice? {
        let key = Key(center: center, after: after, byteLimit: byteLimit)
        return state.withLock { $0.slices[key] }
    }

    /// Keeps a slice, and drops the oldest.
    func keep(
        _ slice: EventSlice,
        of center: CenterNumber,
        after: EventNumber,
        _ byteLimit: Int
    ) {
        let key = Key(center: center, after: after, byteLimit: byteLimit)
        state.withLock { state in
            // Another thread may have read it at the same instant.
            guard state.slices[key] == nil else { return }
            state.slices[key] = slice
            state.order.append(key)
            state.byteCount += slice.byteCount
            while state.byteCount > Self.limit, let oldest = state.order.popFirst() {
                state.byteCount -= state.slices.removeValue(forKey: oldest)?.byteCount ?? 0
            }
        }
    }
}

extension Feeds {
    /// The events of a center after a number, shared where the center has several subscribers.
    func slice(
        of center: CenterNumber,
        after: EventNumber,
        _ reader: StoreReader
    ) throws(ReadError) -> Result<EventSlice, Refusal> {
        let isShared = pump.isShared(center)
        let limit = reader.limits.eventBytesPerMessage
        if isShared, let slice = recentSlices.slice(of: center, after: after, limit) {
            return .success(slice)
        }
        return try reader.events(of: center, after: after).map { events, byteCount in
            let slice = EventSlice(events, of: byteCount)
            if isShared && !events.isEmpty {
                recentSlices.keep(slice, of: center, after: after, limit)
            }
            return slice
        }
    }
}
