internal import BelfryLocking
internal import CoreMetrics
internal import NotificationProtocol
internal import NotificationService
internal import SwiftProtobuf

/// Gives the server's statistics to the metrics of a program.
final class MetricsFeed: Sendable {
    /// The numbers that were given so far: a server counts from zero, and a counter takes
    /// additions.
    private struct State {
        var counters: [String: (counter: Counter, value: UInt64)] = [:]
        var sums: [String: (counter: FloatingPointCounter, value: Double)] = [:]
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

    func take(_ stats: Belfry_V1_GetStatsResponse) {
        state.withLock { state in
            for counter in stats.counted {
                add("\(counter.name)_total", counter.dimensions, upTo: counter.value, &state)
            }
            for times in stats.timed { add(times, &state) }
            for gauge in stats.measured {
                set(gauge.name, gauge.dimensions, to: Double(gauge.value), &state)
            }
            let start = stats.startedAt
            set("start_time_seconds", to: Double(start.seconds) + Double(start.nanos) / 1e9, &state)
        }
    }

    /// Give a histogram as counters, since the measured times are no longer known one by one.
    private func add(_ times: MeasuredTimes, _ state: inout State) {
        for (bound, count) in times.buckets {
            add("\(times.name)_bucket", [("le", bound)], upTo: count, &state)
        }
        add("\(times.name)_count", upTo: times.count, &state)
        let name = "belfry_\(times.name)_sum"
        let sum = Double(times.sum.seconds) + Double(times.sum.nanos) / 1e9
        var (counter, value) =
            state.sums[name] ?? (FloatingPointCounter(label: name, factory: factory), 0)
        counter.increment(by: max(0, sum - value))
        value = sum
        state.sums[name] = (counter, value)
    }

    private func add(
        _ name: String,
        _ dimensions: [(String, String)] = [],
        upTo total: UInt64,
        _ state: inout State
    ) {
        let name = "belfry_\(name)"
        let key = name + dimensions.map(\.1).joined()
        var (counter, value) =
            state.counters[key]
            ?? (Counter(label: name, dimensions: dimensions, factory: factory), 0)
        counter.increment(by: total - min(value, total))
        value = total
        state.counters[key] = (counter, value)
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

extension Measurement {
    fileprivate var dimensions: [(String, String)] { reason.map { [("reason", $0)] } ?? [] }
}
