package import SwiftProtobuf

/// A number that a server tells of itself, as programs that collect such numbers take it.
package struct Measurement: Sendable {
    /// Its name, in lower_snake_case.
    package let name: String
    /// What it is, in one sentence.
    package let help: String
    /// The number.
    package let value: UInt64

    fileprivate init(_ name: String, _ help: String, _ value: UInt64) {
        self.name = name
        self.help = help
        self.value = value
    }
}

extension Belfry_V1_GetStatsResponse {
    /// What the server has done since it started.
    package var counted: [Measurement] {
        [
            Measurement("adds", "Requests that were added.", counters.adds),
            Measurement(
                "removes",
                "Requests and notifications that a call removed.",
                counters.removes
            ),
            Measurement("fired", "Due occurrences that were taken up.", counters.fired),
            Measurement("delivered", "Notifications that were delivered.", counters.delivered),
            Measurement(
                "suppressed",
                "Due occurrences that were not delivered.",
                counters.suppressed
            ),
            Measurement("missed", "Due occurrences that were found too late.", counters.missed),
            Measurement("batches", "Transactions that were committed.", counters.batches),
            Measurement("commands", "Commands in the transactions.", counters.commands),
            Measurement("events", "Events that were recorded.", counters.events),
            Measurement("evicted", "Pending requests that the limit pushed out.", counters.evicted),
            Measurement(
                "refused_calls",
                "Calls refused because of who made them.",
                counters.refusedCalls
            ),
        ]
    }

    /// How the server is.
    package var measured: [Measurement] {
        [
            Measurement(
                "store_used_bytes",
                "Bytes of the store's file that are in use.",
                store.usedBytes
            ),
            Measurement("store_file_bytes", "Bytes of the store's file.", store.fileBytes),
            Measurement(
                "store_limit_bytes",
                "Bytes in use before adding is refused.",
                store.limitBytes
            ),
            Measurement(
                "disk_free_bytes",
                "Bytes that are free on the store's disk.",
                store.freeDiskBytes
            ),
            Measurement("requests", "Requests that are stored.", store.records),
            Measurement("requests_pending", "Requests that are pending.", store.pending),
            Measurement("requests_arriving", "Requests that are arriving.", store.arriving),
            Measurement(
                "notifications_delivered",
                "Notifications that are delivered.",
                store.delivered
            ),
            Measurement("queue_length", "Commands that wait to be recorded.", queue.length),
            Measurement("queue_capacity", "Commands that may wait.", queue.capacity),
            Measurement("queue_longest", "The most commands that have waited.", queue.longest),
            Measurement("subscriptions", "Subscriptions that are open.", subscriptions),
            Measurement(
                "conditions",
                "Things wrong around the server.",
                UInt64(conditions.count)
            ),
        ]
    }
}

extension Belfry_V1_Lateness {
    /// How late firings were at most, by the part of them that were.
    package var quantiles: [(quantile: String, value: Google_Protobuf_Duration)] {
        [("0.5", p50), ("0.99", p99), ("1", max)]
    }
}
