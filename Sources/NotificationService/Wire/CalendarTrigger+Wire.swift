internal import NotificationCore
internal import NotificationProtocol

extension CalendarTrigger {
    /// Reads a calendar trigger; adding the request checks that the time zone exists.
    init(
        _ wire: Belfry_V1_CalendarTrigger,
        repeats: Bool,
        limits: RecurrenceLimits
    ) throws(Refusal) {
        let policy = wire.shortMonthPolicy.rawValue
        guard let policy = UInt8(exactly: policy).flatMap(ShortMonthPolicy.init(rawValue:)) else {
            throw .invalid("calendar.short_month_policy", "has no value \(policy)")
        }
        try self.init(
            dateComponents: try CalendarComponents(wire.dateComponents),
            weekdays: try WeekdaySet(wire.weekdays),
            repeats: repeats,
            shortMonthPolicy: policy,
            limits: limits
        )
    }
}

extension WeekdaySet {
    /// Reads the days of a list that names each at most once.
    fileprivate init(_ wire: [Belfry_V1_Weekday]) throws(Refusal) {
        self = []
        for (index, day) in wire.enumerated() {
            let number = day.rawValue
            let path = ([.calendar, .weekdays] as FieldPath)[index]
            guard (1...7).contains(number) else {
                throw .invalid(path, "has no value \(number)", reason: .dateComponentsInvalid)
            }
            guard insert(WeekdaySet(weekday: number)).inserted else {
                throw .invalid(path, "is named twice", reason: .dateComponentsInvalid)
            }
        }
    }
}

extension CalendarComponents {
    /// Reads the components that are set; the trigger checks their ranges.
    fileprivate init(_ wire: Belfry_V1_DateComponents) throws(Refusal) {
        self.init()
        let path = "calendar.date_components"
        guard wire.calendar.isEmpty || wire.calendar == "gregorian" else {
            throw .invalid(
                "\(path).calendar",
                "only the Gregorian calendar is known",
                reason: .calendarUnsupported
            )
        }
        era = wire.hasEra ? Int(wire.era) : nil
        year = wire.hasYear ? Int(wire.year) : nil
        month = wire.hasMonth ? Int(wire.month) : nil
        day = wire.hasDay ? Int(wire.day) : nil
        hour = wire.hasHour ? Int(wire.hour) : nil
        minute = wire.hasMinute ? Int(wire.minute) : nil
        second = wire.hasSecond ? Int(wire.second) : nil
        nanosecond = wire.hasNanosecond ? Int(wire.nanosecond) : nil
        weekday = wire.hasWeekday ? wire.weekday.rawValue : nil
        weekdayOrdinal = wire.hasWeekdayOrdinal ? Int(wire.weekdayOrdinal) : nil
        quarter = wire.hasQuarter ? Int(wire.quarter) : nil
        weekOfMonth = wire.hasWeekOfMonth ? Int(wire.weekOfMonth) : nil
        weekOfYear = wire.hasWeekOfYear ? Int(wire.weekOfYear) : nil
        yearForWeekOfYear = wire.hasYearForWeekOfYear ? Int(wire.yearForWeekOfYear) : nil
        dayOfYear = wire.hasDayOfYear ? Int(wire.dayOfYear) : nil
        isLeapMonth = wire.hasIsLeapMonth ? wire.isLeapMonth : nil
        timeZone = wire.timeZone
        firstWeekday = wire.hasFirstWeekday ? wire.firstWeekday.rawValue : nil
        minimumDaysInFirstWeek =
            wire.hasMinimumDaysInFirstWeek ? Int(wire.minimumDaysInFirstWeek) : nil
    }
}

extension Belfry_V1_CalendarTrigger {
    init(_ trigger: CalendarTrigger) {
        self.init()
        dateComponents = .init(trigger.dateComponents)
        weekdays = trigger.weekdays.weekdays.compactMap { .init(rawValue: $0) }
        shortMonthPolicy = .init(rawValue: Int(trigger.shortMonthPolicy.rawValue)) ?? .skip
    }
}

extension Belfry_V1_DateComponents {
    fileprivate init(_ components: CalendarComponents) {
        self.init()
        if let era = components.era { self.era = Int32(era) }
        if let year = components.year { self.year = Int32(year) }
        if let month = components.month { self.month = Int32(month) }
        if let day = components.day { self.day = Int32(day) }
        if let hour = components.hour { self.hour = Int32(hour) }
        if let minute = components.minute { self.minute = Int32(minute) }
        if let second = components.second { self.second = Int32(second) }
        if let nanosecond = components.nanosecond { self.nanosecond = Int32(nanosecond) }
        if let weekday = components.weekday { self.weekday = .init(rawValue: weekday) ?? .sunday }
        if let ordinal = components.weekdayOrdinal { weekdayOrdinal = Int32(ordinal) }
        if let quarter = components.quarter { self.quarter = Int32(quarter) }
        if let week = components.weekOfMonth { weekOfMonth = Int32(week) }
        if let week = components.weekOfYear { weekOfYear = Int32(week) }
        if let year = components.yearForWeekOfYear { yearForWeekOfYear = Int32(year) }
        if let day = components.dayOfYear { dayOfYear = Int32(day) }
        if let isLeap = components.isLeapMonth { isLeapMonth = isLeap }
        timeZone = components.timeZone
        if let first = components.firstWeekday {
            firstWeekday = .init(rawValue: first) ?? .sunday
        }
        if let days = components.minimumDaysInFirstWeek {
            minimumDaysInFirstWeek = Int32(days)
        }
    }
}
