package import BelfryLMDB
package import NotificationCore

/// Why a read of the store failed; ``StoreReader/refusal(for:)`` is what a caller is told.
package typealias ReadError = LMDBError

/// Reads the store, in transactions of a few hundred rows; from any thread.
package struct StoreReader: Sendable {
    let environment: Environment
    let tables: Tables
    /// The limits that the store was opened with.
    package let limits: StoreLimits
    /// Whose behaviour the store follows where there is a choice.
    package let profile: Profile
    let damage: DamageReport

    /// Why a read failed that found rows which contradict each other.
    package static var contradiction: ReadError { ByteReader.corrupted }

    /// What a caller is told whose read failed; a refusal is itself.
    package func refusal(for error: any Error) -> Refusal { damage.refusal(for: error) }

    /// A center with its number, or nil where its app never registered.
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
    /// A refusal says that the next one is not kept any more.
    package func events(
        of center: UInt32,
        after: UInt64
    ) throws(ReadError) -> Result<[Event], Refusal> {
        try environment.read { transaction throws(LMDBError) in
            let events = try events(of: center, after: after, in: transaction)
            // Numbers have no gaps, so only a missing one is a reason to look for the first.
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
    /// The next event that a subscriber would be told is not kept any more.
    ///
    /// - Parameter first: The oldest event that is kept.
    /// - Returns: The refusal.
    package static func eventsTrimmed(first: UInt64) -> Refusal {
        Refusal(
            .outOfRange,
            reason: "EVENTS_TRIMMED",
            message: """
                after: the events up to \(first - 1) are not kept any more: ask for a snapshot, \
                or begin with after 0
                """,
            fields: [Refusal.Field("after", "is older than the oldest event that is kept")],
            metadata: ["first_number": "\(first)"]
        )
    }
}
