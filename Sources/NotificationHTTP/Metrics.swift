internal import NotificationProtocol
internal import SwiftProtobuf

/// What the server has done and how it is, as OpenMetrics.
struct Metrics {
    private var text = ""

    /// Writes the server's statistics.
    init(_ stats: Belfry_V1_GetStatsResponse) {
        let started = stats.startedAt
        gauge("start_time_seconds", "When the server started.", started.seconds, started.nanos)
        counters(stats.counters)
        lateness(stats.lateness)
        let store = stats.store
        gauge("store_used_bytes", "Bytes of the store's file that are in use.", store.usedBytes)
        gauge("store_file_bytes", "Bytes of the store's file.", store.fileBytes)
        gauge("store_limit_bytes", "Bytes in use before adding is refused.", store.limitBytes)
        gauge("disk_free_bytes", "Bytes that are free on the store's disk.", store.freeDiskBytes)
        gauge("requests", "Requests that are stored.", store.records)
        gauge("requests_pending", "Requests that are pending.", store.pending)
        gauge("requests_arriving", "Requests that are arriving.", store.arriving)
        gauge("notifications_delivered", "Notifications that are delivered.", store.delivered)
        gauge("queue_length", "Commands that wait to be recorded.", stats.queue.length)
        gauge("queue_capacity", "Commands that may wait.", stats.queue.capacity)
        gauge("queue_longest", "The most commands that have waited.", stats.queue.longest)
        gauge("subscriptions", "Subscriptions that are open.", stats.subscriptions)
        gauge("conditions", "Things wrong around the server.", UInt64(stats.conditions.count))
    }

    /// The text of a response.
    var bytes: [UInt8] { Array((text + "# EOF\n").utf8) }

    private mutating func counters(_ counters: Belfry_V1_Counters) {
        counter("adds", "Requests that were added.", counters.adds)
        counter("removes", "Requests and notifications that a call removed.", counters.removes)
        counter("fired", "Due occurrences that were taken up.", counters.fired)
        counter("delivered", "Notifications that were delivered.", counters.delivered)
        counter("suppressed", "Due occurrences that were not delivered.", counters.suppressed)
        counter("missed", "Due occurrences that were found too late.", counters.missed)
        counter("batches", "Transactions that were committed.", counters.batches)
        counter("commands", "Commands in the transactions.", counters.commands)
        counter("events", "Events that were recorded.", counters.events)
        counter("evicted", "Pending requests that the limit pushed out.", counters.evicted)
        counter("refused_calls", "Calls refused because of who made them.", counters.refusedCalls)
    }

    private mutating func lateness(_ lateness: Belfry_V1_Lateness) {
        head("lateness_seconds", "summary", "How late firings were.")
        for (quantile, value) in [
            ("0.5", lateness.p50), ("0.99", lateness.p99), ("1", lateness.max),
        ] {
            line(#"lateness_seconds{quantile="\#(quantile)"}"#, value.seconds, value.nanos)
        }
        line("lateness_seconds_count", Int64(clamping: lateness.count), 0)
    }

    private mutating func counter(_ name: String, _ help: String, _ value: UInt64) {
        head(name, "counter", help)
        text += "belfry_\(name)_total \(value)\n"
    }

    private mutating func gauge(_ name: String, _ help: String, _ value: UInt64) {
        head(name, "gauge", help)
        text += "belfry_\(name) \(value)\n"
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
