internal import Benchmark
internal import BenchmarkSupport
internal import NotificationRecords

/// Record coding: the rows of a request of the usual size and of its delivery, to their bytes and
/// back.
func registerRecordCoding() {
    let rows = SampleRows()
    register("request", rows.request)
    register("event", rows.event)
    register("delivered notification", rows.delivered)
}

private func register<Row: TableRow & Sendable>(_ name: String, _ row: Row) {
    let bytes = row.bytes
    let configuration = Benchmark.Configuration(
        metrics: [.wallClock, .throughput],
        scalingFactor: .kilo
    )
    Benchmark("Encode the row of a \(name)", configuration: configuration) { benchmark in
        for _ in benchmark.scaledIterations { blackHole(row.bytes) }
    }
    Benchmark("Decode the row of a \(name)", configuration: configuration) { benchmark in
        for _ in benchmark.scaledIterations { blackHole(try Row(bytes)) }
    }
}
