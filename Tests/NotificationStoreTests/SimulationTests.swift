internal import NotificationCore
internal import TestSupport
internal import Testing

@testable internal import NotificationStore

/// Random work on a store and on a model of it, which have to agree, through crashes and restarts.
///
/// `SIMULATION_SEEDS=10000 swift test --filter Simulation` runs as many seeds, from a random one or
/// from `SEED` on; `SIMULATION_STEPS` is how many steps each takes. A seed repeats its run.
@Suite("Simulation")
struct SimulationTests {
    @Test("The store does what a plain model of its centers does")
    func model() async throws {
        let all = SeededRuns(title: "R6 simulation", name: "SIMULATION", seeds: 20, steps: 250)
        try await all.run(runs)
    }

    /// Whether the run of a simulation's seed agrees with its model; tells where it does not.
    private func runs(_ seed: UInt64, steps: Int) async throws -> Bool {
        // One caller's commands are done in their order, whichever apps they are about.
        let caller = Registrant(.token, "simulation")
        let source = CommandSource(registrant: caller, connection: 0, byteCount: 0)
        return try await CommandSource.$current.withValue(source) {
            try await agrees(seed, steps: steps)
        }
    }

    private func agrees(_ seed: UInt64, steps: Int) async throws -> Bool {
        var simulation = try await Simulation(seed: seed)
        for step in 0...steps {
            do {
                if step < steps { try await simulation.step() }
                if step == steps || simulation.isTimeToCompare { try await simulation.compare() }
            } catch {
                let failure = simulation.test.failure.map { "; the store failed: \($0)" } ?? ""
                Issue.record("step \(step) of seed \(seed): \(error)\(failure)")
                return false
            }
        }
        simulation.test.close()
        let problems = try StoreAudit.problems(in: simulation.test.directory.path)
        #expect(problems.isEmpty, "seed \(seed)")
        return problems.isEmpty
    }
}
