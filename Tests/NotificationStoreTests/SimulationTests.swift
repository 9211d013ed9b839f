internal import Foundation
internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

/// Random work on a store and on a model of it, which have to agree, through crashes and restarts.
///
/// `SIMULATION_SEEDS=10000 swift test --filter Simulation` runs as many seeds, from a random one or
/// from `SEED` on; `SIMULATION_STEPS` is how much is done with each. A seed repeats its run.
@Suite("Simulation")
struct SimulationTests {
    private static func setting(_ name: String, default standard: Int) -> Int {
        ProcessInfo.processInfo.environment[name].flatMap { Int($0) } ?? standard
    }

    @Test("The store does what a plain model of its centers does")
    func model() async throws {
        let count = Self.setting("SIMULATION_SEEDS", default: 20)
        let steps = Self.setting("SIMULATION_STEPS", default: 250)
        let first = SeededGenerator().seed
        let clock = ContinuousClock()
        let start = clock.now
        var told = start
        var done = 0
        for index in 0..<UInt64(count) {
            let seed = first &+ index
            let isSound = try await runs(seed, steps: steps)
            #expect(isSound, "again with SEED=\(seed) SIMULATION_SEEDS=1 SIMULATION_STEPS=\(steps)")
            guard isSound else { break }
            done += 1
            if clock.now - told > .seconds(10) {
                told = clock.now
                print("simulation: \(index + 1) of \(count) seeds")
            }
        }
        let seconds = (clock.now - start) / .seconds(1)
        let rate = (Double(done) / seconds).formatted(.number.precision(.fractionLength(1)))
        print(
            "R6 simulation: \(done) seeds from \(first) of \(steps) steps, \(rate) seeds a second"
        )
    }

    /// Whether the run of a seed agrees with its model; tells where it does not.
    private func runs(_ seed: UInt64, steps: Int) async throws -> Bool {
        var simulation = try await Simulation(seed: seed)
        for step in 0..<steps {
            do {
                try await simulation.step()
                if simulation.isTimeToCompare { try await simulation.compare() }
            } catch {
                let failure = simulation.test.failure.map { "; the store failed: \($0)" } ?? ""
                Issue.record("step \(step) of seed \(seed): \(error)\(failure)")
                return false
            }
        }
        try await simulation.compare()
        simulation.test.close()
        let problems = try StoreAudit.problems(in: simulation.test.directory.path)
        #expect(problems.isEmpty, "seed \(seed)")
        return problems.isEmpty
    }
}
