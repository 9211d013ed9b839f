internal import BelfryGRPC
internal import Instrumentation
internal import NotificationClient
internal import NotificationProtocol
internal import ServiceContextModule
internal import Testing

@Suite("The trace context of the client's calls (W-24)")
struct TraceTests {
    private static let method = "/belfry.v1.NotificationCenterService/RemoveAllPending"
    private static let parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"

    /// The key of the context that the test's instrument writes.
    private enum Parent: ServiceContextKey { typealias Value = String }

    /// Writes the headers of W3C's propagators, and others that some write.
    private struct Propagator: Instrument {
        func extract<Carrier, Extract: Extractor>(
            _ carrier: Carrier,
            into context: inout ServiceContext,
            using extractor: Extract
        ) where Extract.Carrier == Carrier {}

        func inject<Carrier, Inject: Injector>(
            _ context: ServiceContext,
            into carrier: inout Carrier,
            using injector: Inject
        ) where Inject.Carrier == Carrier {
            guard let parent = context[Parent.self] else { return }
            injector.inject(parent, forKey: "Traceparent", into: &carrier)
            injector.inject("a=1", forKey: "tracestate", into: &carrier)
            injector.inject(String(repeating: "x", count: 9_000), forKey: "b", into: &carrier)
        }
    }

    @Test("A call carries what its options say, else what the task's context says, else nothing")
    func carried() async throws {
        InstrumentationSystem.bootstrap(Propagator())
        let calls = Recorder<[String?]>()
        let server = try FakeServer { router in
            router.unary(Self.method) { _, call in
                calls.record(
                    ["traceparent", "tracestate", "b"].map { call.metadata(named: $0) }
                )
                call.finish([])
            }
        }
        func call(_ options: CallOptions = CallOptions()) async throws {
            let client = Client(channel: Channel(target: server.target), options: options)
            _ = try await client.center("org.example.tea").removeAllPending()
        }
        try await call()
        var context = ServiceContext.topLevel
        context[Parent.self] = Self.parent
        try await ServiceContext.withValue(context) { try await call() }
        context[Parent.self] = "not to be\nsent"
        try await ServiceContext.withValue(context) { try await call() }
        var options = CallOptions()
        options.traceparent = "given"
        context[Parent.self] = Self.parent
        try await ServiceContext.withValue(context) { try await call(options) }
        #expect(
            calls.values == [
                [nil, nil, nil], [Self.parent, "a=1", nil], [nil, nil, nil], ["given", nil, nil],
            ]
        )
    }
}
