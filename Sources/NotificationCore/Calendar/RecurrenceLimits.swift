/// Bounds on the instants of a trigger with dates (CAL-11).
///
/// The bounds are part of the rule: an instant that they leave out is no occurrence of the trigger,
/// is not collapsed into another one, and does not count. How late an occurrence is told does not
/// matter to them.
package struct RecurrenceLimits: Hashable, Sendable {
    /// No occurrence is before this instant.
    package var startAt: WallInstant?
    /// No occurrence is after this instant.
    package var endAt: WallInstant?
    /// How many occurrences there are; nil is no limit.
    package var maxOccurrences: Int64?
    /// The local days, in days since 1970, that have no occurrence; ascending, none twice.
    package private(set) var skippedDays: [Int32] = []

    /// How many bytes the days take in the store, about.
    var storedByteCount: Int { 6 * skippedDays.count }

    /// Makes bounds that leave out nothing.
    package init() {}

    /// Makes bounds.
    ///
    /// - Parameters:
    ///   - startAt: The earliest instant; nil is none.
    ///   - endAt: The latest instant; nil is none.
    ///   - maxOccurrences: How many occurrences there are; nil is no limit.
    ///   - skippedDays: The local days without an occurrence, in any order.
    ///   - repeats: Whether the trigger repeats; one that does not has no number and no days to
    ///     skip.
    /// - Throws: A refusal with the field's path, from `limits` on, where a bound makes no sense.
    package init(
        startAt: WallInstant? = nil,
        endAt: WallInstant? = nil,
        maxOccurrences: Int64? = nil,
        skippedDays: [CivilDate] = [],
        repeats: Bool
    ) throws(Refusal) {
        if let startAt, let endAt, endAt < startAt {
            throw .limitsInvalid([.limits, .endAt], "must not be before the start")
        }
        if let maxOccurrences {
            guard repeats else {
                throw .limitsInvalid([.limits, .maxOccurrences], Self.needsRepeats)
            }
            guard maxOccurrences > 0 else {
                throw .limitsInvalid(
                    [.limits, .maxOccurrences],
                    "must be at least 1, or 0 for none"
                )
            }
        }
        guard skippedDays.isEmpty || repeats else {
            throw .limitsInvalid([.limits, .skipDates], Self.needsRepeats)
        }
        guard skippedDays.count <= Limits.skippedDays else {
            throw .limitsInvalid(
                [.limits, .skipDates],
                "names \(skippedDays.count) days; at most \(Limits.skippedDays) are kept"
            )
        }
        self.startAt = startAt
        self.endAt = endAt
        self.maxOccurrences = maxOccurrences
        // Bounded: at most 366 days.
        var known: Set<Int32> = []
        for (index, day) in skippedDays.enumerated() {
            guard (1...9_999).contains(day.year) else {
                throw .limitsInvalid(Self.skipDates[index], "a year is 1 to 9999")
            }
            guard known.insert(Int32(day.daysSince1970)).inserted else {
                throw .limitsInvalid(Self.skipDates[index], "is named twice")
            }
        }
        self.skippedDays = known.sorted()
    }

    /// Whether nothing is left out.
    package var isEmpty: Bool {
        startAt == nil && endAt == nil && maxOccurrences == nil && skippedDays.isEmpty
    }

    /// Whether a local day, in days since 1970, has no occurrence.
    ///
    /// - Complexity: O(log *n*) in the skipped days.
    func skips(daysSince1970 day: Int) -> Bool {
        let index = firstSkipped(from: day)
        return index < skippedDays.count && Int(skippedDays[index]) == day
    }

    /// Gives the first skipped day after a day; nil where there is none.
    func nextSkipped(after day: Int) -> Int? {
        let index = firstSkipped(from: day + 1)
        return index < skippedDays.count ? Int(skippedDays[index]) : nil
    }

    private func firstSkipped(from day: Int) -> Int {
        var (low, high) = (0, skippedDays.count)
        while low < high {
            let middle = (low + high) / 2
            if Int(skippedDays[middle]) < day { low = middle + 1 } else { high = middle }
        }
        return low
    }

    private static let needsRepeats = "only a trigger that repeats has it"
    private static let skipDates: FieldPath = [.limits, .skipDates]
}

extension Refusal {
    /// Refuses bounds of a recurrence that make no sense (CAL-11).
    package static func limitsInvalid(_ path: FieldPath, _ problem: String) -> Refusal {
        invalid(path, problem, reason: .recurrenceLimitsInvalid)
    }
}
