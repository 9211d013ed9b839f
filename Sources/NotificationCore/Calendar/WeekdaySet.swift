/// Some days of the week, numbered as Apple's calendars do: 1 is Sunday, 7 is Saturday.
///
/// The bits are stored: bit 0 is Sunday, bit 6 is Saturday.
package struct WeekdaySet: OptionSet, Hashable, Sendable {
    /// One bit for each day.
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Makes the set of one day, 1 to 7.
    ///
    /// - Precondition: `weekday` is 1 to 7.
    package init(weekday: Int) {
        precondition((1...7).contains(weekday), "a weekday is 1 to 7")
        self.init(rawValue: 1 << UInt8(weekday - 1))
    }

    /// All seven days; the bits of no other set are beyond these.
    package static let all = WeekdaySet(rawValue: 0x7F)

    /// The days, Sunday first.
    package var weekdays: [Int] { (1...7).filter(contains) }

    /// Whether a day, 1 to 7, is in the set.
    func contains(_ weekday: Int) -> Bool { rawValue >> UInt8(weekday - 1) & 1 != 0 }
}
