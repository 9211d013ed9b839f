internal import NotificationCore
internal import NotificationStore
internal import TestSupport

// The recorded events, beside those that the model expects.

extension CalendarSimulation {
    typealias Occurrence = TimeModel.Occurrence

    /// The store recorded the occurrences of the model, and has the same pending requests.
    mutating func compare() async throws {
        if let failure = test.failure { throw Difference(description: "failed: \(failure)") }
        let now = test.store.clock.now()
        try require("elapsed", now.elapsed.nanoseconds, model.elapsed)
        try require("wall", now.wall.nanoseconds, model.wall)
        for center in model.centers.indices {
            do {
                try await compareEvents(center)
                try compareOpen(center)
                try await comparePending(center)
                try compareSummary(center)
            } catch let difference as Difference {
                throw Difference(description: "\(told(center)): \(difference.description)")
            }
        }
    }

    private mutating func compareEvents(_ center: Int) async throws {
        let name = model.centers[center].name
        let state = try test.state(of: name)
        let last = state.lastEvent
        var events: [Event] = []
        do {
            events = try await seen[center].follower.events(through: last)
        } catch let refusal as Refusal {
            throw Difference(description: "it was caught up, and ended: \(refusal.reason)")
        }
        if let end = seen[center].primary?.end {
            throw Difference(description: "the primary was ended: \(end.reason)")
        }
        for event in events {
            try require("event", event.number, seen[center].last + 1)
            seen[center].last = event.number
            do throws(Difference) {
                try match(event, center)
            } catch {
                throw Difference(
                    description: "event \(event.number) of \(Self.told(event.date.nanoseconds)): "
                        + "\(error.description)\n\(event.kind)"
                )
            }
        }
    }

    private mutating func match(_ event: Event, _ center: Int) throws(Difference) {
        switch event.kind {
        case .delivered(let delivered):
            try matchDelivered(delivered, event, center)
        case .suppressed(let fired, _, let replaced):
            let occurrence = try take(fired.request.identifier, event, center)
            try matchTimes(occurrence, fired.lateByNanoseconds, fired.collapsedCount)
            guard case .fires(let front) = occurrence.kind, front != .nobody else {
                throw Difference(description: "suppressed, and not \(occurrence.kind)")
            }
            if let replaced { forgetHeld(fired.request.identifier, replaced, center) }
        case .missed(let fired):
            let occurrence = try take(fired.request.identifier, event, center, as: .missed)
            try matchTimes(occurrence, fired.lateByNanoseconds, fired.collapsedCount)
        case .expired(let identifier):
            _ = try take(identifier, event, center, as: .expired)
        case .removed(let removed):
            if let delivery = removed.delivery {
                forgetHeld(removed.identifier, delivery, center)
            } else {
                _ = try take(removed.identifier, event, center, as: .removed)
            }
        case .summaryPresented(let shown): try matchSummary(shown, event, center)
        case .evicted, .responseCompleted, .responseExpired, .openSettings, .snoozed,
            .tokenChanged, .backgroundPush:
            throw Difference(description: "nobody did that")
        case .settingsChanged, .badgeChanged: break
        }
    }

    /// The oldest occurrence of an identifier that was not yet recorded.
    private mutating func take(
        _ identifier: String,
        _ event: Event,
        _ center: Int,
        as kind: Occurrence.Kind? = nil
    ) throws(Difference) -> Occurrence {
        let expected = model.centers[center].expected
        let found = expected.firstIndex { occurrence in
            guard occurrence.identifier == identifier else { return false }
            return if let kind { occurrence.kind == kind } else { occurrence.fires }
        }
        guard let found else {
            throw Difference(description: "\(identifier) was not due; \(expected)")
        }
        let occurrence = expected[found]
        model.centers[center].expected.remove(at: found)
        guard occurrence.mayWait || event.date.nanoseconds == occurrence.wall else {
            throw Difference(
                description: "recorded then, and not at \(Self.told(occurrence.wall))"
            )
        }
        return occurrence
    }

    private func matchTimes(
        _ occurrence: Occurrence,
        _ late: Int64,
        _ collapsed: Int64
    ) throws(Difference) {
        // An occurrence that waited for the app is late by that wait, too.
        let wait = occurrence.mayWait ? model.elapsed - occurrence.elapsed : 0
        let isLate = (occurrence.late...occurrence.late + wait).contains(late)
        guard !isLate || collapsed != occurrence.collapsed else { return }
        throw Difference(
            description: "late by \(late) with \(collapsed) earlier, and not by "
                + "\(occurrence.late) with \(occurrence.collapsed)"
        )
    }

