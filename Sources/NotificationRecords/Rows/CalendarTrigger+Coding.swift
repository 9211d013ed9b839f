package import NotificationCore

extension CalendarTrigger {
    /// The numeric parts, in the order in which they are stored.
    private static let numbers: [any WritableKeyPath<CalendarComponents, Int?> & Sendable] = [
        \.era, \.year, \.yearForWeekOfYear, \.quarter, \.month, \.day, \.dayOfYear, \.weekday,
        \.weekdayOrdinal, \.weekOfMonth, \.weekOfYear, \.hour, \.minute, \.second, \.nanosecond,
        \.firstWeekday, \.minimumDaysInFirstWeek,
    ]

    package func write(to writer: inout ByteWriter) {
        for path in Self.numbers { dateComponents[keyPath: path].write(to: &writer) }
        writer.put(dateComponents.isLeapMonth) { $0.put($1) }
        writer.put(dateComponents.timeZone)
        writer.put(repeats)
        writer.put(shortMonthPolicy.rawValue)
        writer.put(weekdays.rawValue)
        limits.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        var components = CalendarComponents()
        for path in Self.numbers { components[keyPath: path] = try reader.value() }
        components.isLeapMonth = try reader.optional { reader throws(RowProblem) in
            try reader.bool()
        }
        components.timeZone = try reader.text()
        let repeats = try reader.bool()
        let policy: ShortMonthPolicy = try reader.choice()
        let weekdays = WeekdaySet(rawValue: try reader.number())
        guard weekdays.isSubset(of: .all) else { throw .undecodable }
        let limits = try RecurrenceLimits(&reader, repeats: repeats)
        guard
            let value = try? Self(
                dateComponents: components,
                weekdays: weekdays,
                repeats: repeats,
                shortMonthPolicy: policy,
                limits: limits
            )
        else { throw .undecodable }
        self = value
    }
}
