internal import BelfryGRPC
internal import NotificationCore
internal import NotificationProtocol

extension TraceContext {
    /// Reads the metadata of a call; nil where the call has no trace context, or a malformed one.
    ///
    /// - Parameter call: The call; nil once it is answered.
    init?(of call: borrowing ServerCall?) {
        switch call {
        case .some(let call):
            guard let parent = call.joinedMetadata(named: "traceparent") else { return nil }
            let state = call.joinedMetadata(named: "tracestate")
            self.init(parent: parent, state: state ?? "")
        case .none: return nil
        }
    }

    /// Reads the metadata of a call whose answer is a stream.
    init?(of stream: ServerStream) {
        guard let parent = stream.joinedMetadata(named: "traceparent") else { return nil }
        self.init(parent: parent, state: stream.joinedMetadata(named: "tracestate") ?? "")
    }
}

extension Belfry_V1_TraceContext {
    init(_ context: TraceContext) {
        self.init()
        traceparent = context.parent
        tracestate = context.state
    }
}
