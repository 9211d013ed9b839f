internal import BelfryGRPC
internal import BelfryLocking

/// The streams that are open, which a stop ends.
final class OpenStreams: Sendable {
    private struct State {
        var streams: [ObjectIdentifier: (call: HTTPCall, session: PageSessions.Identifier?)] = [:]
        /// How later streams end, once the server stops.
        var end: Status?
    }

    private let state = Guarded(State())

    /// Keeps a stream until ``remove(_:)``; ends it if the server stops.
    func add(_ stream: HTTPCall, of session: PageSessions.Identifier?) {
        let end = state.withLock { state in
            state.streams[ObjectIdentifier(stream)] = (stream, session)
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
            return state.streams.values.map(\.call)
        }
        for stream in streams { stream.finish(status) }
    }

    /// Ends the streams of a session that has ended.
    func endAll(of session: PageSessions.Identifier, _ status: Status) {
        let streams = state.withLock { state in
            state.streams.values.filter { $0.session == session }.map(\.call)
        }
        for stream in streams { stream.finish(status) }
    }
}
