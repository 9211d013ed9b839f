internal import Faults
package import NotificationCore
internal import NotificationRecords

/// The distance by which the manual clock is moved.
package enum ClockTarget: Hashable, Sendable {
    /// Forward by this many nanoseconds; not negative.
    case by(nanoseconds: Int64)
    /// Until the wall clock shows this instant; not before now.
    case to(WallInstant)
    case toNextDue
}

/// The result of moving the manual clock.
package struct ClockAdvance: Hashable, Sendable {
    /// Why the clock stopped.
    package enum Stop: UInt8, Hashable, Sendable {
        /// Nothing is due, so there is no next due instant.
        case nothingDue = 0
        /// The clock reached its target.
        case target = 1
        /// An app is asked a question, and can answer until the deadline.
        case callback = 2
    }

    package var now: Now
    package var firedCount: Int
    /// The events that were recorded.
    package var eventCount: Int
    /// The newest event of each center that has new events, by the center's name.
    package var lastEvents: [CenterName: EventNumber]
    package var stop: Stop
    /// The callback at which the clock stopped.
    package var callback: CallbackNumber?
}

extension Store {
    /// Moves the manual clock, passing each due instant in order (W-19).
    ///
    /// `target` is how far the clock is moved. `passesCallbacks` says whether the clock goes on
    /// where an app is asked a question, so that deadlines pass; if not, it stops there.
    /// `completion` is told the result, once all of it is durable and published.
    package func advanceClock(
        _ target: ClockTarget,
        passesCallbacks: Bool = false,
        once key: OnceKey? = nil,
        completion: @escaping Completion<ClockAdvance>
    ) {
        guard clock.isManual else { return completion(.failure(.clockNotManual)) }
        let command = AdvanceClockCommand(target: target, passesCallbacks: passesCallbacks)
        submit(command, once: key, completion)
    }

    /// Lets time pass on the manual clock as if the server were down: requests that became due fire
    /// at the end, late (D-8).
    ///
    /// `nanoseconds` is how much time passes; not negative. `completion` is told the result, once
    /// all of it is durable and published.
    package func suspend(
        by nanoseconds: Int64,
        once key: OnceKey? = nil,
        completion: @escaping Completion<ClockAdvance>
    ) {
        guard clock.isManual else { return completion(.failure(.clockNotManual)) }
        let command = AdvanceClockCommand(
            target: .by(nanoseconds: nanoseconds),
            passesCallbacks: true,
            isAway: true
        )
        submit(command, once: key, completion)
    }
}

struct AdvanceClockCommand: Command {
    let target: ClockTarget
    let passesCallbacks: Bool
    /// Whether the time passes as if the server were down, so that nothing fires on the way.
    var isAway = false
    /// The instant of the target, found by the first step.
    var end: ElapsedInstant?
    /// The result until now.
    var advanced = ClockAdvance(
        now: Now(elapsed: .init(nanoseconds: 0), wall: .init(nanoseconds: 0)),
        firedCount: 0,
        eventCount: 0,
        lastEvents: [:],
        stop: .target
    )

    var growth: Growth { .nothing }
    var cost: Int { 256 }
    var firesDue: Bool { true }

    mutating func apply(to batch: Batch) throws(StoreFailure) -> Step<ClockAdvance> {
        // Wait: the next date is unknown until all dates are computed again.
        guard !batch.isRecalculating else { return .awaitsDueWork(end == nil ? nil : .retry) }
        if end == nil {
            end = try Self.end(
                of: target,
                now: batch.now,
                nextDue: batch.due.nextDue().instant(asOf: batch.now)
            )
        }
        guard let end else {
            advanced.stop = .nothingDue
            advanced.now = batch.now
            return .done(.success(advanced))
        }

        if isAway { batch.move(to: max(end, batch.now.elapsed)) }
        let eventsBefore = batch.counts.events
        let isDone = try advance(batch, to: end)
        advanced.eventCount += batch.counts.events - eventsBefore
        for (number, event) in batch.lastEvents {
            advanced.lastEvents[try batch.center(number).name] = event
        }
        advanced.now = batch.now
        // Leave the rest to a retry: time on a manual clock passes by calls alone, so a start does
        // not go on.
        return isDone ? .done(.success(advanced)) : .more(.retry)
    }

