internal import Benchmark

// The trigger hot path: finding when a request fires next, scheduling it durably, and firing it.
//
// Stores are made anew, from a fixed seed, in the temporary directory: name one on the disk that is
// meant with TMPDIR.

let benchmarks: @Sendable () -> Void = {
    registerNextFire()
    registerCalendarRules()
    registerTagPushes(deviceCount: 2_048)
    for pendingCount in [10_000, 1_000_000] {
        registerAdds(pendingCount: pendingCount)
        registerFiring(pendingCount: pendingCount)
    }
    registerFixes(regionCount: 1_000, than: 100_000)
}

/// A number as a benchmark's name has it.
func abbreviated(_ count: Int) -> String {
    count % 1_000_000 == 0 ? "\(count / 1_000_000) M" : "\(count / 1_000) k"
}
