internal import NotificationCore
internal import NotificationStore
internal import TestSupport
internal import Testing

@testable internal import NotificationFeeds

@Suite("Shared events (FD-4)")
struct EventSliceTests {
    @Test("Subscribers at the same place share what was read")
    func shared() async throws {
        let store = try TestStore()
        try await store.authorize()
        let first = try store.subscribe()
        let second = try store.subscribe()
        _ = try await first.messagesUntilCaughtUp()
        // Two readers at the same instant may both read, so this one comes later.
        _ = try await second.peek()
        try await store.setBadge(1)
        let slice = try await first.next().slice
        #expect(slice?.events.map(\.number) == [2])
        second.feed.sent()
        #expect(try await second.next().slice === slice)
    }

    @Test("The bytes are made once")
    func encoded() {
        let slice = EventSlice([], of: 0)
        var count = 0
        for _ in 0..<3 {
            let bytes = slice.encoded { _ in
                count += 1
                return [1]
            }
            #expect(bytes == [1])
        }
        #expect(count == 1)
    }

    @Test("Subscribers at different places share what follows")
    func aligned() async throws {
        let store = try TestStore { $0.limits.eventsPerMessage = 4 }
        try await store.authorize()
        for badge in 1...8 { try await store.setBadge(Int64(badge)) }
        let ends = try [EventNumber](0...3).map { after in
            let reader = store.feeds.reader
            let number = try #require(try reader.center(store.center)).number
            return try reader.events(of: number, after: after).get().events.last?.number
        }
        #expect(ends == [4, 4, 4, 4])
    }

    @Test("The oldest slices go, by their bytes", arguments: [(1, 1 << 20), (2_048, 0)])
    func limit(count: UInt64, byteCount: Int) {
        let recent = RecentSlices()
        let events = (1...count).map {
            Event(
                number: EventNumber(rawValue: $0),
                date: WallInstant(nanoseconds: 0),
                kind: .badgeChanged(1)
            )
        }
        for number in UInt64(0)..<20 {
            for _ in 0..<2 {
                let slice = EventSlice(events, of: byteCount)
                recent.keep(slice, of: 1, after: EventNumber(rawValue: number), 9)
            }
        }
        let isKept = (0..<20).map { recent.slice(of: 1, after: $0, 9) != nil }
        #expect(isKept == (0..<20).map { $0 >= (count == 1 ? 17 : 16) })
        #expect(recent.slice(of: 2, after: 19, 9) == nil)
        #expect(recent.slice(of: 1, after: 19, 8) == nil, "a message of another size")
    }
}
