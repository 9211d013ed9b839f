internal import NotificationCore

/// A recurrence rule whose every time is moved by a distance: an alarm comes before its event.
///
/// A rule has no words for "the day before the first Monday": such a rule is not moved.
struct RuleShift {
    /// The moved rule; nil where none has these times.
    let rule: String?
    /// The times of a day at which the rule comes, before it is moved, in seconds after midnight;
    /// nil where it comes within hours.
    let times: [Int]?

    private static let weekdays = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"]
    private static let timeParts = ["BYHOUR", "BYMINUTE", "BYSECOND"]
    private static let day = 86_400
    /// How many times a day may have that one by one are moved.
    private static let timeLimit = 1_440

    /// Moves a rule that the core reads.
    ///
    /// - Parameters:
    ///   - text: The rule.
    ///   - start: The local time of its start, in seconds since 1970.
    ///   - distance: How far the times move, in seconds.
    init(_ text: String, from start: Int, by distance: Int) {
        var parts = Parts(text)
        times = parts.times(from: start)
        guard distance != 0 else {
            rule = text
            return
        }
        parts.moveEnd(by: distance)
        guard let times, let moved = Self.move(times, by: distance) else {
            // Periods within a day have the same distances from wherever they begin.
            rule = times == nil && parts.hasNoParts ? parts.text : nil
            return
        }
        guard times.contains(start.flooredRemainder(by: Self.day)) else {
            rule = nil
            return
        }
        if Self.timeParts.contains(where: { parts[$0] != nil }) {
            for (name, numbers) in zip(Self.timeParts, moved.parts) {
                parts[name] = numbers.map(String.init).joined(separator: ",")
            }
        }
        rule =
            moved.days == 0
                || parts.moveDays(by: moved.days, from: start.flooredDivision(by: Self.day))
            ? parts.text : nil
    }

    /// Moves the times of a day: the days by which all of them move, and their hours, minutes and
    /// seconds; nil where the times are no longer each hour with each minute and second.
    private static func move(
        _ times: [Int],
        by distance: Int
    ) -> (days: Int, parts: [[Int]])? {
        let moved = times.map { $0 + distance }
        let days = moved.map { $0.flooredDivision(by: day) }
        guard let first = days.first, days.allSatisfy({ $0 == first }) else { return nil }
        let ofDay = moved.map { $0.flooredRemainder(by: day) }
        let parts = [ofDay.map { $0 / 3_600 }, ofDay.map { $0 / 60 % 60 }, ofDay.map { $0 % 60 }]
            .map { Set($0).sorted() }
        guard parts.reduce(1, { $0 * $1.count }) == Set(ofDay).count else { return nil }
        return (first, parts)
    }

    /// The parts of a rule, in their order.
    private struct Parts {
        private var parts: [(name: String, value: String)]

        init(_ text: String) {
            let rule = text.uppercased()
            let text = rule.hasPrefix("RRULE:") ? rule.dropFirst(6) : rule[...]
            parts = text.split(separator: ";").map { part in
                let pair = part.split(separator: "=", maxSplits: 1)
                return (String(pair[0]), String(pair[pair.count - 1]))
            }
        }

        var text: String { parts.map { "\($0.name)=\($0.value)" }.joined(separator: ";") }

        subscript(name: String) -> String? {
            get { parts.first { $0.name == name }?.value }
            set {
                let place = parts.firstIndex { $0.name == name }
                if let place, let newValue {
                    parts[place].value = newValue
                } else if let newValue {
                    parts.append((name, newValue))
                } else if let place {
                    parts.remove(at: place)
                }
            }
        }

        /// Whether nothing chooses among the periods.
        var hasNoParts: Bool { !parts.contains { $0.name.hasPrefix("BY") } }

        private var isWithinDays: Bool {
            ["HOURLY", "MINUTELY", "SECONDLY"].contains(self["FREQ"])
        }

        private func numbers(_ name: String) -> [Int]? {
            self[name].map { $0.split(separator: ",").compactMap { Int($0) } }
        }

