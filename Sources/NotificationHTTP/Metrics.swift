internal import NotificationProtocol
internal import SwiftProtobuf

/// What the server has done and how it is, as OpenMetrics.
struct Metrics {
    private var text = ""

    /// Writes the server's statistics.
    init(_ stats: Belfry_V1_GetStatsResponse) {
        let started = stats.startedAt
        gauge("start_time_seconds", "When the server started.", started.seconds, started.nanos)
        for counter in stats.counted {
            head(counter.name, "counter", counter.help)
            text += "belfry_\(counter.name)_total \(counter.value)\n"
        }
        lateness(stats.lateness)
        for gauge in stats.measured {
            head(gauge.name, "gauge", gauge.help)
            text += "belfry_\(gauge.name) \(gauge.value)\n"
        }
    }

    /// The text of a response.
    var bytes: [UInt8] { Array((text + "# EOF\n").utf8) }

    private mutating func lateness(_ lateness: Belfry_V1_Lateness) {
        head("lateness_seconds", "summary", "How late firings were.")
        for (quantile, value) in lateness.quantiles {
            line(#"lateness_seconds{quantile="\#(quantile)"}"#, value.seconds, value.nanos)
        }
        line("lateness_seconds_count", Int64(clamping: lateness.count), 0)
    }

    private mutating func gauge(
        _ name: String,
        _ help: String,
        _ seconds: Int64,
        _ nanoseconds: Int32
    ) {
        head(name, "gauge", help)
        line(name, seconds, nanoseconds)
    }

    private mutating func head(_ name: String, _ type: String, _ help: String) {
        text += "# TYPE belfry_\(name) \(type)\n# HELP belfry_\(name) \(help)\n"
    }

    private mutating func line(_ name: String, _ seconds: Int64, _ nanoseconds: Int32) {
        let digits = String(nanoseconds)
        let fraction = String(repeating: "0", count: max(0, 9 - digits.count)) + digits
        text += "belfry_\(name) \(seconds).\(fraction)\n"
    }
}
