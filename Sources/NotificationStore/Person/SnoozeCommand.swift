package import NotificationCore
package import NotificationRecords

/// The reply to a person who snoozed a notification.
package struct SnoozeReply: Hashable, Sendable {
    /// When the notification comes back; a clock that is set may change this.
    package var until: WallInstant
}

extension Store {
    /// Snoozes a notification: it leaves the list, and comes back as itself (SNZ-1).
    ///
    /// A notification that is snoozed already comes back at the new instant instead.
    ///
    /// `end` is when it comes back. `completion` is told, once the snooze is durable, when the
    /// notification comes back. It is refused where the notification no longer exists or was
    /// replaced, as ``SnoozeEnd/due(at:)``, and where the app has ``StoreLimits/snoozedPerCenter``.
    package func snooze(
        _ target: NotificationReference,
        until end: SnoozeEnd,
        once key: OnceKey? = nil,
        completion: @escaping Completion<SnoozeReply>
    ) {
        submit(SnoozeCommand(target: target, end: end), once: key, completion)
    }
}

struct SnoozeCommand: CenterCommand {
    let target: NotificationReference
    let end: SnoozeEnd

    var center: CenterName { target.center }

    var growth: Growth { .act }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<SnoozeReply> {
        .done(.success(try batch.listed(target).snooze(until: end)))
    }
}

extension ListedWork {
    /// Snoozes the notification, and gives when it comes back.
    ///
    /// Nothing happened where the command is refused.
    func snooze(until end: SnoozeEnd) throws(StoreFailure) -> SnoozeReply {
        let due = try StoreFailure.ofRefusal { () throws(Refusal) in try end.due(at: batch.now) }
        let reply = SnoozeReply(until: due.date(asOf: batch.now))
        let identifier = try center.identifier(self.identifier)
        if case .snoozed = place {
            try center.snoozed.move(delivery, to: due, as: identifier)
            return reply
        }
        let limit = batch.limits.snoozedPerCenter
        guard center.state.snoozedCount < limit else { throw .refused(.snoozeLimit(limit)) }
        let row: SnoozedRecord
        switch place {
        case .banner(let banner):
            center.state.hideBanner(of: banner.identifier)
            try center.replacementKeys.noteDelivered(identifier, of: record.request.head)
            row = SnoozedRecord(
                sequence: banner.sequence,
                due: due,
                date: banner.date,
                event: banner.event
            )
        case .list, .snoozed:
            let listed = try center.delivered.takeSnoozed(identifier, until: reply.until)
            row = SnoozedRecord(
                sequence: listed.sequence,
                due: due,
                date: listed.date,
                event: listed.event
            )
        }
        try center.snoozed.put(row, delivery, as: identifier)
        return reply
    }
}

extension SnoozeReply: Coded {
    package func write(to writer: inout ByteWriter) { until.write(to: &writer) }
    package init(_ reader: inout ByteReader) throws(RowProblem) { until = try reader.value() }
}

extension Refusal {
    fileprivate static func snoozeLimit(_ limit: Int) -> Refusal {
        let message = "\(limit) notifications of the app are snoozed already, the limit"
        return limitReached(.snoozeLimit, limit, message)
    }
}
