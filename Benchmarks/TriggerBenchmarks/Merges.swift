internal import Benchmark
internal import BenchmarkSupport

/// Merges: all changes of a log that is as long as it gets before a merge begins, at random keys of
/// two tables, into the trees.
func registerMerge(changeCount: Int) {
    Benchmark(
        "Merge \(abbreviated(changeCount)) changes",
        configuration: .starts
    ) { benchmark in
        let tables = try ChangedTables(changeCount: changeCount)
        benchmark.startMeasurement()
        try tables.merge()
        benchmark.stopMeasurement()
        try tables.close()
    }
}
