internal import BelfryGRPC
internal import BelfryLocking
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import NotificationProtocol

/// Answers every request: rpcs, publications, the person's page, probes and metrics.
struct Responder: Sendable {
    private let rules: OriginRules
    private let options: HTTPOptions
    private let gate: CallGate
    private let isReady: ReadyCheck
    private let conditions: @Sendable () -> [Belfry_V1_Condition]
    private let rpcs: RPCResponder
    private let publisher: Publisher
    private let metrics: MetricsResponder
    private let page: PageResponder
    private let connections = ConnectionNumbers()

    init(
        gate: CallGate,
        rules: OriginRules,
        options: HTTPOptions,
        streams: OpenStreams,
        isReady: @escaping @Sendable () async -> Bool,
        conditions: @escaping @Sendable () -> [Belfry_V1_Condition],
        redeem: @escaping @Sendable (String) -> String?
    ) {
        self.rules = rules
        self.options = options
        self.gate = gate
        self.isReady = ReadyCheck(isReady)
        self.conditions = conditions
        rpcs = RPCResponder(gate: gate, streams: streams)
        publisher = Publisher(gate: gate)
        metrics = MetricsResponder(gate: gate)
        page = PageResponder(gate: gate, streams: streams, redeem: redeem)
    }

    /// Answers one request of a connection.
    ///
    /// - Throws: An error that closes the connection.
    func respond(
        _ request: Request,
        _ writer: consuming ResponseWriter,
        _ channel: any NIOCore.Channel,
        isEncrypted: Bool
    ) async throws {
        let (origin, problem) = Self.checked(request.head, rules)
        let exchange = Exchange(
            request: request,
            channel: channel,
            isEncrypted: isEncrypted,
            peer: Peer(address: Self.name(of: channel)),
            connection: connections.identifier(of: channel),
            origin: origin,
            options: options
        )
        if let problem {
            gate.refused(problem.reason, problem.message, at: exchange.path, from: exchange.peer)
            let told = problem.message + "\n"
            return try await text(problem.httpStatus, told, exchange, writer, closes: true)
        }
        if let coding = exchange.field(.transferEncoding), coding.lowercased() != "chunked" {
            let told = "the only transfer coding is chunked\n"
            return try await text(501, told, exchange, writer, closes: true)
        }
        let path = exchange.path
        let isForServer = request.method == .options && path == "*"
        guard isForServer || request.head.path?.utf8.first == UInt8(ascii: "/") else {
            let told = "the target has to be a path\n"
            return try await text(400, told, exchange, writer, closes: true)
        }
        // Answer HEAD as GET, without the body.
        let method = request.method == .head ? .get : request.method
        switch (method, path) {
        case (.options, _): try await preflight(exchange, writer)
        case (.get, "/") where PageResponder.isWanted(by: exchange):
            try await page.index(exchange, writer)
        case (.get, "/"):
            let told = Welcome.text(host: request.head.authority ?? "")
            try await text(200, told, exchange, writer, fields: [.vary: "Accept"])
        case (.get, "/livez"): try await text(200, "ok\n", exchange, writer)
        case (.get, "/readyz"):
            let ready = await isReady.answer(
                within: options.readySeconds,
                on: channel.eventLoop
            )
            // Report ready, with the conditions: the rest of the work, removals above all, needs
            // the server.
            let told = conditions().map { "\($0.name): \($0.advice)\n" }.joined()
            try await text(
                ready ? 200 : 503,
                (ready ? "ok\n" : "the store takes no writes\n") + told,
                exchange,
                writer
            )
        case (.get, "/metrics"): try await metrics.respond(exchange, writer)
        case _ where path.hasPrefix(PageResponder.prefix):
            guard let allowed = Self.allowed(at: path),
                allowed.split(separator: ", ").contains(method.rawValue[...])
            else { return try await refuseMethod(exchange, writer) }
            try await page.respond(exchange, writer)
        case _ where path.hasPrefix("/belfry."):
            try await rpcs.respond(page.identified(exchange), writer)
        case (_, "/livez"), (_, "/readyz"), (_, "/metrics"):
            try await refuseMethod(exchange, writer)
        case (let method, let path) where PublicationTarget(method, path) != nil:
            try await publisher.respond(exchange, writer)
        // Answer in ntfy's form, in which its clients read errors.
        case (.post, _) where Self.allowed(at: path) == nil,
            (.put, _) where Self.allowed(at: path) == nil:
            try await publisher.respond(exchange, writer)
        default: try await refuseMethod(exchange, writer)
        }
    }

