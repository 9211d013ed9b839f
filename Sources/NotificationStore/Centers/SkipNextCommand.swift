package import NotificationCore
package import NotificationRecords

package struct SkipReply: Hashable, Sendable {
    package var skipped: WallInstant
    /// When the request fires next; nil where that was the last occurrence.
    package var nextFire: WallInstant?
}

extension Store {
    /// Skips the next occurrence of a pending request; without a further one the request ends, with
    /// an event (CAL-11).
    ///
    /// `completion` is told the dates, once the change is durable. The command is refused where the
    /// request is not pending, or has no date.
    package func skipNext(
        _ identifier: String,
        of center: CenterName,
        once key: OnceKey? = nil,
        completion: @escaping Completion<SkipReply>
    ) {
        submit(SkipNextCommand(center: center, identifier: identifier), once: key, completion)
    }
}

struct SkipNextCommand: CenterCommand {
    let center: CenterName
    let identifier: String

    static var changesItself: Bool { false }

    var growth: Growth { .bytes(256) }

    func apply(to batch: Batch) throws(StoreFailure) -> Step<SkipReply> {
        let center = try batch.registered(center)
        let identifier = try center.identifier(identifier)
        // Refuse for now: a due occurrence cannot be skipped, and fires first.
        if center.isDue(identifier), try batch.due.nextDue().isDue(at: batch.now) {
            return .awaitsDueWork(nil)
        }
        return .done(try center.skipNext(identifier))
    }
}

extension CenterWork {
    fileprivate func skipNext(
        _ identifier: IdentifierWork
    ) throws(StoreFailure) -> Result<SkipReply, Refusal> {
        guard let pending = identifier.record.pending else {
            return .failure(.requestNotPending)
        }
        let record = try records.head(pending.sequence)
        guard let trigger = record.request.trigger else {
            throw identifier.disagreement(in: batch)
        }
        guard let due = pending.due else { return .failure(.noNextTriggerDate) }
        let rules = try schedule.rules(of: record.request)
        var reply = SkipReply(skipped: due.date(asOf: batch.now))
        let next = trigger.nextFire(base: record.base, following: due, in: rules)
        guard trigger.repeats, let next else {
            try records.takePending(identifier)
            try events.record(.expired(identifier: identifier.name))
            return .success(reply)
        }
        reply.nextFire = next.date(asOf: batch.now)
        var moved = pending
        moved.due = next
        moved.skipped = due.wall.map { SkippedDate($0, in: rules) }
        try schedule.remove(pending, trigger)
        try schedule.put(moved, trigger, base: record.base)
        identifier.record.pending = moved
        return .success(reply)
    }

    /// Whether a request is due and waits for its turn.
    fileprivate func isDue(_ identifier: IdentifierWork) -> Bool {
        guard let due = identifier.record.pending?.due, due.nanosecondsLate(at: batch.now) >= 0
        else { return false }
        return due.wall == nil || batch.now.wall.isTime
    }
}

extension Refusal {
    fileprivate static let requestNotPending = Refusal(
        .notFound,
        reason: .requestNotPending,
        message: "no request with this identifier is pending",
        fields: [WrongField([.identifier], "is not pending")]
    )

    fileprivate static let noNextTriggerDate = Refusal(
        .failedPrecondition,
        reason: .noNextTriggerDate,
        message: "the request waits for a place and has no next date; remove it instead",
        fields: [WrongField([.identifier], "has no next date")]
    )
}

extension SkipReply: Coded {
    package func write(to writer: inout ByteWriter) {
        skipped.write(to: &writer)
        nextFire.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        skipped = try reader.value()
        nextFire = try reader.value()
    }
}
