extension RecurrenceRule {
    /// Reads a line of a crontab without its command: five fields, six with the seconds first, or a
    /// word such as @daily (REC-2).
    ///
    /// - Throws: The first fault from the left; a day that none of the months has.
    package init(cron text: String) throws(RecurrenceTextFault) {
        guard text.utf8.count <= Limits.recurrenceBytes else {
            throw RecurrenceTextFault(
                column: Limits.recurrenceBytes + 1,
                part: "cron",
                problem: "is longer than \(Limits.recurrenceBytes) bytes"
            )
        }
        self.init(frequency: .monthly)
        try CronReader(text).read(into: &self)
    }
}

/// Reads the fields of a crontab.
private struct CronReader {
    /// The numbers and the names that a field may have.
    private struct Form {
        let name: String
        let range: ClosedRange<Int>
        /// Names of numbers, in small letters; the first stands for the start of the range.
        var names: [String] = []
    }

    /// A field as it stands in the text.
    private struct Field {
        let form: Form
        let bytes: ArraySlice<UInt8>

        /// Whether crond joins the field's days with those of the other field of days.
        var isStar: Bool { bytes.first == UInt8(ascii: "*") || bytes.first == UInt8(ascii: "?") }
    }

    private static let second = Form(name: "second", range: 0...59)
    private static let forms = [
        Form(name: "minute", range: 0...59), Form(name: "hour", range: 0...23),
        Form(name: "day of the month", range: 1...31),
        Form(
            name: "month",
            range: 1...12,
            names: [
                "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
            ]
        ),
        Form(
            name: "day of the week",
            range: 0...7,
            names: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
        ),
    ]
    private static let words = [
        "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
        "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *",
        "@annually": "0 0 1 1 *",
    ]

    private let bytes: [UInt8]

    init(_ text: String) {
        let lowered = text.lowercased()
        let word = lowered.filter { !$0.isWhitespace }
        bytes = Array((Self.words[word] ?? lowered).utf8)
    }

    func read(into rule: inout RecurrenceRule) throws(RecurrenceTextFault) {
        var fields = bytes[...].split { $0 == 0x20 || $0 == 0x09 }
        guard bytes.first != UInt8(ascii: "@") else {
            throw RecurrenceTextFault(
                column: 1,
                part: "cron",
                problem: "has the words @hourly, @daily, @weekly, @monthly and @yearly"
            )
        }
        guard fields.count == 5 || fields.count == 6 else {
            throw RecurrenceTextFault(
                column: 1,
                part: "cron",
                problem: "has \(fields.count) fields: write five, as '0 9 * * 1-5', for minute, "
                    + "hour, day of the month, month and day of the week, or six with the second "
                    + "before them"
            )
        }
        rule.times.seconds = 1
        if fields.count == 6 {
            rule.times.seconds = try numbers(Field(form: Self.second, bytes: fields.removeFirst()))
        }
        let read = zip(Self.forms, fields).map { Field(form: $0, bytes: $1) }
        rule.times.minutes = try numbers(read[0])
        rule.times.hours = UInt32(try numbers(read[1]))
        try readDays(read[2], into: &rule)
        rule.days.months = UInt16(try numbers(read[3]))
        try readWeekdays(read[4], into: &rule)
        try joinDays(read[2], read[4], into: &rule)
    }

    /// Joins the two fields of days as crond does: a day matches by both where one of them begins
    /// with a star, else by either.
    private func joinDays(
        _ dayOfMonth: Field,
        _ dayOfWeek: Field,
        into rule: inout RecurrenceRule
    ) throws(RecurrenceTextFault) {
        rule.days.areEither = !dayOfMonth.isStar && !dayOfWeek.isStar
        guard !rule.days.areEither else { return }
        var rest = rule.days.months
        while rest != 0 {
            let month = rest.trailingZeroBitCount
            rest &= rest - 1
            let length = CivilDate.lengthOfMonth(month, year: 2_000)
            let days: UInt32 = length == 31 ? ~1 : 1 << UInt32(length + 1) - 2
            if (rule.days.monthDays | rule.days.monthDaysFromEnd) & days != 0 { return }
            // The last workday is in each month.
            if rule.days.nearestWorkdays & (days | 1) != 0 { return }
        }
        throw fault(dayOfMonth, "names no day that its months have, so that it never fires")
    }

    // MARK: Fields of days

