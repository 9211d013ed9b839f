internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

@Suite("Histograms of durations")
struct DurationHistogramTests {
    private struct Row: CustomTestStringConvertible {
        let testDescription: String
        let times: [Int64]
        /// The buckets that are not empty, by their places.
        let buckets: [Int: Int]
        let sum: Int64

        init(_ name: String, _ times: [Int64], _ buckets: [Int: Int], sum: Int64) {
            testDescription = name
            self.times = times
            self.buckets = buckets
            self.sum = sum
        }
    }

    private static let rows = [
        Row("nothing", [], [:], sum: 0),
        Row("no time", [0], [0: 1], sum: 0),
        Row("a clock that was set back", [-5], [0: 1], sum: 0),
        Row("the first end belongs to its bucket", [10_000], [0: 1], sum: 10_000),
        Row("one more is in the next", [10_001], [1: 1], sum: 10_001),
        Row("a millisecond", [1_000_000], [6: 1], sum: 1_000_000),
        Row("the last end", [10_000_000_000], [18: 1], sum: 10_000_000_000),
        Row("longer than all ends", [10_000_000_001], [19: 1], sum: 10_000_000_001),
        Row("several", [5, 30_000, 30_000, 40_000_000], [0: 1, 2: 2, 11: 1], sum: 40_060_005),
        Row("a sum beyond all numbers", [.max, .max, 7], [0: 1, 19: 2], sum: .max),
    ]

    @Test("A time is counted in the first bucket that it fits in", arguments: rows)
    private func record(row: Row) {
        var histogram = DurationHistogram()
        for time in row.times { histogram.record(time) }
        check(histogram, row)
    }

    @Test("Histograms add up to the histogram of all their times", arguments: rows)
    private func add(row: Row) {
        var histogram = DurationHistogram()
        for time in row.times {
            var one = DurationHistogram()
            one.record(time)
            histogram.add(one)
        }
        check(histogram, row)
    }

    private func check(_ histogram: DurationHistogram, _ row: Row) {
        var filled: [Int: Int] = [:]
        for (bucket, count) in histogram.counts.enumerated() where count > 0 {
            filled[bucket] = count
        }
        #expect(filled == row.buckets)
        #expect(histogram.count == row.times.count)
        #expect(histogram.sumNanoseconds == row.sum)
    }

    @Test("The ends are 1, 2.5 and 5 of each power of ten from 10 us to 10 s")
    func ends() {
        let ends = DurationHistogram.ends.indices.map { DurationHistogram.ends[$0] }
        let powers: [Int64] = [10_000, 100_000, 1_000_000, 10_000_000, 100_000_000, 1_000_000_000]
        var expected: [Int64] = []
        for power in powers { expected += [power, power * 5 / 2, power * 5] }
        expected.append(10_000_000_000)
        #expect(ends == expected)
        #expect(DurationHistogram().counts.count == ends.count + 1)
    }

    @Test("Each command, batch and commit is measured, and the replies where there are any")
    func stages() async throws {
        let test = try TestStore()
        try await test.authorize()
        for number in 0..<20 { try await test.add(.titled("\(number)")) }
        // The replies' time is recorded after the reply.
        await test.settle()
        let counts = test.store.counts
        let stages = counts.stages
        #expect(stages.queueWait.count == counts.commands)
        #expect(stages.making.count == counts.batches)
        #expect(stages.commit.count == counts.batches)
        #expect((1...counts.batches).contains(stages.replies.count))
        // Each of these takes longer than the clock's smallest step.
        for stage in [stages.queueWait, stages.making, stages.commit, stages.replies] {
            #expect(stage.sumNanoseconds > 0)
            #expect(stage.sumNanoseconds < 600_000_000_000)
        }
    }

    @Test("Lateness is in the same buckets")
    func lateness() {
        var lateness = LatenessHistogram()
        for time in [0, 2_000_000, 20_000_000_000] as [Int64] { lateness.record(time) }
        var sum = LatenessHistogram()
        sum.add(lateness)
        for histogram in [lateness.durations, sum.durations] {
            #expect(histogram.counts.indices.filter { histogram.counts[$0] > 0 } == [0, 7, 19])
            #expect(histogram.sumNanoseconds == 20_002_000_000)
        }
    }
}
