internal import Foundation
internal import TestSupport
internal import Testing

/// Where a store and its model differ.
struct Difference: Error, CustomStringConvertible {
    let description: String
}

/// The runs of a simulation: so many seeds in a row, each of so many steps.
///
/// The environment's `NAME_SEEDS`, `NAME_STEPS` and `NAME_FAILURES` choose other counts, and `SEED`
/// the first seed.
struct SeededRuns {
    /// The beginning of its figures and its progress.
    let title: String
    /// The beginning of the names of its variables.
    let name: String
    /// Seeds where none are chosen.
    let seeds: Int
    let steps: Int
    /// The first seed where none are chosen; nil is a random one.
    var first: UInt64?

    private func chosen(_ count: String) -> Int? {
        ProcessInfo.processInfo.environment["\(name)_\(count)"].flatMap { Int($0) }
    }

    /// Runs each seed and tells the figures; ends after so many differences, one unless chosen.
    ///
    /// - Parameter isSound: Whether a seed's run of so many steps agrees; it tells why not.
    /// - Throws: What a run throws beside a difference.
    func run(_ isSound: (_ seed: UInt64, _ steps: Int) async throws -> Bool) async throws {
        let (count, steps) = (chosen("SEEDS") ?? seeds, chosen("STEPS") ?? self.steps)
        let first = (chosen("SEEDS") == nil ? self.first : nil) ?? SeededGenerator().seed
        let clock = ContinuousClock()
        let start = clock.now
        var told = start
        var (done, differences) = (0, 0)
        while done < count, differences < chosen("FAILURES") ?? 1 {
            let seed = first &+ UInt64(done)
            let agrees = try await isSound(seed, steps)
            #expect(agrees, "again with SEED=\(seed) \(name)_SEEDS=1 \(name)_STEPS=\(steps)")
            done += 1
            if !agrees { differences += 1 }
            if clock.now - told > .seconds(10) {
                told = clock.now
                print("\(title): \(done) of \(count) seeds")
            }
        }
        let seconds = (clock.now - start) / .seconds(1)
        let rate = (Double(done) / seconds).formatted(.number.precision(.fractionLength(1)))
        print(
            "\(title): \(done) seeds from \(first) of \(steps) steps, \(differences) differ, "
                + "\(rate) seeds a second"
        )
    }
}
