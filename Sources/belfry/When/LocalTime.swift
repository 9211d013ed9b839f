internal import Faults
internal import Foundation
internal import NotificationProtocol
internal import SwiftProtobuf

/// The present moment and the zone in which texts of the command line are understood.
struct LocalTime {
    /// The present moment, which decides about days such as "tomorrow".
    let now: Date
    let zone: TimeZone
    /// Whether the zone is the device's, whose changes move local times.
    var isFloating = false
    /// Whether the zone is the shell's.
    var isShells = false

    /// The name of the zone in a trigger; empty where the trigger follows the device.
    var zoneName: String { isFloating ? "" : zone.name }

    /// Gives the day that a text names.
    ///
    /// `time` is the time that must still come on a day that the present moment decides.
    ///
    /// - Returns: The date in the zone.
    func date(_ day: Day, _ time: TimeOfDay = .midnight) -> Belfry_V1_LocalDate {
        switch day {
        case .today: return local(now)
        case .tomorrow: return local(adding(days: 1))
        case .date(let date): return date
        case .weekday(let weekday):
            let first = instant(local(now), time) > now ? 0 : 1
            return next(weekday, from: first)
        case .nextWeekday(let weekday): return next(weekday, from: 1)
        case .dayOfYear(let month, let day):
            let year = local(now).year
            // There is such a day in each eight years.
            let dates = (year...(year + 8)).filter { MonthText.length(of: month, in: $0) >= day }
                .map { year in LocalTime.date(year, month, day) }
            return dates.first { instant($0, time) > now } ?? LocalTime.date(year, month, day)
        }
    }

    /// Gives the instant that a text names; without a day it is the next such time.
    ///
    /// - Parameters:
    ///   - when: What the text says.
    ///   - fallback: The time of a text without one.
    /// - Returns: The instant.
    func instant(_ when: When, at fallback: TimeOfDay = .midnight) -> Date {
        let time = when.time ?? fallback
        if let offset = when.offset {
            let utc = LocalTime(now: now, zone: .gmt)
            return utc.instant(utc.date(when.day ?? .today), time) - TimeInterval(offset)
        }
        guard let day = when.day else {
            let today = instant(local(now), time)
            return today > now ? today : instant(local(adding(days: 1)), time)
        }
        return instant(date(day, time), time)
    }

    /// Gives the local time that a text names, as a recurrence begins: "20261224T180000".
    ///
    /// A time that the clock skips is kept: the recurrence moves that one occurrence alone.
    func start(_ when: When) -> String {
        guard when.offset == nil, let time = when.time else { return start(instant(when)) }
        let day = when.day.map { date($0, time) } ?? local(instant(when))
        return Self.text(day, time.hour, time.minute, time.second)
    }

    /// Gives the local time of an instant, as a recurrence begins.
    func start(_ instant: Date) -> String {
        let parts = calendar.dateComponents([.hour, .minute, .second], from: instant)
        return Self.text(
            local(instant),
            Int32(clamping: parts.hour ?? 0),
            Int32(clamping: parts.minute ?? 0),
            Int32(clamping: parts.second ?? 0)
        )
    }

    private static func text(
        _ day: Belfry_V1_LocalDate,
        _ hour: Int32,
        _ minute: Int32,
        _ second: Int32
    ) -> String {
        func padded(_ number: Int32, _ width: Int) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return padded(day.year, 4) + padded(day.month, 2) + padded(day.day, 2) + "T"
            + padded(hour, 2) + padded(minute, 2) + padded(second, 2)
    }

    func instant(_ date: Belfry_V1_LocalDate, _ time: TimeOfDay) -> Date {
        let parts = DateComponents(
            year: Int(date.year),
            month: Int(date.month),
            day: Int(date.day),
            hour: Int(time.hour),
            minute: Int(time.minute),
            second: Int(time.second)
        )
        // The calendar has every year that a text can name.
        let second = calendar.date(from: parts) ?? now
        return second + TimeInterval(time.nanosecond) / 1e9
    }

    func local(_ instant: Date) -> Belfry_V1_LocalDate {
        let parts = calendar.dateComponents([.year, .month, .day], from: instant)
        return Self.date(
            Int32(clamping: parts.year ?? 0),
            Int32(clamping: parts.month ?? 0),
            Int32(clamping: parts.day ?? 0)
        )
    }

    private static func date(_ year: Int32, _ month: Int32, _ day: Int32) -> Belfry_V1_LocalDate {
        .with { date in
            date.year = year
            date.month = month
            date.day = day
        }
    }

    private func next(_ weekday: Belfry_V1_Weekday, from first: Int) -> Belfry_V1_LocalDate {
        let today = calendar.component(.weekday, from: adding(days: first))
        return local(adding(days: first + (weekday.rawValue - today + 7) % 7))
    }

    private func adding(days: Int) -> Date {
        if Fault.tomorrowOfAnotherZone.isPlanted {
            return now + TimeInterval(days * 86_400 - zone.secondsFromGMT(for: now))
        }
        return calendar.date(byAdding: .day, value: days, to: now) ?? now
    }

    private var calendar: Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }
}