        func times(from start: Int) -> [Int]? {
            guard !isWithinDays else { return nil }
            let second = start.flooredRemainder(by: RuleShift.day)
            let hours = Set(numbers("BYHOUR") ?? [second / 3_600])
            let minutes = Set(numbers("BYMINUTE") ?? [second / 60 % 60])
            // Second 60 is 59 (REC-1).
            let seconds = Set((numbers("BYSECOND") ?? [second % 60]).map { min($0, 59) })
            guard hours.count * minutes.count * seconds.count <= RuleShift.timeLimit else {
                return nil
            }
            return hours.flatMap { hour in
                minutes.flatMap { minute in
                    seconds.map { (hour * 60 + minute) * 60 + $0 }
                }
            }
        }

        mutating func moveEnd(by distance: Int) {
            guard let text = self["UNTIL"], let until = RecurrenceMoment(text) else { return }
            switch until {
            case .instant(let second):
                self["UNTIL"] = RecurrenceMoment.instant(second + distance).text
            case .local(let second):
                // A day is part of the rule to its end (REC-6).
                let end = text.utf8.count == 8 ? second + RuleShift.day - 1 : second
                self["UNTIL"] = RecurrenceMoment.local(end + distance).text
            }
        }

        /// Moves the days; false where no rule has those.
        mutating func moveDays(by days: Int, from start: Int) -> Bool {
            let chosen = parts.map(\.name).filter {
                $0.hasPrefix("BY") && !RuleShift.timeParts.contains($0) && $0 != "BYSETPOS"
            }
            switch self["FREQ"] {
            case "DAILY" where chosen.isEmpty: return true
            case "DAILY" where chosen == ["BYDAY"], "WEEKLY" where chosen == ["BYDAY"],
                "WEEKLY" where chosen.isEmpty:
                return moveWeekdays(by: days)
            case "MONTHLY" where chosen.isEmpty: return staysInMonth(from: start, days)
            case "MONTHLY" where chosen == ["BYMONTHDAY"]: return moveMonthDays(by: days)
            case "YEARLY" where chosen.isEmpty: return staysInYear(from: start, days)
            default: return false
            }
        }

        private mutating func moveWeekdays(by days: Int) -> Bool {
            func moved(_ name: some StringProtocol) -> String? {
                RuleShift.weekdays.firstIndex { $0 == name }
                    .map { RuleShift.weekdays[($0 + days).flooredRemainder(by: 7)] }
            }
            if let names = self["BYDAY"]?.split(separator: ",") {
                let weekdays = names.compactMap(moved)
                guard weekdays.count == names.count else { return false }
                self["BYDAY"] = weekdays.joined(separator: ",")
            }
            // Weeks that are counted begin as much earlier or later as their days.
            if self["FREQ"] == "WEEKLY", self["INTERVAL"] != nil || self["BYSETPOS"] != nil {
                self["WKST"] = moved(self["WKST"] ?? "MO")
            }
            return true
        }

        private mutating func moveMonthDays(by days: Int) -> Bool {
            let moved = (numbers("BYMONTHDAY") ?? []).map { ($0, $0 + days) }
            // A month has at least 28 days, which are counted from its start or from its end.
            guard moved.allSatisfy({ ($0.0 > 0) == ($0.1 > 0) && abs($0.0) <= 28 }),
                moved.allSatisfy({ (1...28).contains(abs($0.1)) })
            else { return false }
            self["BYMONTHDAY"] = moved.map { String($0.1) }.joined(separator: ",")
            return true
        }

        private func staysInMonth(from start: Int, _ days: Int) -> Bool {
            let day = CivilDate(daysSince1970: start).day
            return (1...28).contains(day) && (1...28).contains(day + days)
        }

        /// Whether the days lie on one side of February 29, so that each year has the same date.
        private func staysInYear(from start: Int, _ days: Int) -> Bool {
            let date = CivilDate(daysSince1970: start)
            let ends = [2_027, 2_028].compactMap { year in
                CivilDate(year: year, month: date.month, day: date.day)
                    .map { CivilDate(daysSince1970: $0.daysSince1970 + days) }
            }
            return ends.count == 2 && ends[0].month == ends[1].month && ends[0].day == ends[1].day
                && ends[0].year - 2_027 == ends[1].year - 2_028
                && abs(days) < 366
        }
    }
}
