/// The five fields of a cron expression, each as the sorted numbers that it stands for.
struct CronExpression: Equatable {
    /// One field: the numbers that match, and whether all do.
    struct Field: Equatable {
        var numbers: [Int32]
        var isAny: Bool

        /// The only number that matches, if it is one.
        var only: Int32? { numbers.count == 1 ? numbers[0] : nil }
    }

    /// The words and the range of a field.
    private struct Form {
        let name: String
        let range: ClosedRange<Int32>
        /// Names of numbers, in small letters; the first stands for the start of the range.
        var names: [String] = []
    }

    var minute: Field
    var hour: Field
    var dayOfMonth: Field
    var month: Field
    /// From 0, Sunday, to 6.
    var weekday: Field

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
    private static let macros = [
        "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
        "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *",
        "@annually": "0 0 1 1 *",
    ]

    /// Reads an expression of five fields, or one of the words "@daily", "@weekly" and so on.
    ///
    /// - Throws: ``TextProblem`` that names the wrong field.
    static func parse(_ text: String) throws(TextProblem) -> CronExpression {
        let text = text.lowercased()
        let words = (macros[text] ?? text).split(whereSeparator: \.isWhitespace)
        guard words.count == forms.count else {
            throw TextProblem(
                "write five fields, as '0 9 * * 1-5': minute, hour, day of the month, month and "
                    + "day of the week"
            )
        }
        var fields: [Field] = []
        for (word, form) in zip(words, forms) { fields.append(try field(word, form)) }
        // Take 7 as Sunday, too.
        if fields[4].numbers.last == 7 {
            fields[4].numbers = Set(fields[4].numbers.map { $0 % 7 }).sorted()
        }
        fields[4].isAny = fields[4].numbers.count == 7
        return CronExpression(
            minute: fields[0],
            hour: fields[1],
            dayOfMonth: fields[2],
            month: fields[3],
            weekday: fields[4]
        )
    }

    private static func field(_ word: Substring, _ form: Form) throws(TextProblem) -> Field {
        var found: Set<Int32> = []
        for part in word.split(separator: ",", omittingEmptySubsequences: false) {
            found.formUnion(try numbers(part, form))
        }
        return Field(numbers: found.sorted(), isAny: found.count == form.range.count)
    }

    /// Reads "*", "5", "1-5", "*/15" or "10-40/10".
    private static func numbers(_ part: Substring, _ form: Form) throws(TextProblem) -> [Int32] {
        let pieces = part.split(separator: "/", omittingEmptySubsequences: false)
        let step = pieces.count == 2 ? Numbers.parse(pieces[1]) : 1
        guard pieces.count <= 2, let step, step > 0 else { throw problem(part, form) }
        let ends = pieces[0].split(separator: "-", omittingEmptySubsequences: false)
        let range: ClosedRange<Int32>
        switch ends.count {
        case 1 where ends[0] == "*":
            // Count 0 and 7 once: both are Sunday.
            range = form.range.lowerBound...(form.range.upperBound == 7 ? 6 : form.range.upperBound)
        case 1:
            let first = try number(ends[0], form)
            // Let "5/15" go on to the end, as crond reads it.
            range = first...(pieces.count == 2 ? max(first, form.range.upperBound) : first)
        case 2:
            let (first, last) = (try number(ends[0], form), try number(ends[1], form))
            guard first <= last else { throw problem(part, form) }
            range = first...last
        default: throw problem(part, form)
        }
        return Array(stride(from: range.lowerBound, through: range.upperBound, by: Int(step)))
    }

    private static func number(_ word: Substring, _ form: Form) throws(TextProblem) -> Int32 {
        let named = form.names.firstIndex { $0 == word }
            .map { form.range.lowerBound + Int32($0) }
        guard let number = named ?? Numbers.parse(word), form.range.contains(number) else {
            throw problem(word, form)
        }
        return number
    }

    private static func problem(_ text: Substring, _ form: Form) -> TextProblem {
        let (first, last) = (form.range.lowerBound, form.range.upperBound)
        let names = form.names.isEmpty ? "" : " or a name such as \(form.names[1])"
        return TextProblem(
            "'\(text)' is no \(form.name): write \(first) to \(last)\(names), a list 1,2, a range "
                + "1-5, or steps */5"
        )
    }
}
