/// The treatment of day 29, 30 or 31 in a month that has no such day (D-6).
///
/// The numbers are stored, and are the wire's.
package enum ShortMonthPolicy: UInt8, Hashable, Sendable, CaseIterable {
    /// The first day of the next month, at the requested time.
    case nextDaySameTime = 0
    /// The first instant of the next month: the literal reading of Apple's matching.
    case nextDayMidnight = 1
    /// The trigger does not fire for that month.
    case skip = 2
    /// The last day of the month, at the requested time.
    case lastDay = 3
}
