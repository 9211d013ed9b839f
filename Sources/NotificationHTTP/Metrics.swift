internal import NotificationProtocol
internal import SwiftProtobuf

/// The server's statistics as OpenMetrics.
struct Metrics {
    private var text = ""

    /// Writes the server's statistics.
    init(_ stats: Belfry_V1_GetStatsResponse) {
        let started = Google_Protobuf_Duration(
            seconds: stats.startedAt.seconds,
            nanos: stats.startedAt.nanos
        )
        head("start_time_seconds", "gauge", "When the server started.")
        text += "belfry_start_time_seconds \(started.secondsText)\n"
        numbers(stats.counted, "counter", suffix: "_total")
        for times in stats.timed { histogram(times) }
        numbers(stats.measured, "gauge")
    }

    var bytes: [UInt8] { Array((text + "# EOF\n").utf8) }

    private mutating func numbers(
        _ measurements: [Measurement],
        _ type: String,
        suffix: String = ""
    ) {
        var last = ""
        for number in measurements {
            // Keep the numbers of one name together, which differ in their reasons.
            if number.name != last { head(number.name, type, number.help) }
            last = number.name
            let label = number.reason.map { #"{reason="\#($0)"}"# } ?? ""
            text += "belfry_\(number.name)\(suffix)\(label) \(number.value)\n"
        }
    }

    private mutating func histogram(_ times: MeasuredTimes) {
        head(times.name, "histogram", times.help)
        for (bound, count) in times.buckets {
            text += "belfry_\(times.name)_bucket{le=\"\(bound)\"} \(count)\n"
        }
        text += "belfry_\(times.name)_count \(times.count)\n"
        text += "belfry_\(times.name)_sum \(times.sum.secondsText)\n"
    }

    private mutating func head(_ name: String, _ type: String, _ help: String) {
        text += "# TYPE belfry_\(name) \(type)\n# HELP belfry_\(name) \(help)\n"
    }
}
