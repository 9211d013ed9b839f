internal import NotificationProtocol
internal import SwiftProtobuf

/// What the server has done and how it is, as OpenMetrics.
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
        var last = ""
        for counter in stats.counted {
            // The numbers of one name, which differ in their reasons, are together.
            if counter.name != last { head(counter.name, "counter", counter.help) }
            last = counter.name
            let label = counter.reason.map { #"{reason="\#($0)"}"# } ?? ""
            text += "belfry_\(counter.name)_total\(label) \(counter.value)\n"
        }
        for times in stats.timed { histogram(times) }
        for gauge in stats.measured {
            head(gauge.name, "gauge", gauge.help)
            text += "belfry_\(gauge.name) \(gauge.value)\n"
        }
    }

    /// The text of a response.
    var bytes: [UInt8] { Array((text + "# EOF\n").utf8) }

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
