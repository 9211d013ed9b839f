internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

/// Random work on a store and on a model of it, which have to agree, through restarts too.
@Suite("Simulation")
struct SimulationTests {
    @Test("The store does what a plain model of a center does", arguments: 0..<6)
    func model(round: Int) async throws {
        var generator = SeededGenerator()
        let hint: Comment = "SEED=\(generator.seed)"
        // Runs of one seed are the same whichever round they are.
        var work = try await Work(using: &generator)
        for _ in 0..<250 {
            try await work.step(using: &generator, hint)
            if Int.random(in: 0..<8, using: &generator) == 0 { try await work.compare(hint) }
        }
        try await work.compare(hint)
        let events = try await work.test.events()
        #expect(events == work.model.events, hint)
        work.test.close()
        #expect(try StoreAudit.problems(in: work.test.directory.path) == [], hint)
    }
}

/// A store with its model.
private struct Work {
    let test: TestStore
    var model: CenterModel

    /// Few, so that they meet again and again; some are the beginning of others.
    private static let identifiers = ["a", "aa", "aaa", "b", "ba", "é", "z", "zz", "\0", "c", "d"]

    init(using generator: inout SeededGenerator) async throws {
        let rows = Int.random(in: 1...5, using: &generator)
        test = try TestStore { options in
            options.limits.deliveredPerCenter = 5
            options.limits.pendingPerCenter = 8
            options.limits.rowsPerRead = rows
            options.limits.rowsPerBatch = rows * 2
            options.limits.eventsPerMessage = rows
        }
        let settings = try await test.authorize()
        model = CenterModel(deliveredLimit: 5, pendingLimit: 8, settings: settings)
    }

    private func request(using generator: inout SeededGenerator) throws -> NotificationRequest {
        let identifier = Self.identifiers.randomElement(using: &generator) ?? "a"
        let kind = Int.random(in: 0..<4, using: &generator)
        let seconds = Int.random(in: 1...9, using: &generator) * 20
        let badge = Int32.random(in: -3...3, using: &generator)
        let isSilent = Int.random(in: 0..<6, using: &generator) == 0
        return try .titled(
            identifier,
            in: kind == 0 ? nil : .seconds(kind == 1 ? seconds + 60 : seconds),
            repeats: kind == 1
        ) { content in
            if badge >= 0 { content.badge = badge }
            content.badgeMode = seconds % 40 == 0 ? .set : .increment
            if isSilent {
                content.title = ""
                content.sound = Sound()
            }
        }
    }

    private func someIdentifiers(using generator: inout SeededGenerator) -> [String] {
        (0..<Int.random(in: 0...4, using: &generator)).map { _ in
            Self.identifiers.randomElement(using: &generator) ?? "a"
        }
    }

    mutating func step(using generator: inout SeededGenerator, _ hint: Comment) async throws {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<8:
            let request = try request(using: &generator)
            let result = await test.result { $0.add(request, to: test.center, completion: $1) }
            #expect(result == model.add(request), hint)
        case 8..<10:
            let requests = try (0..<Int.random(in: 0...6, using: &generator)).map { _ in
                try request(using: &generator)
            }
            let results = try await test.addBatch(requests.map { .success($0) })
            #expect(results == requests.map { model.add($0) }, hint)
        case 10..<12:
            let asked = someIdentifiers(using: &generator)
            #expect(try await test.removePending(asked) == model.removePending(asked), hint)
        case 12..<14:
            let asked = someIdentifiers(using: &generator)
            #expect(try await test.removeDelivered(asked) == model.removeDelivered(asked), hint)
        case 14:
            let all = model.pending.keys.sorted(by: Self.byBytes)
            #expect(try await test.removeAllPending() == model.removePending(all).count, hint)
        case 15:
            let all = model.delivered.map(\.request.identifier).sorted(by: Self.byBytes)
            #expect(try await test.removeAllDelivered() == model.removeDelivered(all).count, hint)
        case 16:
            let badge = Int32.random(in: 0...3, using: &generator)
            #expect(try await test.setBadge(Int64(badge)) == badge, hint)
            model.setBadge(badge)
        case 17:
            let target = model.nextDue
            let advance = try await test.advance(.toNextDue)
            #expect((advance.stop == .nothingDue) == (target == nil), hint)
            if let target { #expect(advance.firedCount == model.advance(to: target), hint) }
        case 18:
            let seconds = Int.random(in: 0...200, using: &generator)
            let advance = try await test.advance(by: .seconds(seconds))
            let end = model.elapsed + Int64(seconds) * .nanosecondsPerSecond
            #expect(advance.firedCount == model.advance(to: end), hint)
        default:
            try test.reopen()
        }
    }

    private static func byBytes(_ left: String, _ right: String) -> Bool {
        left.utf8.lexicographicallyPrecedes(right.utf8)
    }

    /// Everything that a reader sees is what the model has.
    func compare(_ hint: Comment) async throws {
        let state = try test.state()
        #expect(state.badge == model.badge, hint)
        #expect(state.lastEvent == UInt64(model.events.count), hint)
        #expect(state.pendingCount == model.pending.count, hint)
        #expect(state.deliveredCount == model.delivered.count, hint)
        #expect(test.store.clock.now().elapsed.nanoseconds == model.elapsed, hint)
        #expect(test.store.clock.now().wall == model.wall, hint)

        let pending = model.pending.values.map { pending in
            PendingRequest(
                request: pending.request,
                nextFire: WallInstant.newYear.advanced(byNanoseconds: pending.due),
                addedAt: pending.addedAt
            )
        }
        let byIdentifier = pending.sorted {
            Self.byBytes($0.request.identifier, $1.request.identifier)
        }
        #expect(try await test.pending { $0.pageSize = 3 } == byIdentifier, hint)
        let byDate = byIdentifier.enumerated().sorted {
            ($0.element.nextFire, $0.offset) < ($1.element.nextFire, $1.offset)
        }.map(\.element)
        #expect(try await test.pending { $0.order = .nextFireDate } == byDate, hint)
        let newestFirst = Array(model.delivered.reversed())
        #expect(try await test.delivered() == newestFirst, hint)
        let delivered = try await test.delivered { $0.pageSize = 2 }
        #expect(Set(delivered) == Set(newestFirst), hint)

        let after = state.lastEvent / 2
        let events = try await test.events(after: after)
        #expect(events == model.events.filter { $0.number > after }, hint)
    }
}
