internal import NotificationCore
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
        let slice = EventSlice([])
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

    @Test("The oldest slices go")
    func limit() {
        let recent = RecentSlices()
        for number in UInt64(0)..<20 {
            recent.keep(EventSlice([]), of: 1, after: EventNumber(rawValue: number), 9)
        }
        let isKept = (0..<20).map { recent.slice(of: 1, after: $0, 9) != nil }
        #expect(isKept == (0..<20).map { $0 >= 4 })
        #expect(recent.slice(of: 2, after: 19, 9) == nil)
        #expect(recent.slice(of: 1, after: 19, 8) == nil, "a message of another size")
    }
}
