internal import NotificationCore
internal import NotificationFeeds
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("Statistics")
struct StatisticsTests {
    @Test("A percentile is never below the true one, and at most an eighth above it")
    func percentiles() {
        var generator = SeededGenerator()
        let hint: Comment = "SEED=\(generator.seed)"
        for magnitude in [10, 1_000, 1_000_000, 5_000_000_000, Int64.max] {
            var histogram = LatenessHistogram()
            let values = (0..<999).map { _ in Int64.random(in: 0...magnitude, using: &generator) }
            for value in values { histogram.record(value) }
            let sorted = values.sorted()
            for (fraction, rank) in [(0.001, 1), (0.5, 500), (0.99, 990), (0.999, 999), (1, 999)] {
                let found = histogram.percentile(fraction)
                let exact = sorted[rank - 1]
                #expect(found >= exact, hint)
                #expect(Double(found) <= Double(exact) * 1.125 + 1, hint)
            }
            #expect(histogram.count == 999)
            #expect(histogram.maximumNanoseconds == sorted.last)
        }
    }

    @Test("The ends of the buckets", arguments: [0, 1, 7, 8, 9, 15, 16, 17, 1 << 40, Int64.max])
    func single(value: Int64) {
        var histogram = LatenessHistogram()
        histogram.record(value)
        #expect(histogram.percentile(0.5) == value)
        #expect(histogram.percentile(1) == value)
    }

    @Test("Nothing recorded is a lateness of 0")
    func empty() {
        let histogram = LatenessHistogram()
        #expect(histogram.percentile(0.99) == 0)
        #expect(histogram.count == 0)
    }

    @Test("Two histograms add up to one of both")
    func sum() {
        var left = LatenessHistogram()
        var right = LatenessHistogram()
        var both = LatenessHistogram()
        for value in Int64(0)..<1_000 {
            if value % 3 == 0 { left.record(value) } else { right.record(value) }
            both.record(value)
        }
        left.add(right)
        #expect(left == both)
    }

    @Test("The counters tell what was done since the start, and the usage what is there")
    func counters() async throws {
        let test = try TestStore()
        try await test.authorize()
        try await test.add(.titled("a"))
        try await test.add(.titled("b", in: .seconds(60)))
        try await test.add(.titled("c", in: .seconds(90), repeats: true))
        try await test.add(.titled("d", in: .seconds(900)))
        try await test.advance(by: .seconds(200))
        try await test.removePending(["d"])
        try await test.removeDelivered(["a", "b"])
        let subscription = try test.subscribe()
        await test.settle()
        let counts = test.store.counts
        #expect(counts.adds == 4)
        #expect(counts.fired == 3)
        #expect(counts.delivered == 4)
        #expect(counts.removed == 3)
        #expect(counts.suppressed == 0)
        #expect(counts.missed == 0)
        #expect(counts.refusedAdds == 0)
        #expect(counts.events == 8)
        let usage = try test.store.usage()
        #expect(usage.centers == 1)
        #expect(usage.pending == 1)
        #expect(usage.delivered == 1)
        #expect(usage.events == 8)
        #expect(test.feeds.subscriptionCount == 1)
        #expect(usage.queuedCommands == 0)
        #expect(usage.longestQueue >= 1)
        #expect(usage.usedBytes > 0)
        #expect(usage.usedBytes < usage.mapBytes)
        subscription.cancel()
        try test.reopen()
        #expect(test.store.counts == Counts())
        #expect(try test.store.usage().events == 8)
    }
}
