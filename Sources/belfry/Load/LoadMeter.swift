internal import Histogram
internal import NotificationClient

/// The latencies of calls, in nanoseconds, with three significant digits.
typealias LatencyHistogram = Histogram<UInt64>

/// The measurement of a stage.
struct LoadMeter {
    struct Calls {
        /// The calls that were acknowledged, by the time from their intended start to the answer.
        var latencies = LatencyHistogram()
        /// The requests that these calls had.
        var requests = 0
        /// The calls that failed, by code and reason; of a batch, the requests that failed.
        var errors: [String: Int] = [:]
    }

    private(set) var calls: [LoadOperation: Calls] = [:]
    /// How much later than intended calls began, in nanoseconds; empty without a rate.
    private(set) var lags = LatencyHistogram()
    /// The times from the instants at which requests were due to their events at a subscriber.
    private(set) var firings = LatencyHistogram()
    /// Calls that should have begun in the stage and did not.
    var unsent = 0

    /// Takes note of a call that was acknowledged.
    mutating func answered(_ operation: LoadOperation, _ requests: Int, after time: Duration) {
        calls[operation, default: Calls()].latencies.note(time)
        calls[operation, default: Calls()].requests += requests
    }

    /// Takes note of a refusal, or of a call without an answer.
    mutating func failed(_ operation: LoadOperation, _ error: ClientError) {
        let name = [error.code.name, error.reason].filter { !$0.isEmpty }.joined(separator: " ")
        calls[operation, default: Calls()].errors[name, default: 0] += 1
    }

    /// Takes note of how much later than intended a call began.
    mutating func lagged(by time: Duration) { lags.note(time) }

    mutating func fired(after time: Duration) { firings.note(time) }

    /// All calls that failed, of all operations, by code and reason.
    var errors: [String: Int] {
        calls.values.reduce(into: [:]) { $0.merge($1.errors, uniquingKeysWith: +) }
    }

    /// How many calls were acknowledged.
    var answeredCalls: UInt64 { calls.values.reduce(0) { $0 + $1.latencies.totalCount } }
}

extension LatencyHistogram {
    /// Records a time; one that is less than zero counts as zero.
    mutating func note(_ time: Duration) {
        let (seconds, attoseconds) = time.components
        guard seconds >= 0, attoseconds >= 0 else { return _ = record(0) }
        _ = record(UInt64(seconds) * 1_000_000_000 + UInt64(attoseconds / 1_000_000_000))
    }
}
