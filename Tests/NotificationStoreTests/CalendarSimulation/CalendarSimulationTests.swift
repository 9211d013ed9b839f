internal import NotificationCore
internal import NotificationStore
internal import TestSupport
internal import Testing

/// Random dates, zones, clock sets, time away, restarts and zone databases, beside a model of them.
///
/// `CALENDAR_SEEDS=2000 swift test --filter CalendarSimulation` runs as many seeds, from a random
/// one or from `SEED` on; `CALENDAR_STEPS` is how many steps each takes. A seed repeats its run.
/// Without it four seeds run that are the same each time: together they find the faults of
/// `Tests/Faults` that name this test.
@Suite("Simulation of dates (§7.2, §7.3, §7.6)")
struct CalendarSimulationTests {
    @Test("Every due occurrence is recorded exactly once, at its instant")
    func model() async throws {
        let all = SeededRuns(
            title: "simulation of dates",
            name: "CALENDAR",
            seeds: 4,
            steps: 120,
            first: 500
        )
        try await all.run { try await runs($0, steps: $1) }
    }

    @Test("So it is with bounds, counts, anchors, expiries and skipped occurrences")
    func recurrence() async throws {
        let all = SeededRuns(
            title: "simulation of recurrence",
            name: "RECURRENCE",
            seeds: 3,
            steps: 120,
            first: 900
        )
        try await all.run { try await runs($0, steps: $1, recurs: true) }
    }

    /// Whether the run of a calendar's seed agrees with its model; tells where it does not.
    private func runs(_ seed: UInt64, steps: Int, recurs: Bool = false) async throws -> Bool {
        var simulation = try await CalendarSimulation(seed: seed, recurs: recurs)
        for step in 0..<steps {
            do {
                try await simulation.step()
            } catch {
                let failure = simulation.test.failure.map { "; the store failed: \($0)" } ?? ""
                let story = simulation.story.suffix(60).joined(separator: "\n  ")
                Issue.record("step \(step) of seed \(seed): \(error)\(failure)\n  \(story)")
                return false
            }
        }
        simulation.test.close()
        let problems = try StoreAudit.problems(in: simulation.test.directory.path)
        #expect(problems.isEmpty, "seed \(seed)")
        return problems.isEmpty
    }
}