    /// Goes on instant by instant until ``cost`` rows were touched or the clock shows `end`.
    private mutating func advance(
        _ batch: Batch,
        to end: ElapsedInstant
    ) throws(StoreFailure) -> Bool {
        var (rows, end) = (0, end)
        while rows < cost, !batch.isRecalculating {
            let next = try batch.due.next().instant(asOf: batch.now)
            guard let due = next, due <= end else {
                // Another advance may have moved the clock further in the meantime.
                batch.move(to: max(end, batch.now.elapsed))
                return true
            }
            let passes = passesCallbacks || Fault.openQuestionExpires.isPlanted
            if !passes, due > batch.now.elapsed,
                let callback = try batch.due.question(endingBy: due)
            {
                // Stop at the last instant at which the callback can be answered.
                batch.move(to: max(due.advanced(byNanoseconds: -1), batch.now.elapsed))
                advanced.stop = .callback
                advanced.callback = callback
                return true
            }
            batch.move(to: max(due, batch.now.elapsed))
            let firedBefore = batch.counts.fired
            let askedBefore = batch.counts.asked
            rows += try batch.due.fire(atMost: cost - rows)
            advanced.firedCount += batch.counts.fired - firedBefore
            rows += try batch.due.expire(atMost: cost - rows)
            rows += try batch.tagPushes.perform(atMost: cost - rows)
            if !passesCallbacks && batch.counts.asked > askedBefore {
                advanced.stop = .callback
                advanced.callback = batch.news.lastAsked
                // Stop at this instant, once everything that is due at it is recorded (DT-5).
                end = batch.now.elapsed
                self.end = end
            }
        }
        return false
    }

    func writeProgress(to writer: inout ByteWriter) {
        end.write(to: &writer)
        advanced.write(to: &writer)
    }

    mutating func resume(_ reader: inout ByteReader) throws(RowProblem) {
        end = try reader.value()
        advanced = try reader.value()
    }

    private static func end(
        of target: ClockTarget,
        now: Now,
        nextDue: ElapsedInstant?
    ) throws(StoreFailure) -> ElapsedInstant? {
        let field: FieldPath
        let distance: (partialValue: Int64, overflow: Bool)
        switch target {
        case .by(let nanoseconds):
            field = [.by]
            distance = (nanoseconds, false)
        case .to(let date):
            field = [.to]
            distance = date.nanoseconds.subtractingReportingOverflow(now.wall.nanoseconds)
        case .toNextDue:
            guard let nextDue else { return nil }
            field = [.toNextDue]
            distance = (max(0, nextDue.nanoseconds(since: now.elapsed)), false)
        }
        guard !distance.overflow,
            (0...Int64(Limits.intervalNanoseconds)).contains(distance.partialValue)
        else {
            throw .refused(
                .clockTarget(field, "must not be before now, nor 100 years after it")
            )
        }
        let end = now.advanced(byNanoseconds: distance.partialValue)
        guard max(end.elapsed.nanoseconds, end.wall.nanoseconds) <= latestNanoseconds else {
            throw .refused(
                .clockTarget(field, "lies behind the end of the clock, in the year 2162")
            )
        }
        return end.elapsed
    }

    /// The last instant at which the longest interval can begin without overflow.
    static let latestNanoseconds = Int64.max - Int64(Limits.intervalNanoseconds)
}

extension Batch {
    /// Moves both clocks forward, until the elapsed clock shows `instant`.
    fileprivate func move(to instant: ElapsedInstant) {
        guard instant != now.elapsed else { return }
        clock.now = now.advanced(byNanoseconds: instant.nanoseconds(since: now.elapsed))
        // Ask again for each app's presence: a subscriber that was cut no longer answers once its
        // time is over.
        if !Fault.roleKeptForWholeAdvance.isPlanted { forgetPresences() }
    }
}

extension Refusal {
    /// The clock cannot be moved.
    static let clockNotManual = Refusal(
        .failedPrecondition,
        reason: .clockNotManual,
        message: "the server runs on the system clock",
        hint: .startWithManualClock
    )

    /// Refuses a target that the manual clock cannot be moved to.
    package static func clockTarget(_ path: FieldPath, _ problem: String) -> Refusal {
        .invalid(path, problem, reason: .clockTargetInvalid)
    }
}
