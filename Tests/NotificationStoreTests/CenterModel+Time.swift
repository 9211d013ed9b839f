internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

// The changes of a center as time passes.

extension CenterModel {
    private struct Due {
        enum Work {
            case request(Pending)
            /// The app did not say in time how to present it.
            case arriving(Arriving)
            /// The time of the service extension ends soon, or is over.
            case service(String)
            /// The app did not say in time what it fetched.
            case backgroundPush
            /// The end of a snooze.
            case snoozed(String)
        }

        var instant: Int64
        /// Of two at one instant the one with the lesser number comes first.
        var number: Int
        var work: Work
    }

    /// The next due work.
    private var due: Due? {
        var all = pending.values.compactMap { pending in
            pending.due.map {
                Due(instant: $0, number: pending.sequence, work: .request(pending))
            }
        }
        for (identifier, waiting) in arriving {
            if let asked = waiting.service?.asked {
                all.append(
                    Due(instant: asked.next, number: asked.number, work: .service(identifier))
                )
            } else if waiting.service == nil {
                let work = Due.Work.arriving(waiting)
                all.append(Due(instant: waiting.deadline, number: waiting.number, work: work))
            }
        }
        if let openPush {
            all.append(
                Due(instant: openPush.deadline, number: openPush.number, work: .backgroundPush)
            )
        }
        // Snoozes come behind all other work that is due at the instant.
        all += snoozed.map { Due(instant: $1.until, number: .max, work: .snoozed($0)) }
        return all.min { ($0.instant, $0.number) < ($1.instant, $1.number) }
    }

    var nextDue: Int64? { due?.instant }

    /// The instant at which the oldest thing becomes too old.
    private var nextExpiry: Int64? {
        let ends = [
            delivered.first.map { ($0.date, limits.deliveredNanoseconds) },
            keptEvents.first.map { ($0.date, limits.eventNanoseconds) },
        ]
        return ends.compactMap(\.self).map { date, age in
            date.nanoseconds - WallInstant.newYear.nanoseconds + age
        }.min()
    }

    /// Moves the clock to `end`, and gives how many fired on the way.
    mutating func advance(to end: Int64) -> Int {
        var fired = 0
        while let next = [nextDue, nextExpiry].compactMap(\.self).min(), next <= end {
            elapsed = next
            if next == nextDue {
                fired += fireNext()
            } else {
                expire()
            }
        }
        elapsed = end
        return fired
    }

    /// Does the next due work, and gives how many requests fired.
    private mutating func fireNext() -> Int {
        switch due?.work {
        case .request(let request):
            fire(request)
            return 1
        case .arriving(let late):
            arriving[late.fired.request.identifier] = nil
            isSilent = true
            deliver(self.late(late), cutTo: .list, hasTimedOut: true)
        case .service(let identifier): endServiceTime(of: identifier)
        case .backgroundPush: endBackgroundPush(with: nil)
        case .snoozed(let identifier): return comeBack(identifier) ? 1 : 0
        case nil: break
        }
        return 0
    }

    /// Delivers a request, which stays if it repeats and has a further date.
    mutating func fire(_ fires: Pending) {
        guard let trigger = fires.request.trigger else { return }
        let identifier = fires.request.identifier
        var after = pending[identifier] ?? fires
        after.count += 1
        if trigger.region == nil { after.due = following(fires) }
        let isLast = trigger.maxOccurrences.map { after.count >= $0 } ?? false
        let hasEnded = isLast || trigger.region == nil && after.due == nil
        pending[identifier] = trigger.repeats && !hasEnded ? after : nil
        deliver(Event.Fired(fires.request))
        if trigger.repeats && hasEnded { record(.expired(identifier: identifier)) }
    }

    /// Removes rows that are too old: notifications first, since their removals are events.
    private mutating func expire() {
        func isTooOld(_ date: WallInstant, _ age: Int64) -> Bool {
            date.nanoseconds + age <= wall.nanoseconds
        }
        while let first = delivered.first, isTooOld(first.date, limits.deliveredNanoseconds) {
            removeDelivered(at: 0, .retention)
        }
        while let first = keptEvents.first, isTooOld(first.date, limits.eventNanoseconds) {
            firstEvent += 1
        }
    }
}
