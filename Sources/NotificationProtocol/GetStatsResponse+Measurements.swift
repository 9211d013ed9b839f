package import SwiftProtobuf

/// A number that a server tells of itself, as programs that collect such numbers take it.
package struct Measurement: Sendable {
    /// The number's name, in lower_snake_case.
    package let name: String
    /// The meaning of the number, in one sentence.
    package let help: String
    package let value: UInt64
    /// Which of the numbers with this name it is; nil where there is one alone.
    package let reason: String?

    fileprivate init(_ name: String, _ help: String, _ value: UInt64, reason: String? = nil) {
        self.name = name
        self.help = help
        self.value = value
        self.reason = reason
    }
}

/// How long something of a server took each time, as programs that collect such times take it.
package struct MeasuredTimes: Sendable {
    package let name: String
    /// The work that took so long, in one sentence.
    package let help: String
    /// How many times took at most so many seconds, in ascending order; the last are all times.
    package let buckets: [(bound: String, count: UInt64)]
    /// All times added up.
    package let sum: Google_Protobuf_Duration

    /// How many times were measured.
    package var count: UInt64 { buckets.last?.count ?? 0 }

    fileprivate init(_ name: String, _ help: String, _ histogram: Belfry_V1_Histogram) {
        self.name = name
        self.help = help
        // OpenMetrics wants the bound written like 1e-05.
        let bounds = histogram.bounds.map { "\(Double($0.seconds) + Double($0.nanos) / 1e9)" }
        var count: UInt64 = 0
        buckets = zip(bounds + ["+Inf"], histogram.counts).map { bound, number in
            count += number
            return (bound, count)
        }
        sum = histogram.sum
    }
}

extension Google_Protobuf_Duration {
    /// The seconds as a decimal number, with a point and without zeros at the end.
    package var secondsText: String {
        let digits = String(nanos)
        var fraction = String(repeating: "0", count: max(0, 9 - digits.count)) + digits
        while fraction.count > 1, fraction.hasSuffix("0") { fraction.removeLast() }
        return "\(seconds).\(fraction)"
    }
}

extension Belfry_V1_GetStatsResponse {
    /// The counts of the server's acts since it started.
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
            Measurement(
                "web_pushes_sent",
                "Messages to browsers that their push services took.",
                counters.webPushesSent
            ),
            Measurement(
                "web_pushes_failed",
                "Messages to browsers that were given up.",
                counters.webPushesFailed
            ),
            Measurement(
                "web_pushes_dropped",
                "Messages to browsers that were not needed any more before they were sent.",
                counters.webPushesDropped
            ),
        ]
            + counters.refusedCallsByReason.map { refused in
                Measurement(
                    "refused_calls_by_reason",
                    "Calls refused because of who made them, by the reason.",
                    refused.count,
                    reason: refused.reason
                )
            }
    }

    /// How long things took.
    package var timed: [MeasuredTimes] {
        [
            MeasuredTimes(
                "queue_wait_seconds",
                "How long commands waited in the queue.",
                stages.queueWait
            ),
            MeasuredTimes(
                "batch_making_seconds",
                "How long batches took to be made, before their commits.",
                stages.making
            ),
            MeasuredTimes(
                "commit_seconds",
                "How long commits took, with the sync of the disk.",
                stages.commit
            ),
            MeasuredTimes(
                "replies_seconds",
                "How long it took after commits to hand over the replies.",
                stages.replies
            ),
            MeasuredTimes("lateness_seconds", "How late firings were.", lateness.histogram),
        ]
    }

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
            + Belfry_V1_Condition.allCases.filter { $0 != .unspecified }.map { condition in
                Measurement(
                    "condition",
                    "1 while this is wrong.",
                    conditions.contains(condition) ? 1 : 0,
                    reason: condition.name
                )
            }
    }
}
