package import BelfryLMDB
package import NotificationCore

/// Why a read of the store failed; a caller is told ``StoreReader/refusal(for:)``.
package typealias ReadError = LMDBError

/// Reads the store, in transactions of a few hundred rows; from any thread.
package struct StoreReader: Sendable {
    let environment: Environment
    let tables: Tables
    /// The limits that the store was opened with.
    package let limits: StoreLimits
    /// Which behaviour the store follows where there is a choice.
    package let profile: Profile
    let damage: DamageReport

    /// The error of a read that found rows which contradict each other.
    package static var contradiction: ReadError { ByteReader.corrupted }

    /// Gives the refusal for a caller whose read failed with `error`; a refusal is returned as it
    /// is.
    package func refusal(for error: any Error) -> Refusal { damage.refusal(for: error) }

    /// A center with its number, or nil where its app is not registered.
    package func center(
        _ name: CenterName
    ) throws(ReadError) -> (number: UInt32, center: CenterState)? {
        try environment.read { transaction throws(LMDBError) in
            guard let number = try transaction.centerNumber(name, tables) else { return nil }
            return (number, try transaction.center(number, tables))
        }
    }

    /// The events of a center after number `after`, as many as one message may hold.
    ///
    /// The result is a refusal where the next event is no longer kept.
    package func events(
        of center: UInt32,
        after: UInt64
    ) throws(ReadError) -> Result<[Event], Refusal> {
        try environment.read { transaction throws(LMDBError) in
            let events = try events(of: center, after: after, in: transaction)
            // Event numbers have no gaps: only where the next number is missing is the first kept
            // event looked up.
            guard events.first?.number != after + 1 else { return .success(events) }
            let first = try transaction.center(center, tables).firstEvent
            return after + 1 < first ? .failure(.eventsTrimmed(first: first)) : .success(events)
        }
    }

    private func events(
        of center: UInt32,
        after: UInt64,
        in transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> [Event] {
        var events: [Event] = []
        var byteCount = 0
        let start = Key.numbered(after + 1, center: center)
        try transaction.scan(tables.events, Key.number(center), from: start) {
            key,
            value throws(LMDBError) in
            let record = try EventRecord(value)
            events.append(try event(try Key.number(inNumbered: key), record, in: transaction))
            byteCount += record.byteCount
            return events.count < limits.eventsPerMessage
                && byteCount < limits.eventBytesPerMessage
        }
        return events
    }

    /// An event with the request that it refers to.
    private func event(
        _ number: UInt64,
        _ record: EventRecord,
        in transaction: borrowing ReadTransaction
    ) throws(LMDBError) -> Event {
        func fired(_ fired: EventRecord.Fired) throws(LMDBError) -> Event.Fired {
            Event.Fired(
                request: try transaction.record(fired.sequence, tables).request,
                lateByNanoseconds: fired.lateByNanoseconds,
                collapsedCount: fired.collapsedCount
            )
        }
        let kind: Event.Kind = try record.kind.map(occurrence: fired) {
            delivered throws(LMDBError) in
            let occurrence = try fired(delivered.fired)
            return Event.Delivered(
                notification: DeliveredNotification(
                    request: occurrence.request,
                    date: record.date,
                    delivery: delivered.delivery
                ),
                presentation: delivered.presentation,
                lateByNanoseconds: occurrence.lateByNanoseconds,
                collapsedCount: occurrence.collapsedCount,
                replacedDelivery: delivered.replaced
            )
        }
        return Event(number: number, date: record.date, kind: kind)
    }
}

extension Refusal {
    /// The next event for a subscriber is no longer kept.
    ///
    /// - Parameter first: The oldest event that is kept.
    /// - Returns: The refusal.
    package static func eventsTrimmed(first: UInt64) -> Refusal {
        Refusal(
            .outOfRange,
            reason: .eventsTrimmed,
            message: "the events up to \(first - 1) are not kept any more",
            fields: [WrongField([.after], "is older than the oldest event that is kept")],
            facts: [.firstEvent: "\(first)"],
            hint: .beginAnew
        )
    }
}
