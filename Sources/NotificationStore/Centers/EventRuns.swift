internal import BelfryLMDB
internal import Faults
internal import NotificationCore
internal import NotificationRecords

/// The events that a batch recorded last, which are in no row yet.
struct OpenRun {
    /// The number of the first of them.
    let first: EventNumber
    var writer = EventRunWriter()
}

/// The oldest row of a log, of which a batch removes events.
struct OldestRun {
    /// The number of its first event, by which the row is found until the batch ends.
    let first: EventNumber
    /// The events that are not removed.
    var events: ArraySlice<EventRecord>

    init(_ run: EventRun, at first: EventNumber) {
        self.first = first
        events = run.events[...]
    }

    var isWhole: Bool { events.startIndex == 0 }
}

extension EventRun {
    /// Calls `body` for each event with its number, in order, until it returns false.
    ///
    /// `first` is the number of the first event.
    ///
    /// - Returns: Whether to go on behind the run.
    @discardableResult
    func forEach(
        numberedFrom first: EventNumber,
        _ body: (EventNumber, EventRecord) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) -> Bool {
        var number = first
        for event in events {
            guard try body(number, event) else { return false }
            number = number.next
        }
        return true
    }
}

extension BelfryLMDB.Transaction where Self: ~Copyable {
    /// Calls `body` for the events of a center from number `first` on, until it returns false.
    ///
    /// - Complexity: O(log *n* + *k*) in the events that `body` takes.
    func scanEvents(
        of center: CenterNumber,
        from first: EventNumber,
        _ tables: Tables,
        _ body: (_ number: EventNumber, _ event: EventRecord) throws(StoreFailure) -> Bool
    ) throws(StoreFailure) {
        // The row of an event begins with it or before it.
        let next = EventKey(first.next, of: center)
        let row = try lastRows(in: tables.events, .center(center), before: next, atMost: 1).first
        if let (key, run) = row {
            let goesOn = try run.forEach(numberedFrom: key.number) {
                number,
                event throws(StoreFailure) in
                let isBefore = number < first && !Fault.eventsOfTheRowTold.isPlanted
                return isBefore ? true : try body(number, event)
            }
            guard goesOn else { return }
        }
        try scan(tables.events, .center(center), from: next) { key, run throws(StoreFailure) in
            try run.forEach(numberedFrom: key.number, body)
        }
    }

    /// The last events of a center, the newest first: of all, or of those before `position`.
    ///
    /// - Complexity: O(*k* log *n*) in the events that it gives.
    func lastEvents(
        of center: CenterNumber,
        before position: EventNumber?,
        atMost limit: Int,
        _ tables: Tables
    ) throws(StoreFailure) -> [(number: EventNumber, event: EventRecord)] {
        var found: [(number: EventNumber, event: EventRecord)] = []
        var end = position
        while found.count < limit {
            let rows = try lastRows(
                in: tables.events,
                .center(center),
                before: end.map { EventKey($0, of: center) },
                atMost: 1
            )
            guard let (key, run) = rows.first else { break }
            var events: [(number: EventNumber, event: EventRecord)] = []
            try run.forEach(numberedFrom: key.number) { number, event throws(StoreFailure) in
                if let position, number >= position { return false }
                events.append((number, event))
                return true
            }
            found += events.reversed().prefix(limit - found.count)
            end = key.number
        }
        return found
    }
}
