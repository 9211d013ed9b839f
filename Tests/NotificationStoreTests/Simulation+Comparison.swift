internal import NotificationCore
internal import TestSupport

@testable internal import NotificationStore

// The state that a reader sees, beside the models.

extension Simulation {
    static func byBytes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// A reader sees the state of the models.
    mutating func compare() async throws {
        for index in members.indices {
            try compareState(members[index])
            try await compareLists(members[index])
            try compareQuestions(members[index])
            try await compareEvents(members[index])
            // To ask for events is a call, which ends an app's silence (D-27).
            noteCall(index)
            try await compareFollower(index)
        }
    }

    private func compareState(_ member: Member) throws {
        let state = try test.state(of: member.name)
        let model = member.model
        try require("badge", state.badge, model.badge)
        try require("last event", state.lastEvent, EventNumber(model.events.count))
        // Events that are too old are kept a while for a follower that has yet to be told them.
        try require("first event", state.firstEvent <= model.firstEvent, true)
        if member.told == 0 { try require("oldest event", state.firstEvent, model.firstEvent) }
        try require("pending count", state.pendingCount, model.pending.count)
        try require("delivered count", state.deliveredCount, model.delivered.count)
        try require("arriving count", state.arrivingCount, model.arriving.count)
        try require("snoozed count", state.snoozedCount, model.snoozed.count)
        try require("elapsed", test.store.clock.now().elapsed.nanoseconds, model.elapsed)
        try require("wall", test.store.clock.now().wall, model.wall)
    }

    private func compareLists(_ member: Member) async throws {
        let pending = member.model.pending.values.map { pending in
            PendingRequest(
                request: pending.request,
                nextFire: pending.due.map { WallInstant.newYear.advanced(byNanoseconds: $0) },
                addedAt: pending.addedAt
            )
        }
        let byIdentifier = pending.sorted {
            Self.byBytes($0.request.identifier, $1.request.identifier)
        }
        func read(_ configure: (inout ListQuery) -> Void) async throws -> [PendingRequest] {
            try await test.pending { query in
                query.center = member.name
                configure(&query)
            }
        }
        try require("pending", try await read { $0.pageSize = 3 }, byIdentifier)
        let byDate = byIdentifier.enumerated().sorted {
            // A request that waits for a place comes last.
            ($0.element.nextFire?.nanoseconds ?? .max, $0.offset)
                < ($1.element.nextFire?.nanoseconds ?? .max, $1.offset)
        }.map(\.element)
        try require("pending by date", try await read { $0.order = .nextFireDate }, byDate)
        let delivered = try await test.delivered {
            $0.center = member.name
            $0.order = .newestFirst
            $0.pageSize = 2
        }
        try require("delivered", delivered, Array(member.model.delivered.reversed()))
    }

    /// The app is asked about arriving occurrences, and about the first of the waiting pushes.
    private func compareQuestions(_ member: Member) throws {
        let asked = member.model.arriving.values.filter { $0.service == nil }
        let arriving = asked.map { ($0.number, $0.fired.request.identifier) }
        let pushes = member.model.openPush.map { [($0.number, $0.name)] } ?? []
        let expected = (arriving + pushes).sorted { $0.0 < $1.0 }.map(\.1)
        let found = try test.openCallbacks(of: member.name).map { callback in
            switch callback.question {
            case .willPresent(let notification): notification.request.identifier
            case .backgroundPush(let push): push.apnsID
            case .didReceive(let response): response.notification.request.identifier
            }
        }
        try require("questions", found, expected)
        let service = try serviceQuestion(of: member.name).map { question in
            if case .service(let request) = question.question { request.identifier } else { "" }
        }
        let waiting = member.model.arriving.values.first { $0.service?.asked != nil }
        try require("service question", service, waiting?.fired.request.identifier)
    }

    private func compareEvents(_ member: Member) async throws {
        let model = member.model
        let after = max(EventNumber(model.events.count / 2), model.firstEvent - 1)
        let events = try await test.events(after: after, of: member.name)
        try require("events", events, model.keptEvents.filter { $0.number > after })
        let all = try await test.events(after: 0, of: member.name)
        let kept = all.filter { $0.number >= model.firstEvent }
        try require("all events", kept, Array(model.keptEvents))
    }
}
