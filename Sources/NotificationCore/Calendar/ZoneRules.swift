/// A time zone's offsets from UTC, past and future, as a value.
///
/// It holds every change up to the last instant that a ``WallInstant`` can show, the year 2262, so
/// that a rule such as "from the second Sunday of March" is only needed when it is made.
///
/// The zone's own clock shows the UTC seconds plus the offset. That sum is called local seconds
/// here: the seconds from 1970-01-01T00:00:00 on the zone's clock.
package struct ZoneRules: Hashable, Sendable {
    // When the offset changes, in seconds since 1970, ascending.
    private let changes: [Int]
    // Seconds east of UTC: before the first change, then after each. Neighbours differ.
    private let offsets: [Int32]

    package static let utc = ZoneRules(firstOffset: 0, changes: [])

    /// The least possible offset, in seconds (RFC 8536, 3.2).
    static let leastOffset = -89_999
    /// The greatest possible offset, in seconds (RFC 8536, 3.2).
    static let greatestOffset = 93_599

    /// Makes the rules of a zone that has `firstOffset` until the first of `changes`.
    ///
    /// - Precondition: `changes` ascend by time, strictly.
    init(firstOffset: Int, changes: [Change]) {
        var kept: [Change] = []
        kept.reserveCapacity(changes.count)
        for change in changes where change.offset != kept.last?.offset ?? firstOffset {
            precondition(change.time > kept.last?.time ?? .min, "changes ascend")
            kept.append(change)
        }
        self.changes = kept.map(\.time)
        offsets = [Int32(firstOffset)] + kept.map { Int32($0.offset) }
    }

    struct Change {
        /// When, in seconds since 1970.
        var time: Int
        /// The offset from then on, in seconds east of UTC.
        var offset: Int
    }

    /// Gives the seconds east of UTC that are in force at an instant.
    ///
    /// - Complexity: O(log *n*) in the zone's changes, no allocation.
    package func offsetSeconds(at instant: WallInstant) -> Int {
        let seconds = Int(instant.nanoseconds).flooredDivision(by: .nanosecondsPerSecond)
        return span(at: seconds).offset
    }

    /// The instants in UTC that a local time means.
    package enum Meaning: Hashable, Sendable {
        /// One instant, in seconds since 1970.
        case once(Int)
        /// Two instants, in order: the clock was set back between them.
        case twice(Int, Int)
        /// No instant: at the instant `change` the clock was set forward over the local seconds
        /// `skipped`.
        case never(change: Int, skipped: Range<Int>)
    }

    /// Gives the instants in UTC that a local time means.
    ///
    /// For a local time that comes more than twice, in a zone that sets its clock back twice in a
    /// day, the result is the first two instants.
    ///
    /// - Precondition: `localSeconds` lies within the years that ``WallInstant`` can show, or a few
    ///   years beyond.
    /// - Complexity: O(log *n*) in the zone's changes, no allocation.
    package func meaning(ofLocalSeconds localSeconds: Int) -> Meaning {
        // All instants that could show the time lie between the first span and the loop's end.
        var span = span(at: localSeconds - Self.greatestOffset)
        var first: Int?
        var skip: Meaning?
        while true {
            let instant = localSeconds - span.offset
            if instant >= span.start, instant < span.end {
                if let first { return .twice(first, instant) }
                first = instant
            }
            guard let next = self.span(after: span),
                next.start <= localSeconds - Self.leastOffset
            else { break }
            if next.offset > span.offset {
                let skipped = next.start + span.offset..<next.start + next.offset
                if skipped.contains(localSeconds) {
                    skip = .never(change: next.start, skipped: skipped)
                }
            }
            span = next
        }
        if let first { return .once(first) }
        // The clock first showed an earlier time and at last a later time, so it skipped this time.
        guard let skip else { preconditionFailure("a local time is neither shown nor skipped") }
        return skip
    }

    /// A span of time in which the offset does not change.
    struct Span {
        /// The span's first second since 1970, or the least number.
        var start: Int
        /// The second after the span's last second, or the greatest number.
        var end: Int
        var offset: Int

        fileprivate var index: Int
    }

    /// Gives the span of an instant, in seconds since 1970.
    func span(at seconds: Int) -> Span {
        var low = 0
        var high = changes.count
        while low < high {
            let middle = (low + high) / 2
            if changes[middle] <= seconds { low = middle + 1 } else { high = middle }
        }
        return span(index: low)
    }

    private func span(after span: Span) -> Span? {
        span.index < changes.count ? self.span(index: span.index + 1) : nil
    }

    private func span(index: Int) -> Span {
        Span(
            start: index == 0 ? .min : changes[index - 1],
            end: index == changes.count ? .max : changes[index],
            offset: Int(offsets[index]),
            index: index
        )
    }
}

extension Int {
    static let nanosecondsPerSecond = 1_000_000_000
}
