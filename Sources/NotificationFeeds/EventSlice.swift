internal import BelfryLocking
package import NotificationCore
internal import NotificationStore

/// Events of one center, in the order of their numbers, shared by the subscribers that need them.
package final class EventSlice: Sendable {
    package let events: [Event]
    private let bytes = Guarded<[UInt8]?>(nil)

    init(_ events: [Event]) {
        self.events = events
    }

    /// Gives the encoded events: made for the first subscriber, and shared with the others.
    ///
    /// `encode` makes the bytes, which are the same for each subscriber. It may run twice where two
    /// subscribers are served at once.
    ///
    /// - Throws: What `encode` throws.
    package func encoded(_ encode: ([Event]) throws -> [UInt8]) rethrows -> [UInt8] {
        if let bytes = bytes.withLock({ $0 }) { return bytes }
        let made = try encode(events)
        bytes.withLock { $0 = made }
        return made
    }
}

/// The last slices that were read: subscribers at the end of one center's log need the same slice.
final class RecentSlices: Sendable {
    private struct Entry {
        let center: CenterNumber
        let after: EventNumber
        let byteLimit: Int
        let slice: EventSlice
    }

    /// How many slices are kept: each may hold 256 KiB.
    private static let limit = 16
    private let entries = Guarded<[Entry]>([])

    /// The slice of a center that begins after an event, for a message of so many bytes.
    func slice(of center: CenterNumber, after: EventNumber, _ byteLimit: Int) -> EventSlice? {
        entries.withLock { entries in
            entries.first { entry in
                entry.center == center && entry.after == after && entry.byteLimit == byteLimit
            }?.slice
        }
    }

    /// Keeps a slice, and drops the oldest.
    func keep(
        _ slice: EventSlice,
        of center: CenterNumber,
        after: EventNumber,
        _ byteLimit: Int
    ) {
        let entry = Entry(center: center, after: after, byteLimit: byteLimit, slice: slice)
        entries.withLock { entries in
            if entries.count == Self.limit { entries.removeFirst() }
            entries.append(entry)
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
        return try reader.events(of: center, after: after).map { events in
            let slice = EventSlice(events)
            if isShared && !events.isEmpty {
                recentSlices.keep(slice, of: center, after: after, limit)
            }
            return slice
        }
    }
}
