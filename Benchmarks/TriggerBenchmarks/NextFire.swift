internal import Benchmark
internal import BenchmarkSupport
internal import NotificationCore

/// Finding the next fire instant: the question to the core of every add and every firing of an
/// interval.
///
/// Each sub-iteration takes another one of 1,024 random triggers.
func registerNextFire() {
    let hour = 3_600 * Int64.nanosecondsPerSecond
    let year = 365 * 24 * hour

    // An add: the trigger was accepted a moment ago and has not fired.
    register("Next fire instant, once", NextFireCase.random(repeats: false, sinceBase: 0...hour))
    // A firing on time: a few occurrences lie behind.
    register(
        "Next fire instant, repeating",
        NextFireCase.random(repeats: true, sinceBase: hour...24 * hour)
    )
    // The first firing after long down time must not cost more for each occurrence it skips.
    register(
        "Next fire instant, repeating, 10 years behind its base",
        NextFireCase.random(repeats: true, sinceBase: 10 * year...11 * year)
    )
}

private func register(_ name: String, _ cases: [NextFireCase]) {
    Benchmark(
        name,
        configuration: .init(metrics: [.wallClock, .throughput], scalingFactor: .kilo)
    ) { benchmark in
        for index in benchmark.scaledIterations {
            let next = cases[index]
            blackHole(next.trigger.nextFire(base: next.base, after: next.now))
        }
    }
}

/// One question for the next fire instant.
private struct NextFireCase {
    let trigger: TimeIntervalTrigger
    let base: ElapsedInstant
    let now: ElapsedInstant

    /// Makes 1,024 questions about intervals of a minute to an hour.
    static func random(repeats: Bool, sinceBase: ClosedRange<Int64>) -> [NextFireCase] {
        var generator = SplitMix64()
        return (0..<1_024).map { _ in
            let interval = Int64.random(in: 60...3_600, using: &generator)
            let base = ElapsedInstant(
                nanoseconds: .random(in: 0...Int64.nanosecondsPerSecond, using: &generator)
            )
            return NextFireCase(
                trigger: .seconds(interval, repeats: repeats),
                base: base,
                now: base.advanced(byNanoseconds: .random(in: sinceBase, using: &generator))
            )
        }
    }
}
