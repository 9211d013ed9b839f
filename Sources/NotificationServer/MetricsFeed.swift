internal import BelfryLocking
internal import CoreMetrics
internal import NotificationProtocol
internal import NotificationService
internal import SwiftProtobuf

/// Gives the server's statistics to the metrics of a program.
final class MetricsFeed: Sendable {
    /// What was given so far: a server counts from zero, and a counter takes what was added.
    private struct State {
        var counters: [String: (counter: Counter, value: UInt64)] = [:]
        var meters: [String: Meter] = [:]
    }

    private let factory: any MetricsFactory
    private let state = Guarded(State())

    init(factory: any MetricsFactory) {
        self.factory = factory
    }

    /// Takes the statistics of a server once a second, until the task is cancelled.
    func follow(_ server: EmbeddedServer) -> Task<Void, Never> {
        Task {
            while !Task.isCancelled {
                if let stats = server.statistics { take(stats) }
                try? await Task.sleep(for: .seconds(1))
            }
        }
    }

    /// Sets the metrics.
    func take(_ stats: Belfry_V1_GetStatsResponse) {
        state.withLock { state in
            for counter in stats.counted { add(counter, &state) }
            for gauge in stats.measured { set(gauge.name, to: Double(gauge.value), &state) }
            let start = stats.startedAt
            set("start_time_seconds", to: Double(start.seconds) + Double(start.nanos) / 1e9, &state)
            for (quantile, value) in stats.lateness.quantiles {
                let seconds = Double(value.seconds) + Double(value.nanos) / 1e9
                set("lateness_seconds", [("quantile", quantile)], to: seconds, &state)
            }
        }
    }

    private func add(_ measurement: Measurement, _ state: inout State) {
        let name = "belfry_\(measurement.name)_total"
        var (counter, value) =
            state.counters[name] ?? (Counter(label: name, factory: factory), 0)
        counter.increment(by: measurement.value - min(value, measurement.value))
        value = measurement.value
        state.counters[name] = (counter, value)
    }

    private func set(
        _ name: String,
        _ dimensions: [(String, String)] = [],
        to value: Double,
        _ state: inout State
    ) {
        let name = "belfry_\(name)"
        let key = name + dimensions.map(\.1).joined()
        let meter =
            state.meters[key] ?? Meter(label: name, dimensions: dimensions, factory: factory)
        state.meters[key] = meter
        meter.set(value)
    }
}
