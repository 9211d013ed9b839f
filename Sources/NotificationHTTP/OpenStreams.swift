internal import BelfryGRPC
internal import BelfryLocking

/// The streams that are open, which a stop ends.
final class OpenStreams: Sendable {
    private struct State {
        var streams: [ObjectIdentifier: HTTPCall] = [:]
        /// How later streams end, once the server stops.
        var end: Status?
    }

    private let state = Guarded(State())

    /// Keeps a stream until ``remove(_:)``; ends it if the server stops.
    func add(_ stream: HTTPCall) {
        let end = state.withLock { state in
            state.streams[ObjectIdentifier(stream)] = stream
            return state.end
        }
        if let end { stream.finish(end) }
    }

    func remove(_ stream: HTTPCall) {
        state.withLock { $0.streams[ObjectIdentifier(stream)] = nil }
    }

    /// Ends all streams, and those that open later.
    func endAll(_ status: Status) {
        let streams = state.withLock { state in
            state.end = status
            return Array(state.streams.values)
        }
        for stream in streams { stream.finish(status) }
    }
}
