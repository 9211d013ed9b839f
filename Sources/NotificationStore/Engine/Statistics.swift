/// Counts of the store's acts since it was opened.
package struct Counts: Equatable, Sendable {
    /// Requests added.
    package var adds = 0
    /// Adds that the center's state refused.
    package var refusedAdds = 0
    /// Requests and notifications that the app removed.
    package var removed = 0
    /// Occurrences that fired.
    package var fired = 0
    /// Occurrences and requests without a trigger that were delivered.
    package var delivered = 0
    /// Occurrences that were withheld.
    package var suppressed = 0
    /// Occurrences that a connected app was asked how to present.
    package var asked = 0
    package var missed = 0
    /// Pending requests that were evicted so that others stay.
    package var evicted = 0
    package var events = 0
    /// Events that were trimmed for their age or their bytes.
    package var trimmedEvents = 0
    /// Commands carried out or refused by the writer.
    package var commands = 0
    /// Batches committed.
    package var batches = 0
    /// How late occurrences fired.
    package var lateness = LatenessHistogram()
    /// How long the writer's stages took.
    package var stages = StageTimes()

    mutating func add(_ other: Counts) {
        adds += other.adds
        refusedAdds += other.refusedAdds
        removed += other.removed
        fired += other.fired
        delivered += other.delivered
        suppressed += other.suppressed
        asked += other.asked
        missed += other.missed
        evicted += other.evicted
        events += other.events
        trimmedEvents += other.trimmedEvents
        commands += other.commands
        batches += other.batches
        lateness.add(other.lateness)
        stages.add(other.stages)
    }
}

/// How late occurrences fired, in buckets an eighth of an octave wide for percentiles, and in the
/// buckets of all durations.
///
/// A percentile is at most 12.5 % above the true one. The size is fixed.
package struct LatenessHistogram: Equatable, Sendable {
    private var buckets: [Int: Int] = [:]
    /// How many times were recorded, whatever their lateness.
    package private(set) var count = 0
    /// The greatest lateness, in nanoseconds.
    package private(set) var maximumNanoseconds: Int64 = 0
    /// The same in the buckets of all durations.
    package private(set) var durations = DurationHistogram()

    mutating func record(_ nanoseconds: Int64) {
        buckets[Self.bucket(nanoseconds), default: 0] += 1
        count += 1
        durations.record(nanoseconds)
        maximumNanoseconds = max(maximumNanoseconds, nanoseconds)
    }

    mutating func add(_ other: LatenessHistogram) {
        buckets.merge(other.buckets, uniquingKeysWith: +)
        count += other.count
        durations.add(other.durations)
        maximumNanoseconds = max(maximumNanoseconds, other.maximumNanoseconds)
    }

    /// Gives the lateness that `fraction` of the occurrences did not exceed, in nanoseconds.
    ///
    /// - Parameter fraction: Such as 0.99.
    /// - Returns: The upper end of that lateness's bucket; 0 where nothing was recorded.
    package func percentile(_ fraction: Double) -> Int64 {
        let rank = Int((Double(count) * fraction).rounded(.up))
        var seen = 0
        for bucket in buckets.keys.sorted() {
            seen += buckets[bucket, default: 0]
            if seen >= rank { return min(Self.upperEnd(bucket), maximumNanoseconds) }
        }
        return 0
    }

    private static func bucket(_ nanoseconds: Int64) -> Int {
        let value = max(0, nanoseconds)
        guard value >= 8 else { return Int(value) }
        let octave = 63 - value.leadingZeroBitCount
        return octave * 8 + Int((value >> (octave - 3)) & 7)
    }

    private static func upperEnd(_ bucket: Int) -> Int64 {
        guard bucket >= 24 else { return Int64(bucket) }
        let octave = bucket / 8
        let (end, overflow) = Int64(9 + bucket % 8).multipliedReportingOverflow(
            by: 1 << (octave - 3)
        )
        return overflow ? .max : end - 1
    }
}
