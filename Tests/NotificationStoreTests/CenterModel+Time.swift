internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

// What a center does as time passes.

extension CenterModel {
    /// When a trigger fires next after an instant of the elapsed clock.
    func next(_ trigger: Trigger, base: Int64, after now: Int64) -> Int64 {
        switch trigger {
        case .timeInterval(let trigger):
            let interval = trigger.intervalNanoseconds
            return base + (max(0, now - base) / interval + 1) * interval
        case .calendar(let trigger):
            // The hour alone: the clock starts at midnight, in UTC.
            let day: Int64 = 86_400_000_000_000
            let hour = Int64(trigger.dateComponents.hour ?? 0) * 3_600_000_000_000
            let today = now / day * day + hour
            return today > now ? today : today + day
        case .anchoredInterval: preconditionFailure("the simulation of dates has them")
        case .location: preconditionFailure("the walks have them")
        case .push: preconditionFailure("a push is never added")
        }
    }

    /// Something that is due.
    private struct Due {
        enum Work {
            case request(Pending)
            /// The app did not say in time how to present it.
            case arriving(Arriving)
            /// The app did not say in time what it fetched.
            case backgroundPush
        }

        var instant: Int64
        /// Of two at one instant the one with the lesser number comes first.
        var number: Int
        var work: Work
    }

    /// What is due next.
    private var due: Due? {
        var all = pending.values.map {
            Due(instant: $0.due, number: $0.sequence, work: .request($0))
        }
        all += arriving.values.map {
            Due(instant: $0.deadline, number: $0.number, work: .arriving($0))
        }
        if let openPush {
            all.append(
                Due(instant: openPush.deadline, number: openPush.number, work: .backgroundPush)
            )
        }
        return all.min { ($0.instant, $0.number) < ($1.instant, $1.number) }
    }

    /// The instant at which something is due next.
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

    /// Does what is due next, and gives how many requests fired.
    private mutating func fireNext() -> Int {
        switch due?.work {
        case .request(let request):
            fire(request)
            return 1
        case .arriving(let late):
            arriving[late.request.identifier] = nil
            isSilent = true
            deliver(late.request, cutTo: .list, hasTimedOut: true, lateBy: wait(late))
        case .backgroundPush: endBackgroundPush(with: nil)
        case nil: break
        }
        return 0
    }

    private mutating func fire(_ fires: Pending) {
        guard let trigger = fires.request.trigger else { return }
        let identifier = fires.request.identifier
        if trigger.repeats {
            let base = fires.addedAt.nanoseconds - WallInstant.newYear.nanoseconds
            let due = next(trigger, base: base, after: elapsed)
            pending[identifier]?.due = due
        } else {
            pending[identifier] = nil
        }
        deliver(fires.request)
    }

    /// Takes away what is too old: notifications first, since their removals are events.
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
