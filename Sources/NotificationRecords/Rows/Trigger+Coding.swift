internal import NotificationCore

extension Trigger {
    func write(to writer: inout ByteWriter) {
        switch self {
        case .timeInterval(let interval):
            writer.put(UInt8(1))
            writer.put(interval.intervalNanoseconds)
            writer.put(interval.repeats)
            interval.maxOccurrences.write(to: &writer)
        case .calendar(let calendar):
            writer.put(UInt8(2))
            calendar.write(to: &writer)
        case .anchoredInterval(let anchored):
            writer.put(UInt8(3))
            anchored.write(to: &writer)
        case .location(let location):
            writer.put(UInt8(4))
            location.region.write(to: &writer)
            writer.put(location.repeats)
        case .push: writer.put(UInt8(5))
        case .at(let instant):
            writer.put(UInt8(6))
            writer.put(instant.nanoseconds)
        case .recurrence(let recurrence):
            writer.put(UInt8(7))
            recurrence.write(to: &writer)
        }
    }

    init(_ reader: inout ByteReader) throws(RowProblem) {
        switch try reader.number(UInt8.self) {
        case 1: self = .timeInterval(try TimeIntervalTrigger(&reader))
        case 2: self = .calendar(try CalendarTrigger(&reader))
        case 3: self = .anchoredInterval(try AnchoredIntervalTrigger(&reader))
        case 4:
            let region = try Region(&reader)
            self = .location(LocationTrigger(region: region, repeats: try reader.bool()))
        case 5: self = .push
        case 6: self = .at(try reader.value())
        case 7: self = .recurrence(try RecurrenceTrigger(&reader))
        default: throw .undecodable
        }
    }
}

extension TimeIntervalTrigger {
    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        let nanoseconds = try reader.number(Int64.self)
        let repeats = try reader.bool()
        let count: Int64? = try reader.value()
        guard
            let value = try? Self(
                intervalNanoseconds: nanoseconds,
                repeats: repeats,
                maxOccurrences: count
            )
        else { throw .undecodable }
        self = value
    }
}

extension AnchoredIntervalTrigger {
    fileprivate func write(to writer: inout ByteWriter) {
        writer.put(anchor.nanoseconds)
        switch step {
        case .interval(let nanoseconds):
            writer.put(UInt8(0))
            writer.put(nanoseconds)
        case .calendar(let count, let unit):
            writer.put(unit.rawValue)
            writer.put(Int64(count))
        }
        writer.put(timeZone)
        writer.put(shortMonthPolicy.rawValue)
        writer.put(repeats)
        limits.write(to: &writer)
        localAnchor.write(to: &writer)
    }

    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        let anchor: WallInstant = try reader.value()
        let unit: UInt8 = try reader.number()
        let size: Int64 = try reader.number()
        let step: Step
        if unit == 0 {
            step = .interval(size)
        } else {
            guard let unit = CalendarUnit(rawValue: unit) else { throw .undecodable }
            step = .calendar(count: Int(size), unit)
        }
        let timeZone = try reader.text()
        let policy: ShortMonthPolicy = try reader.choice()
        let repeats = try reader.bool()
        let limits = try RecurrenceLimits(&reader, repeats: repeats)
        let localAnchor: Int? = try reader.value()
        guard
            let value = try? Self(
                anchor: anchor,
                step: step,
                timeZone: timeZone,
                shortMonthPolicy: policy,
                repeats: repeats,
                limits: limits,
                localAnchor: localAnchor
            )
        else { throw .undecodable }
        self = value
    }
}

extension RecurrenceTrigger {
    fileprivate func write(to writer: inout ByteWriter) {
        switch text {
        case nil: writer.put(UInt8(0))
        case .rule(let text):
            writer.put(UInt8(1))
            writer.put(text)
        case .cron(let text):
            writer.put(UInt8(2))
            writer.put(text)
        }
        start.write(to: &writer)
        for moments in [addedDates, excludedDates] {
            writer.putVarint(UInt64(moments.count))
            for moment in moments { moment.write(to: &writer) }
        }
        writer.put(timeZone)
        writer.put(repeats)
        limits.write(to: &writer)
        writer.put(Int64(lastLocal))
    }

    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        let text: Text?
        switch try reader.number(UInt8.self) {
        case 0: text = nil
        case 1: text = .rule(try reader.text())
        case 2: text = .cron(try reader.text())
        default: throw .undecodable
        }
        let start: Int? = try reader.value()
        let addedDates = try RecurrenceMoment.list(&reader)
        let excludedDates = try RecurrenceMoment.list(&reader)
        let timeZone = try reader.text()
        let repeats = try reader.bool()
        let limits = try RecurrenceLimits(&reader, repeats: repeats)
        let last = Int(try reader.number(Int64.self))
        guard
            let value = try? Self(
                text: text,
                start: start,
                addedDates: addedDates,
                excludedDates: excludedDates,
                timeZone: timeZone,
                repeats: repeats,
                limits: limits,
                lastLocal: last
            )
        else { throw .undecodable }
        self = value
    }
}

extension RecurrenceMoment {
    fileprivate func write(to writer: inout ByteWriter) {
        switch self {
        case .local(let second):
            writer.put(false)
            writer.put(Int64(second))
        case .instant(let second):
            writer.put(true)
            writer.put(Int64(second))
        }
    }

    fileprivate static func list(_ reader: inout ByteReader) throws(RowProblem) -> [Self] {
        let count = try reader.count()
        guard count <= Limits.recurrenceDates else { throw .undecodable }
        var moments: [Self] = []
        for _ in 0..<count {
            let isInstant = try reader.bool()
            let second = Int(try reader.number(Int64.self))
            moments.append(isInstant ? .instant(second) : .local(second))
        }
        return moments
    }
}

extension RecurrenceLimits {
    /// Writes the value into a row: one byte where there are no limits.
    func write(to writer: inout ByteWriter) {
        writer.put(isEmpty ? nil : self) { writer, limits in
            limits.startAt.write(to: &writer)
            limits.endAt.write(to: &writer)
            limits.maxOccurrences.write(to: &writer)
            writer.putVarint(UInt64(limits.skippedDays.count))
            for day in limits.skippedDays { writer.put(day) }
        }
    }

    init(_ reader: inout ByteReader, repeats: Bool) throws(RowProblem) {
        self.init()
        guard try reader.bool() else { return }
        let start: WallInstant? = try reader.value()
        let end: WallInstant? = try reader.value()
        let count: Int64? = try reader.value()
        var days: [CivilDate] = []
        let dayCount = try reader.count()
        guard dayCount <= Limits.skippedDays else { throw .undecodable }
        for _ in 0..<dayCount {
            days.append(CivilDate(daysSince1970: Int(try reader.number(Int32.self))))
        }
        guard
            let value = try? Self(
                startAt: start,
                endAt: end,
                maxOccurrences: count,
                skippedDays: days,
                repeats: repeats
            )
        else { throw .undecodable }
        self = value
    }
}
