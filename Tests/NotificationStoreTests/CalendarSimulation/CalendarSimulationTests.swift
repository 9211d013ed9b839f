internal import Foundation
internal import NotificationCore
internal import NotificationStore
internal import TestSupport
internal import Testing

/// Random dates, zones, clock sets, time away, restarts and zone databases, beside a model of them.
///
/// `CALENDAR_SEEDS=2000 swift test --filter CalendarSimulation` runs as many seeds, from a random
/// one or from `SEED` on; `CALENDAR_STEPS` is how much is done with each. A seed repeats its run.
/// Without it four seeds run that are the same each time: together they find the faults of
/// `Tests/Faults` that name this test.
@Suite("Simulation of dates (§7.2, §7.3, §7.6)")
struct CalendarSimulationTests {
    private static func setting(_ name: String, default standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    @Test("Every due occurrence is recorded exactly once, at its instant")
    func model() async throws {
        let count = Self.setting("CALENDAR_SEEDS", default: 4)
        let steps = Self.setting("CALENDAR_STEPS", default: 120)
        let failures = Self.setting("CALENDAR_FAILURES", default: 1)
        let isShort = ProcessInfo.processInfo.environment["CALENDAR_SEEDS"] == nil
        let first = isShort ? 500 : SeededGenerator().seed
        let clock = ContinuousClock()
        let start = clock.now
        var told = start
        var differences = 0
        var done = 0
        for index in 0..<UInt64(count) {
            let seed = first &+ index
            done += 1
            let isSound = try await runs(seed, steps: steps)
            #expect(isSound, "again with SEED=\(seed) CALENDAR_SEEDS=1 CALENDAR_STEPS=\(steps)")
            if !isSound { differences += 1 }
            guard differences < failures else { break }
            if clock.now - told > .seconds(10) {
                told = clock.now
                print("simulation of dates: \(index + 1) of \(count) seeds")
            }
        }
        let seconds = (clock.now - start) / .seconds(1)
        let rate = (Double(done) / seconds).formatted(.number.precision(.fractionLength(1)))
        print(
            "simulation of dates: \(done) seeds from \(first) of \(steps) steps, \(differences) "
                + "differ, \(rate) seeds a second"
        )
    }

    /// Whether the run of a seed agrees with its model; tells where it does not.
    private func runs(_ seed: UInt64, steps: Int) async throws -> Bool {
        var simulation = try await CalendarSimulation(seed: seed)
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