    private func readDays(
        _ field: Field,
        into rule: inout RecurrenceRule
    ) throws(RecurrenceTextFault) {
        for part in field.bytes.split(
            separator: UInt8(ascii: ","),
            omittingEmptySubsequences: false
        ) {
            let text = String(decoding: part, as: UTF8.self)
            if text == "l" {
                rule.days.monthDaysFromEnd |= 2
            } else if text == "lw" || text == "wl" {
                rule.days.nearestWorkdays |= 1
            } else if part.starts(with: "l-".utf8) {
                guard let before = Digits.number(part.dropFirst(2)), (0...30).contains(before)
                else {
                    throw fault(field, "has L-1 to L-30 for days before the last", part)
                }
                rule.days.monthDaysFromEnd |= 1 << UInt32(before + 1)
            } else if part.last == UInt8(ascii: "w") {
                let day = try number(part.dropLast(), field)
                rule.days.nearestWorkdays |= 1 << UInt32(day)
            } else {
                rule.days.monthDays |= UInt32(try numbers(part, field))
            }
        }
    }

    private func readWeekdays(
        _ field: Field,
        into rule: inout RecurrenceRule
    ) throws(RecurrenceTextFault) {
        var ordinals: Set<RecurrenceRule.OrdinalWeekday> = []
        for part in field.bytes.split(
            separator: UInt8(ascii: ","),
            omittingEmptySubsequences: false
        ) {
            if let place = part.firstIndex(of: UInt8(ascii: "#")) {
                let weekday = try number(part[..<place], field) % 7 + 1
                guard let ordinal = Digits.number(part[(place + 1)...]), (1...5).contains(ordinal)
                else { throw fault(field, "has #1 to #5 for such a day of the month", part) }
                ordinals.insert(.init(ordinal: ordinal, weekday: weekday))
            } else if part.count > 1, part.last == UInt8(ascii: "l") {
                let weekday = try number(part.dropLast(), field) % 7 + 1
                ordinals.insert(.init(ordinal: -1, weekday: weekday))
            } else {
                let bits = try numbers(part, field)
                // 7 is Sunday too.
                rule.days.weekdays.formUnion(WeekdaySet(rawValue: UInt8((bits | bits >> 7) & 0x7F)))
            }
        }
        rule.days.ordinalWeekdays = ordinals.sorted {
            ($0.ordinal, $0.weekday) < ($1.ordinal, $1.weekday)
        }
    }

    // MARK: Numbers

    /// Reads the list of a field, as bits.
    private func numbers(_ field: Field) throws(RecurrenceTextFault) -> UInt64 {
        var bits: UInt64 = 0
        for part in field.bytes.split(
            separator: UInt8(ascii: ","),
            omittingEmptySubsequences: false
        ) {
            bits |= try numbers(part, field)
        }
        return bits
    }

    /// Reads "*", "5", "1-5", "*/15", "10-40/10" or, to the end of the range, "10/15".
    private func numbers(
        _ part: ArraySlice<UInt8>,
        _ field: Field
    ) throws(RecurrenceTextFault) -> UInt64 {
        let range = field.form.range
        let pieces = part.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        let step = pieces.count == 2 ? Digits.number(pieces[1]) : 1
        guard pieces.count <= 2, let step, step > 0 else { throw fault(field, part) }
        let isDays = field.form.name.utf8.starts(with: "day".utf8)
        let ends = pieces[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let (first, last): (Int, Int)
        if pieces[0].elementsEqual("*".utf8) || isDays && pieces[0].elementsEqual("?".utf8) {
            // Of the days of the week 0 and 7 are one.
            (first, last) = (range.lowerBound, range.upperBound == 7 ? 6 : range.upperBound)
        } else if ends.count == 1 {
            first = try number(ends[0], field)
            last = pieces.count == 2 ? range.upperBound : first
        } else if ends.count == 2 {
            (first, last) = (try number(ends[0], field), try number(ends[1], field))
            guard first <= last else {
                throw fault(field, "has the end of a range before its start", part)
            }
        } else {
            throw fault(field, part)
        }
        var bits: UInt64 = 0
        for number in stride(from: first, through: last, by: step) { bits |= 1 << UInt64(number) }
        return bits
    }

    private func number(
        _ word: ArraySlice<UInt8>,
        _ field: Field
    ) throws(RecurrenceTextFault) -> Int {
        let name = String(decoding: word, as: UTF8.self)
        let named = field.form.names.firstIndex(of: name).map { field.form.range.lowerBound + $0 }
        guard let number = named ?? Digits.number(word), field.form.range.contains(number) else {
            throw fault(field, word)
        }
        return number
    }

    private func fault(_ field: Field, _ word: ArraySlice<UInt8>) -> RecurrenceTextFault {
        let range = field.form.range
        let names = field.form.names.isEmpty ? "" : " or a name such as \(field.form.names[1])"
        return fault(
            field,
            "write \(range.lowerBound) to \(range.upperBound)\(names), a list 1,2, a range 1-5 or "
                + "steps */5",
            word
        )
    }

    private func fault(
        _ field: Field,
        _ problem: String,
        _ word: ArraySlice<UInt8>? = nil
    ) -> RecurrenceTextFault {
        RecurrenceTextFault(
            column: (word ?? field.bytes).startIndex + 1,
            part: field.form.name,
            problem: problem
        )
    }
}