    private func refuseMethod(
        _ exchange: Exchange,
        _ writer: consuming ResponseWriter
    ) async throws {
        guard let allowed = Self.allowed(at: exchange.path) else {
            let told = "there is nothing here: GET / says what there is\n"
            return try await text(404, told, exchange, writer, closes: true)
        }
        let told = "the methods here are \(allowed)\n"
        let fields: HTTPFields = [.allow: allowed]
        try await text(405, told, exchange, writer, fields: fields, closes: true)
    }

    /// The methods that a path answers, as `Allow` lists them; nil where nothing is there.
    private static func allowed(at path: String) -> String? {
        switch path {
        case "*": return "GET, HEAD, POST, PUT, DELETE, OPTIONS"
        case "/": return "GET, HEAD, POST, PUT, OPTIONS"
        case "/livez", "/readyz", "/metrics": return "GET, HEAD, OPTIONS"
        case _ where path.hasPrefix(PageResponder.prefix): return PageResponder.allowed(at: path)
        case _ where path.hasPrefix("/belfry."): return RPCResponder.method(at: path)?.allowed
        default:
            let methods: [HTTPRequest.Method] = [.get, .post, .put, .delete]
            let found = methods.filter { PublicationTarget($0, path) != nil }.map(\.rawValue)
            return found.isEmpty ? nil : (found + ["OPTIONS"]).joined(separator: ", ")
        }
    }

    private static func checked(
        _ head: HTTPRequest,
        _ rules: OriginRules
    ) -> (origin: String?, problem: OriginRules.Problem?) {
        do throws(OriginRules.Problem) {
            return (try rules.origin(of: head), nil)
        } catch {
            return (nil, error)
        }
    }

    /// Tells the page of an allowed origin what it may send.
    private func preflight(_ exchange: Exchange, _ writer: consuming ResponseWriter) async throws {
        var fields = HTTPFields()
        fields[.allow] = Self.allowed(at: exchange.path)
        if exchange.origin != nil {
            fields[.accessControlAllowMethods] = "GET, HEAD, POST, PUT, DELETE"
            fields[.accessControlAllowHeaders] = """
                Authorization, Content-Type, Connect-Protocol-Version, Connect-Timeout-Ms, \
                Last-Event-ID, traceparent, tracestate
                """
            fields[.accessControlMaxAge] = "600"
        }
        try await exchange.write(200, [], type: "text/plain", fields: fields, to: writer)
    }

    private func text(
        _ status: Int,
        _ text: String,
        _ exchange: Exchange,
        _ writer: consuming ResponseWriter,
        fields: HTTPFields = [:],
        closes: Bool = false
    ) async throws {
        try await exchange.write(
            status,
            Array(text.utf8),
            type: "text/plain; charset=utf-8",
            fields: fields,
            closes: closes,
            to: writer
        )
    }

    /// The address of a connection's client, in gRPC's form.
    private static func name(of channel: any NIOCore.Channel) -> String {
        guard let address = channel.remoteAddress, let ip = address.ipAddress else {
            return "ipv4:0.0.0.0:0"
        }
        let port = address.port ?? 0
        return ip.contains(":") ? "ipv6:[\(ip)]:\(port)" : "ipv4:\(ip):\(port)"
    }
}

private final class ConnectionNumbers: Sendable {
    private struct State {
        var last: UInt = 0
        var numbers: [ObjectIdentifier: UInt] = [:]
    }

    private let state = Guarded(State())

    /// The identifier of a connection, the same until it is closed.
    func identifier(of channel: any NIOCore.Channel) -> ConnectionIdentifier {
        let key = ObjectIdentifier(channel)
        let (number, isNew) = state.withLock { state in
            if let number = state.numbers[key] { return (number, false) }
            state.last += 1
            state.numbers[key] = state.last
            return (state.last, true)
        }
        if isNew {
            channel.closeFuture.whenComplete { [self] _ in
                state.withLock { state in state.numbers[key] = nil }
            }
        }
        return ConnectionIdentifier(carried: number)
    }
}
