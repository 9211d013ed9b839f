internal import BelfryGRPC
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import NotificationProtocol
internal import StandardServices

/// Answers the rpcs of the contract by the Connect protocol, and streams also as Server-Sent
/// Events.
struct RPCResponder: Sendable {
    let gate: CallGate
    let streams: OpenStreams

    /// No rpc's path is longer.
    private static let pathBytes = 200

    static func method(at path: String) -> ContractMethod? {
        // Bounded: a longer path is none of the contract's.
        path.utf8.count <= pathBytes ? ContractMethod.all[path] : nil
    }

    /// Answers a request whose path is that of an rpc.
    func respond(_ exchange: Exchange, _ writer: consuming ResponseWriter) async throws {
        guard let method = Self.method(at: exchange.path) else {
            let status = Status(code: .unimplemented, message: "there is no such method")
            return try await refuse(status, exchange, writer, closes: true)
        }
        switch RPCForm.of(exchange, method) {
        case .success(.unary(let form)): try await unary(method, form, exchange, writer)
        case .success(.stream(let form)):
            let responder = StreamResponder(
                gate: gate,
                streams: streams,
                method: method,
                form: form
            )
            try await responder.respond(exchange, writer)
        case .failure(let problem):
            try await exchange.write(
                problem.status,
                Array(problem.text.utf8),
                type: "text/plain; charset=utf-8",
                fields: problem.fields,
                closes: true,
                to: writer
            )
        }
    }

    private func unary(
        _ method: ContractMethod,
        _ form: MessageForm,
        _ exchange: Exchange,
        _ writer: consuming ResponseWriter
    ) async throws {
        let call: HTTPCall
        let admitted: AdmittedCall
        do throws(Status) {
            (call, admitted) = try exchange.admitted(by: gate)
        } catch {
            return try await refuse(error, exchange, writer, closes: true)
        }
        let body: [UInt8]
        do throws(Exchange.Problem) {
            body = try await exchange.body(continuing: writer)
        } catch {
            return try await refuse(error.status(exchange), exchange, writer, closes: true)
        }
        let bytes: [UInt8]
        do throws(Status) {
            let message = try form.request(body, of: method)
            try exchange.checkLength(of: message)
            let answer = try await Self.answer(call, admitted, message, exchange)
            bytes = try form.response(answer, of: method)
        } catch {
            return try await refuse(error, exchange, writer, closes: false)
        }
        defer { call.letGo() }
        let type = form == .json ? "application/json" : "application/proto"
        try await exchange.write(200, bytes, type: type, to: writer)
    }

    /// Makes a unary call, and waits for its answer until the client's deadline.
    static func answer(
        _ call: HTTPCall,
        _ admitted: AdmittedCall,
        _ message: [UInt8],
        _ exchange: Exchange
    ) async throws(Status) -> [UInt8] {
        let expiry = exchange.expiry(of: call)
        defer { expiry?.cancel() }
        _ = admitted.request(message)
        return try await call.answer().get()
    }
}

/// Answers with an error.
///
/// `writer` is where the response goes. `closes` says whether the connection is closed, since the
/// request's body was not read.
///
/// - Throws: Where the connection is to be closed, or was lost.
func refuse(
    _ status: Status,
    _ exchange: Exchange,
    _ writer: consuming ResponseWriter,
    closes: Bool
) async throws {
    try await exchange.write(
        status.httpStatus,
        ConnectError(status).bytes,
        type: "application/json",
        closes: closes,
        to: writer
    )
}

extension Exchange {
    /// Ends a call at its client's deadline, unless the result is cancelled; nil without one.
    func expiry(of call: HTTPCall) -> Scheduled<Void>? {
        call.remainingTime.map { remaining in
            channel.eventLoop.scheduleTask(in: TimeAmount(max(.zero, remaining))) {
                call.cancel(Status(code: .deadlineExceeded, message: "the deadline has passed"))
            }
        }
    }

    /// The call of the request's own path, where its client may make it.
    ///
    /// - Throws: The status that refuses it.
    func admitted(by gate: CallGate) throws(Status) -> (HTTPCall, AdmittedCall) {
        let encoding = field(.contentEncoding) ?? field(.connectContentEncoding) ?? "identity"
        guard encoding == "identity" else {
            throw Status(code: .unimplemented, message: "the server takes no compressed messages")
        }
        let call = call(path, deadline: try timeout().map { .now + $0 })
        return (call, try gate.admit(call))
    }

    /// The time that the client gives the call; nil where it gives none.
    private func timeout() throws(Status) -> Duration? {
        guard let text = field(.connectTimeout) else { return nil }
        // The protocol allows a positive number of ten digits, and no sign.
        guard text.utf8.count <= 10, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let milliseconds = Int64(text), milliseconds > 0
        else {
            throw Status(
                code: .invalidArgument,
                message: """
                    connect-timeout-ms is no positive number of milliseconds of at most ten digits
                    """
            )
        }
        return .milliseconds(milliseconds)
    }

    /// A message in another form may be longer than its body.
    func checkLength(of message: [UInt8]) throws(Status) {
        guard message.count <= options.maximumReceiveBytes else {
            throw Problem.tooLong.status(self)
        }
    }
}

extension Exchange.Problem {
    func status(_ exchange: Exchange) -> Status {
        switch self {
        case .tooLong:
            Status(
                code: .resourceExhausted,
                message: "a message has \(exchange.options.maximumReceiveBytes) bytes at most",
                details: [
                    .errorInfo(
                        reason: Status.bodyTooLong,
                        domain: "belfry",
                        metadata: ["limit": "\(exchange.options.maximumReceiveBytes)"]
                    )
                ]
            )
        case .malformed:
            Status(code: .invalidArgument, message: "the body's length or chunks are wrong")
        case .lost: Status(code: .cancelled, message: "the body did not arrive")
        }
    }
}

extension HTTPField.Name {
    static func known(_ name: String) -> HTTPField.Name {
        guard let name = HTTPField.Name(name) else { preconditionFailure("\(name) is no name") }
        return name
    }

    static let connectTimeout = known("connect-timeout-ms")
    static let connectContentEncoding = known("connect-content-encoding")
    static let lastEventID = known("last-event-id")
    static let acceptPost = known("accept-post")
    static let expect = known("expect")
    static let host = known("host")
    /// The site that asks: `none` is a person, `same-origin` a page of this server.
    static let secFetchSite = known("sec-fetch-site")
    /// For what a page asks: `document` is a window's own page.
    static let secFetchDest = known("sec-fetch-dest")
    /// The key of the page's session.
    static let belfrySession = known("belfry-session")
}
