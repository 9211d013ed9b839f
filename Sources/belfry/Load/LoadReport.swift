internal import Histogram

/// Prints the results of a load.
struct LoadReport {
    let output: Output

    /// Prints the machine's facts and what the load does.
    func begin(_ plan: LoadPlan, server: String, facts: MachineFacts) throws {
        var lines = [("server", server)] + facts.facts.map { ($0.name, $0.value) }
        lines += [
            ("mix", "\(plan.mix)"), ("requests of a call that adds", "\(plan.batch)"),
            ("centers", "\(plan.centers)"), ("identifiers", plan.identifiers.rawValue),
            ("pending before", "\(plan.fill)"),
            (
                "measured",
                "\(DurationText.format(plan.duration)) after \(DurationText.format(plan.warmUp))"
            ), ("seed", "\(plan.seed)"),
        ]
        guard !output.isJSON else {
            let names = lines.map { (key($0.0), $0.1) }
            return try output.print(json: ["load": Dictionary(uniqueKeysWithValues: names)])
        }
        let width = lines.map(\.0.count).max() ?? 0
        for (name, value) in lines {
            let space = String(repeating: " ", count: width - name.count)
            try output.print(output.style.apply(.dim, to: name) + space + "  " + value.printable)
        }
    }

    func print(_ measurement: LoadMeasurement) throws {
        guard !output.isJSON else {
            return try output.print(json: ["stage": object(measurement)])
        }
        let seconds = measurement.duration / .seconds(1)
        try output.print("")
        try output.print(output.style.apply(.bold, to: measurement.stage.name))
        var table = Table(header: ["", "CALLS/S", "P50", "P90", "P99", "P99.9", "MAX"])
        let meter = measurement.meter
        for (operation, calls) in meter.sortedCalls where calls.latencies.totalCount > 0 {
            let rate = LoadText.count(Double(calls.latencies.totalCount) / seconds)
            table.append(row(operation.rawValue, rate, calls.latencies))
        }
        if meter.lags.totalCount > 0 { table.append(row("lag of the start", "", meter.lags)) }
        if meter.firings.totalCount > 0 {
            let rate = LoadText.count(Double(meter.firings.totalCount) / seconds)
            table.append(row("due to event", rate, meter.firings))
        }
        try output.print(table, whenEmpty: "No measured call was answered.")
        for note in notes(measurement, seconds) { try output.print("  " + note) }
    }

    /// Prints what was found when the requests were read back.
    func print(_ verification: LoadVerification) throws {
        guard !output.isJSON else {
            let problems = verification.problems.map { problem in
                ["kind": problem.kind, "count": problem.count, "example": problem.example]
                    as [String: Any]
            }
            let object: [String: Any] = [
                "pending": verification.pending, "fired": verification.fired,
                "problems": problems,
            ]
            return try output.print(json: ["verification": object])
        }
        try output.print("")
        let counts = [(verification.pending, "pending"), (verification.fired, "fired once")]
        let sound = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
        let mark = output.style.apply(.green, to: "verified")
        try output.print("\(mark)  \(sound.isEmpty ? "no request" : sound)")
        for problem in verification.problems {
            let mark = output.style.apply(.red, to: "WRONG   ")
            let example = problem.example.printable
            try output.print("\(mark)  \(problem.count) \(problem.kind), such as \(example)")
        }
    }

    /// The distributions of a stage, by name, as HdrHistogram's tools read them, in microseconds.
    static func distributions(_ meter: LoadMeter) -> [(name: String, text: String)] {
        var histograms = meter.sortedCalls.map { ($0.0.rawValue, $0.1.latencies) }
        histograms += [("lag", meter.lags), ("due-to-event", meter.firings)]
        return histograms.filter { $0.1.totalCount > 0 }.map { name, histogram in
            var text = ""
            histogram.outputPercentileDistribution(
                to: &text,
                outputValueUnitScalingRatio: 1_000,
                percentileTicksPerHalfDistance: 5
            )
            return (name, text)
        }
    }

    private func row(
        _ name: String,
        _ rate: String,
        _ histogram: LatencyHistogram
    ) -> [Table.Cell] {
        let times = [50, 90, 99, 99.9].map { histogram.valueAtPercentile($0) } + [histogram.max]
        return [Table.Cell(name), Table.Cell(rate)]
            + times.map { Table.Cell(LoadText.duration($0)) }
    }

    /// Notes that the table of a stage has no column for.
    private func notes(_ measurement: LoadMeasurement, _ seconds: Double) -> [String] {
        let meter = measurement.meter
        var notes: [String] = []
        let requests = meter.sortedCalls.reduce(0) { $0 + $1.1.requests }
        if requests > meter.answeredCalls {
            notes.append("\(LoadText.count(Double(requests) / seconds)) requests/s")
        }
        if meter.unsent > 0 {
            notes.append("\(meter.unsent) calls had no turn before the end: the rate was not held")
        }
        for (error, count) in meter.errors.sorted(by: { $0.key < $1.key }) {
            notes.append("\(count) x \(error)")
        }
        let each = measurement.processTime.wholeNanoseconds / max(1, meter.answeredCalls)
        let share = measurement.processTime / measurement.duration * 100
        notes.append(
            "this program took \(LoadText.count(share)) % of a processor, "
                + "\(LoadText.duration(each)) for a call"
        )
        return notes
    }

    private func object(_ measurement: LoadMeasurement) -> [String: Any] {
        let meter = measurement.meter
        let seconds = measurement.duration / .seconds(1)
        var operations: [String: Any] = [:]
        for (operation, calls) in meter.sortedCalls {
            var entry = object(calls.latencies)
            entry["calls_per_second"] = Double(calls.latencies.totalCount) / seconds
            entry["requests_per_second"] = Double(calls.requests) / seconds
            entry["errors"] = calls.errors
            operations[operation.rawValue] = entry
        }
        var object: [String: Any] = [
            "in_flight": measurement.stage.inFlight, "operations": operations,
            "unsent": meter.unsent,
            "client_cpu_seconds": measurement.processTime / .seconds(1),
        ]
        if let rate = measurement.stage.rate { object["rate"] = rate }
        if meter.lags.totalCount > 0 { object["lag"] = self.object(meter.lags) }
        if meter.firings.totalCount > 0 { object["due_to_event"] = self.object(meter.firings) }
        return object
    }

    private func object(_ histogram: LatencyHistogram) -> [String: Any] {
        let percentiles: [(String, Double)] = [
            ("p50", 50), ("p90", 90), ("p99", 99), ("p99_9", 99.9), ("p99_99", 99.99),
        ]
        var object: [String: Any] = [
            "count": histogram.totalCount, "max_us": Double(histogram.max) / 1_000,
        ]
        for (name, percentile) in percentiles {
            object[name + "_us"] = Double(histogram.valueAtPercentile(percentile)) / 1_000
        }
        return object
    }

    private func key(_ name: String) -> String {
        name.split(separator: " ").joined(separator: "_").lowercased()
    }
}

extension LoadMeter {
    /// The calls of the operations that were made, in a fixed order.
    fileprivate var sortedCalls: [(LoadOperation, Calls)] {
        LoadOperation.allCases.compactMap { operation in
            calls[operation].map { (operation, $0) }
        }
    }
}

extension Duration {
    /// The duration in nanoseconds; 0 for one that is less than zero.
    fileprivate var wholeNanoseconds: UInt64 {
        UInt64(max(0, self / .nanoseconds(1)))
    }
}
