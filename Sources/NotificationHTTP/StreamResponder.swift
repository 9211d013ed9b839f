internal import BelfryGRPC
internal import Faults
internal import HTTPTypes
internal import HummingbirdCore
internal import NIOCore
internal import NIOHTTP1
internal import NotificationProtocol
internal import SwiftProtobuf

/// Answers one rpc with a stream of messages, until it ends or its client goes.
///
/// A Connect stream tells its errors in its last part. The connection is closed behind a stream.
struct StreamResponder: Sendable {
    let gate: CallGate
    let streams: OpenStreams
    let method: ContractMethod
    let form: StreamForm

    func respond(_ exchange: Exchange, _ writer: consuming ResponseWriter) async throws {
        let admission = Result { () throws(Status) in try exchange.admitted(by: gate) }
        if case (.events, .failure(let status)) = (form, admission) {
            return try await refuse(status, exchange, writer, closes: true)
        }
        var head = HTTPResponse(status: .ok)
        head.headerFields[.contentType] = form.contentType
        head.headerFields[.cacheControl] = "no-store"
        head.headerFields[.connection] = "close"
        exchange.allow(&head.headerFields)
        let body = StreamBody(
            writer: try await writer.writeHead(head),
            exchange: exchange,
            method: method,
            form: form
        )
        switch admission {
        case .failure(let status): try await body.end(status)
        case .success(let (call, admitted)):
            try await answer(exchange, call, admitted, body)
        }
        throw ConnectionIsDone()
    }

    private func answer(
        _ exchange: Exchange,
        _ call: HTTPCall,
        _ admitted: AdmittedCall,
        _ body: StreamBody
    ) async throws {
        let timers = timers(exchange, call)
        streams.add(call, of: exchange.session)
        defer {
            streams.remove(call)
            for cancel in timers { cancel() }
        }
        try await exchange.request.body.consumeWithInboundCloseHandler { received in
            let message: [UInt8]
            do throws(Status) {
                message = try await request(exchange, received)
            } catch {
                return try await body.end(error)
            }
            guard let delegate = admitted.request(message) else {
                preconditionFailure("a unary method in a stream's form")
            }
            var isWhole = false
            defer {
                let isCancelled = !isWhole || call.isCancelled
                call.cancel(Status(code: .cancelled, message: "the stream has ended"))
                delegate.ended(cancelled: isCancelled)
            }
            isWhole = try await body.write(call, telling: delegate)
        } onInboundClosed: {
            call.cancel(Status(code: .cancelled, message: "the client has gone"))
        }
    }

    /// The request's message.
    private func request(
        _ exchange: Exchange,
        _ received: RequestBody
    ) async throws(Status) -> [UInt8] {
        let body: [UInt8]
        do throws(Exchange.Problem) {
            body = try await exchange.body(received)
        } catch {
            throw error.status(exchange)
        }
        let message: [UInt8]
        switch form {
        case .connect(let form):
            message = try form.request(try Envelope.unwrap(body), of: method)
        case .events:
            let json = exchange.method == .get ? exchange.message : body
            message = try exchange.resumed(try MessageForm.json.request(json, of: method), method)
        }
        try exchange.checkLength(of: message)
        return message
    }

    /// Ends the call at its deadline, and keeps an event stream alive; the results stop that.
    private func timers(_ exchange: Exchange, _ call: HTTPCall) -> [@Sendable () -> Void] {
        let loop = exchange.channel.eventLoop
        var timers: [@Sendable () -> Void] = []
        if let expiry = exchange.expiry(of: call) { timers.append { expiry.cancel() } }
        if form.keepAlive != nil {
            let interval = TimeAmount.seconds(exchange.options.keepAliveSeconds)
            let signs = loop.scheduleRepeatedTask(initialDelay: interval, delay: interval) { _ in
                call.keepAlive()
            }
            timers.append { signs.cancel() }
        }
        return timers
    }
}

private struct StreamBody {
    let writer: any ResponseBodyWriter
    let exchange: Exchange
    let method: ContractMethod
    let form: StreamForm

    /// Writes what a call's handler sends, one message after the other.
    ///
    /// - Returns: Whether the client got the end.
    func write(_ call: HTTPCall, telling delegate: any ServerStreamDelegate) async throws -> Bool {
        for await output in call.outputs {
            switch output {
            case .message(let message):
                do {
                    try await write(try form.part(message, of: method))
                } catch let status as Status {
                    call.finish(status)
                    try await end(status)
                    return true
                }
                delegate.sent()
            case .keepAlive:
                if let sign = form.keepAlive { try await write(sign) }
                call.wroteKeepAlive()
            case .end(let status):
                try await end(status)
                return true
            }
        }
        return false
    }

    func end(_ status: Status) async throws {
        try await write(form.end(status))
        try await writer.finish(nil)
    }

    private func write(_ bytes: [UInt8]) async throws {
        // Close a connection whose client reads nothing.
        let deadline = exchange.closes(after: exchange.options.sendSeconds)
        defer { deadline.cancel() }
        var writer = writer
        try await writer.write(ByteBuffer(bytes: bytes))
        // Count it as sent when the system has it: until then it is in memory.
        if !Fault.unreadHTTPNotBounded.isPlanted { try await exchange.channel.hasWritten() }
    }
}

extension NIOCore.Channel {
    /// Waits until the system has all that was written; closes the channel where the task is
    /// cancelled.
    fileprivate func hasWritten() async throws {
        let written = eventLoop.makePromise(of: Void.self)
        let pipeline = pipeline
        eventLoop.execute {
            do {
                let encoder = try pipeline.syncOperations.context(
                    handlerType: HTTPResponseEncoder.self
                )
                // An empty write is done when those before it are.
                encoder.writeAndFlush(NIOAny(IOData.byteBuffer(ByteBuffer())), promise: written)
            } catch {
                written.fail(error)
            }
        }
        try await withTaskCancellationHandler {
            try await written.futureResult.get()
        } onCancel: {
            close(promise: nil)
        }
    }
}

extension Exchange {
    /// The message of a request without a body: the JSON in `message` of its query.
    fileprivate var message: [UInt8] {
        queryValue("message").map { Array($0.utf8) } ?? []
    }

    /// A request to subscribe that goes on where the client's last one ended, as `Last-Event-ID`
    /// says; other requests as they are.
    fileprivate func resumed(
        _ message: [UInt8],
        _ method: ContractMethod
    ) throws(Status) -> [UInt8] {
        guard method.request == Belfry_V1_SubscribeRequest.self,
            let last = field(.lastEventID).flatMap({ UInt64($0) })
        else { return message }
        do {
            var request = try Belfry_V1_SubscribeRequest(serializedBytes: message)
            request.after = last
            request.snapshot = false
            return try request.serializedBytes()
        } catch {
            throw Status(code: .invalidArgument, message: "the message is no SubscribeRequest")
        }
    }
}
