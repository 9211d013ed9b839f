internal import Benchmark
internal import Foundation

// The hot paths: finding when a request fires next, scheduling it durably, firing it, telling its
// subscribers; and their parts in the store: the coding of rows, merges, and starts.
//
// A store of 10 M requests takes many minutes to fill: it is measured only where the environment
// has BELFRY_LARGE_BENCHMARKS.
//
// Stores are made anew, from a fixed seed, in the temporary directory: name one on the disk that is
// meant with TMPDIR.

let benchmarks: @Sendable () -> Void = {
    registerNextFire()
    registerCalendarRules()
    registerRecurrences()
    registerRecordCoding()
    registerTagPushes(deviceCount: 2_048)
    registerMerge(changeCount: 65_536)
    registerRecovery(pendingCount: 30_000)
    for subscriberCount in [1, 100, 1_000] { registerFanOut(subscriberCount: subscriberCount) }
    let isLarge = ProcessInfo.processInfo.environment["BELFRY_LARGE_BENCHMARKS"] != nil
    for pendingCount in [10_000, 1_000_000] + (isLarge ? [10_000_000] : []) {
        registerAdds(pendingCount: pendingCount)
        registerFiring(pendingCount: pendingCount)
    }
    registerFixes(regionCount: 1_000, than: 100_000)
}

/// A number as a benchmark's name has it.
func abbreviated(_ count: Int) -> String {
    count % 1_000_000 == 0 ? "\(count / 1_000_000) M" : "\(count / 1_000) k"
}
