internal import BelfryLMDB
package import NotificationCore
package import NotificationRecords

/// Why a read of the store failed; a caller is told ``StoreReader/refusal(for:)``.
package typealias ReadError = StoreFailure

package struct StoreReader: Sendable {
    let environment: Environment
    let tables: Tables
    /// The limits that the store was opened with, or those of a smaller message.
    package private(set) var limits: StoreLimits
    package let profile: Profile
    let damage: DamageReport
    let board: PresentationBoard

    /// The reader for a message of at most about so many bytes.
    package func limited(to byteCount: Int) -> StoreReader {
        var reader = self
        reader.limits.eventBytesPerMessage = min(byteCount, limits.eventBytesPerMessage)
        reader.limits.bytesPerPage = min(byteCount, limits.bytesPerPage)
        return reader
    }

    /// The error of a read that found rows which contradict each other.
    package static var contradiction: ReadError { .row(RowError(.disagrees)) }

    package func refusal(for error: any Error) -> Refusal { damage.refusal(for: error) }

    package func center(
        _ name: CenterName
    ) throws(ReadError) -> (number: CenterNumber, center: CenterState)? {
        try environment.reading { transaction throws(StoreFailure) in
            guard let number = try transaction.rowIfAny(name, in: tables.centerNumbers) else {
                return nil
            }
            return (number, try transaction.center(number, tables))
        }
    }

    /// The events of a center after number `after`, as many as one message may hold; a message that
    /// is full ends at a multiple of ``StoreLimits/eventsPerMessage``, or is of many bytes.
    ///
    /// The result has the bytes of the events, about; it is a refusal where the next event is no
    /// longer kept.
    package func events(
        of center: CenterNumber,
        after: EventNumber
    ) throws(ReadError) -> Result<(events: [Event], byteCount: Int), Refusal> {
        try environment.reading { transaction throws(StoreFailure) in
            let found = try events(of: center, after: after, in: transaction)
            // Event numbers have no gaps: look up the first kept event only where the next number
            // is missing.
            guard found.events.first?.number != after.next else { return .success(found) }
            let first = try transaction.center(center, tables).firstEvent
            return after.next < first ? .failure(.eventsTrimmed(first: first)) : .success(found)
        }
    }

    private func events(
        of center: CenterNumber,
        after: EventNumber,
        in transaction: borrowing ReadTransaction
    ) throws(StoreFailure) -> (events: [Event], byteCount: Int) {
        var events: [Event] = []
        var byteCount = 0
        try transaction.scanEvents(of: center, from: after.next, tables) {
            number,
            record throws(StoreFailure) in
            events.append(try event(number, record, in: transaction))
            byteCount += record.byteCount
            // End where a message of every subscriber ends, wherever it began: subscribers that are
            // at different places share the next message.
            return !number.rawValue.isMultiple(of: UInt64(limits.eventsPerMessage))
                && byteCount < limits.eventBytesPerMessage
        }
        return (events, byteCount)
    }

    /// An event with the request that it refers to.
    func event(
        _ number: EventNumber,
        _ record: EventRecord,
        in transaction: borrowing ReadTransaction
    ) throws(StoreFailure) -> Event {
        func fired(_ fired: EventRecord.Fired) throws(StoreFailure) -> Event.Fired {
            var occurrence = Event.Fired(
                request: try transaction.row(fired.sequence, in: tables.records).request,
                lateByNanoseconds: fired.lateByNanoseconds,
                collapsedCount: fired.collapsedCount,
                snoozedDelivery: fired.snoozed,
                extensionOutcome: fired.extensionOutcome
            )
            occurrence.due = fired.due
            return occurrence
        }
        let kind: Event.Kind = try record.kind.map(occurrence: fired) {
            delivered throws(StoreFailure) in
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
                replacedDelivery: delivered.replaced,
                snoozedDelivery: occurrence.snoozedDelivery,
                extensionOutcome: occurrence.extensionOutcome
            )
        }
        return Event(number: number, date: record.date, kind: kind)
    }
}

extension Refusal {
    /// The next event for a subscriber is no longer kept.
    ///
    /// `first` is the oldest event that is kept.
    package static func eventsTrimmed(first: EventNumber) -> Refusal {
        Refusal(
            .outOfRange,
            reason: .eventsTrimmed,
            message: "the events up to \(first.previous) are not kept any more",
            fields: [WrongField([.after], "is older than the oldest event that is kept")],
            facts: [.firstEvent: "\(first)"],
            hint: .beginAnew
        )
    }
}
