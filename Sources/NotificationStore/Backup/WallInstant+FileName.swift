internal import NotificationCore

extension WallInstant {
    /// The instant as part of a file's name: UTC to the second, as 20260101T000000Z.
    var fileName: String {
        let daySeconds: Int64 = 86_400
        let seconds = nanoseconds.flooredQuotient(.nanosecondsPerSecond)
        let days = seconds.flooredQuotient(daySeconds)
        let second = seconds - days * daySeconds
        let (year, month, day) = Self.civilDate(days: days)
        let time = [second / 3_600, second / 60 % 60, second % 60].map { $0.digits(2) }.joined()
        return year.digits(4) + month.digits(2) + day.digits(2) + "T" + time + "Z"
    }

    /// The Gregorian date so many days after 1970-01-01.
    ///
    /// Years are counted from March on, so that the leap day is the last of its year, in eras of
    /// 400 years, which are all equally long.
    private static func civilDate(days: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let shifted = days + 719_468
        let era = shifted.flooredQuotient(146_097)
        let dayOfEra = shifted - era * 146_097
        let leapDays = dayOfEra / 1_460 - dayOfEra / 36_524 + dayOfEra / 146_096
        let yearOfEra = (dayOfEra - leapDays) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, day)
    }
}

extension Int64 {
    fileprivate func flooredQuotient(_ divisor: Int64) -> Int64 {
        let (quotient, rest) = quotientAndRemainder(dividingBy: divisor)
        return rest < 0 ? quotient - 1 : quotient
    }

    /// The number in decimal with zeros before it.
    fileprivate func digits(_ count: Int) -> String {
        let text = String(self)
        return String(repeating: "0", count: Swift.max(0, count - text.count)) + text
    }
}
