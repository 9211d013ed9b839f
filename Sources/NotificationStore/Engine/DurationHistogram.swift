/// How long something took each time, counted in buckets with fixed ends.
///
/// It is one block of numbers, so that the writer records without taking memory.
package struct DurationHistogram: Equatable, Sendable {
    /// The number of buckets that have an end.
    package static let endCount = 19
    /// The longest times of the buckets in nanoseconds: 1, 2.5 and 5 of each power of ten, from
    /// 10 us to 10 s.
    package static let ends: InlineArray<19, Int64> = [
        10_000, 25_000, 50_000,
        100_000, 250_000, 500_000,
        1_000_000, 2_500_000, 5_000_000,
        10_000_000, 25_000_000, 50_000_000,
        100_000_000, 250_000_000, 500_000_000,
        1_000_000_000, 2_500_000_000, 5_000_000_000,
        10_000_000_000,
    ]

    /// How many times are in each bucket; the last bucket holds the times longer than all ends.
    private var buckets = InlineArray<20, Int>(repeating: 0)
    /// All times added up, in nanoseconds.
    package private(set) var sumNanoseconds: Int64 = 0

    package init() {}

    /// How many times are in each bucket, in the order of their ends; then those beyond all ends.
    package var counts: [Int] { buckets.indices.map { buckets[$0] } }

    package var count: Int { counts.reduce(0, +) }

    /// Records a time; one below zero, as of a clock that was set, counts as none.
    mutating func record(_ nanoseconds: Int64) {
        let time = max(0, nanoseconds)
        var bucket = 0
        while bucket < Self.endCount, Self.ends[bucket] < time { bucket += 1 }
        buckets[bucket] += 1
        addToSum(time)
    }

    mutating func add(_ other: DurationHistogram) {
        // Spans: the subscripts of these arrays take fifteen times as long.
        let added = other.buckets.span
        var sums = buckets.mutableSpan
        for bucket in added.indices { sums[bucket] += added[bucket] }
        addToSum(other.sumNanoseconds)
    }

    /// A sum of times after years of down time stays at its greatest value.
    private mutating func addToSum(_ nanoseconds: Int64) {
        let (sum, overflow) = sumNanoseconds.addingReportingOverflow(nanoseconds)
        sumNanoseconds = overflow ? .max : sum
    }

    /// Whether both have the same times in each bucket, and the same sum.
    package static func == (left: DurationHistogram, right: DurationHistogram) -> Bool {
        left.sumNanoseconds == right.sumNanoseconds && left.counts == right.counts
    }
}

/// How long the stages took that a command goes through in the writer.
package struct StageTimes: Equatable, Sendable {
    /// From when a command was queued until its batch was begun.
    package var queueWait = DurationHistogram()
    /// From when a batch was begun until its commit.
    package var making = DurationHistogram()
    package var commit = DurationHistogram()
    /// From a commit until the replies were handed over, where there were any.
    package var replies = DurationHistogram()

    mutating func add(_ other: StageTimes) {
        queueWait.add(other.queueWait)
        making.add(other.making)
        commit.add(other.commit)
        replies.add(other.replies)
    }
}