    private mutating func matchDelivered(
        _ delivered: Event.Delivered,
        _ event: Event,
        _ center: Int
    ) throws(Difference) {
        let identifier = delivered.notification.request.identifier
        let occurrence = try take(identifier, event, center)
        try matchTimes(occurrence, delivered.lateByNanoseconds, delivered.collapsedCount)
        guard case .fires(let front) = occurrence.kind, front != .deaf else {
            throw Difference(description: "delivered, and not \(occurrence.kind)")
        }
        let presentation = delivered.presentation
        if front == .nobody {
            guard !presentation.hasTimedOut, presentation.isHeld == occurrence.isHeld else {
                throw Difference(description: "held or timed out; held: \(occurrence.isHeld)")
            }
        }
        if presentation.hasTimedOut, model.centers[center].front == .asks {
            model.centers[center].front = .mayAsk
        }
        seen[center].held[identifier] = nil
        // An occurrence that replaces the only waiting one waits for the next summary.
        if seen[center].held.isEmpty { seen[center].summaryDue = nil }
        if presentation.isHeld {
            seen[center].held[identifier] = delivered.notification.delivery
            if seen[center].summaryDue == nil {
                seen[center].summaryDue = presentation.heldUntil?.nanoseconds
            }
        }
    }

    private mutating func forgetHeld(
        _ identifier: String,
        _ delivery: DeliveryNumber,
        _ center: Int
    ) {
        if seen[center].held[identifier] == delivery { seen[center].held[identifier] = nil }
        if seen[center].held.isEmpty { seen[center].summaryDue = nil }
    }

    /// A summary shows all notifications that waited for it.
    private mutating func matchSummary(
        _ shown: [Event.Shown],
        _ event: Event,
        _ center: Int
    ) throws(Difference) {
        if model.isInSummary(center), let due = seen[center].summaryDue,
            due > event.date.nanoseconds
        {
            throw Difference(description: "a summary comes at \(Self.told(due))")
        }
        let found = Dictionary(uniqueKeysWithValues: shown.map { ($0.identifier, $0.delivery) })
        guard found == seen[center].held else {
            throw Difference(description: "held were \(seen[center].held)")
        }
        seen[center].held = [:]
        seen[center].summaryDue = nil
    }

    /// Occurrences of the model that were not recorded wait for the app, and not for too long.
    private func compareOpen(_ center: Int) throws {
        let name = model.centers[center].name
        let left = model.centers[center].expected
        let open = try test.openCallbacks(of: name).map { callback -> String in
            guard case .willPresent(let notification) = callback.question else { return "" }
            return notification.request.identifier
        }
        for occurrence in left {
            guard occurrence.mayWait else {
                throw Difference(description: "not recorded: \(occurrence)")
            }
            let deadline = occurrence.elapsed + 5 * .nanosecondsPerSecond
            try require("\(occurrence) waits", deadline > model.elapsed, true)
        }
        try require("arriving", open.sorted(), left.map(\.identifier).sorted())
    }

    private func comparePending(_ center: Int) async throws {
        let name = model.centers[center].name
        let found = try await test.pending {
            $0.center = name
            $0.pageSize = 500
        }
        let expected = model.centers[center].pending
        try require(
            "pending",
            found.map(\.request.identifier),
            expected.keys.sorted()
        )
        for pending in found {
            guard let other = expected[pending.request.identifier] else { continue }
            try require("request", pending.request, other.request)
            try require(
                "next date of \(Self.told(other.request)), last at \(other.last ?? 0)",
                Self.told(pending.nextFire?.nanoseconds ?? 0),
                Self.told(model.date(of: other.due))
            )
        }
    }

    /// Notifications are held for a summary that comes within a day or so.
    private mutating func compareSummary(_ center: Int) throws {
        let name = model.centers[center].name
        let state = try test.state(of: name)
        try require("held", state.heldCount, seen[center].held.count)
        guard !seen[center].held.isEmpty else { return }
        try require("held, and in a summary", model.isInSummary(center), true)
        guard model.isClockSet else { return }
        let next = model.nextSummary(of: model.centers[center].device, after: model.wall)
        try require(
            "summary",
            state.summaryDue.map { Self.told($0.nanoseconds) } ?? "never",
            next.map(Self.told) ?? "never"
        )
        seen[center].summaryDue = next
    }
}
