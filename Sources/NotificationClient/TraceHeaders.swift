internal import Instrumentation
internal import ServiceContextModule

/// The W3C trace context of a call.
struct TraceHeaders {
    private(set) var parent: String?
    private(set) var state: String?

    /// Takes the values as they are.
    init(parent: String?, state: String?) {
        self.parent = parent
        self.state = state
    }

    /// Lets the program's instrument write a context; none without a context or an instrument.
    init(of context: ServiceContext?) {
        guard let context else { return }
        InstrumentationSystem.instrument.inject(context, into: &self, using: HeaderInjector())
    }

    /// The metadata of the call.
    ///
    /// A trace that gRPC cannot send would fail the call, so it is left out.
    var metadata: [(String, String)] {
        guard let parent, Self.isSendable(parent) else { return [] }
        guard let state, Self.isSendable(state) else { return [("traceparent", parent)] }
        return [("traceparent", parent), ("tracestate", state)]
    }

    private static func isSendable(_ value: String) -> Bool {
        !value.isEmpty && value.utf8.count <= 4_096
            && value.utf8.allSatisfy { (0x20...0x7E).contains($0) }
    }

    /// Takes the headers that the server knows: an instrument may write more, and the server bounds
    /// metadata.
    private struct HeaderInjector: Injector {
        func inject(_ value: String, forKey key: String, into carrier: inout TraceHeaders) {
            switch key.lowercased() {
            case "traceparent": carrier.parent = value
            case "tracestate": carrier.state = value
            default: break
            }
        }
    }
}
