internal import BelfryLocking
package import BelfryWebPush
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

/// Carries requests to push services, over TLS and without redirects, each on a connection of its
/// own.
///
/// The address that a host has is looked up and checked here, and that address is connected to: a
/// name that changes meanwhile leads to no other.
package struct PushCarrier: Sendable {
    /// Why the certificates of ``init(authorities:)`` cannot be used.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    private static let connectSeconds: Int64 = 10
    private static let answerSeconds: Int64 = 20

    private let context: NIOSSLContext

    /// Makes a carrier.
    ///
    /// - Parameter authorities: A file with the certificates, as PEM, by which push services are
    ///   known; nil is those of the system.
    /// - Throws: ``Problem`` where the file has none.
    package init(authorities: String? = nil) throws(Problem) {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        tls.applicationProtocols = ["http/1.1"]
        do {
            if let authorities {
                tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authorities))
            }
            context = try NIOSSLContext(configuration: tls)
        } catch {
            let file = authorities.map { "'\($0)'" } ?? "the system"
            throw Problem(description: "\(file) has no certificates: \(error)")
        }
    }

    /// Sends a request; a task that is cancelled ends it.
    ///
    /// - Returns: nil where the push service was not reached, is at an address that is not public,
    ///   or did not answer in time.
    package func send(_ request: PushRequest) async -> PushAnswer? {
        guard let address = await Self.address(of: request.endpoint) else { return nil }
        let exchange = PushExchange(request)
        return await withTaskCancellationHandler {
            try? await answer(to: exchange, at: address)
        } onCancel: {
            exchange.cancel()
        }
    }

    private func answer(
        to exchange: PushExchange,
        at address: SocketAddress
    ) async throws -> PushAnswer {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let answered = loop.makePromise(of: PushAnswer.self)
        do {
            let channel = try await ClientBootstrap(group: loop)
                .connectTimeout(.seconds(Self.connectSeconds))
                .channelInitializer { [context] channel in
                    channel.eventLoop.makeCompletedFuture {
                        let request = exchange.request
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(
                            NIOSSLClientHandler(
                                context: context,
                                serverHostname: request.endpoint.host
                            )
                        )
                        try pipeline.addHTTPClientHandlers()
                        try pipeline.addHandler(PushAnswerReader(request, answered))
                    }
                }
                .connect(to: address)
                .get()
            exchange.begin(on: channel)
            let deadline = loop.scheduleTask(in: .seconds(Self.answerSeconds)) {
                channel.close(promise: nil)
            }
            defer { deadline.cancel() }
            return try await answered.futureResult.get()
        } catch {
            answered.fail(error)
            throw error
        }
    }

    /// Looks up an address of an endpoint's host; nil where it has none, or one that is not for
    /// push services.
    private static func address(of endpoint: PushEndpoint) async -> SocketAddress? {
        let found = try? await NIOThreadPool.singleton.runIfActive {
            try SocketAddress.makeAddressResolvingHost(endpoint.host, port: Int(endpoint.port))
        }
        guard let found, let address = NetworkAddress(bytes(of: found)) else { return nil }
        return (endpoint.isOnLoopback ? address.isLoopback : address.isPublic) ? found : nil
    }

    /// The bytes of an address without its port.
    private static func bytes(of address: SocketAddress) -> [UInt8] {
        let bytes = unsafe address.withSockAddr { start, count in
            unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
        }
        switch address.protocol {
        case .inet: return Array(bytes.dropFirst(4).prefix(4))
        case .inet6: return Array(bytes.dropFirst(8).prefix(16))
        default: return []
        }
    }
}

/// A request, which can be cancelled before and after there is a connection for it.
private final class PushExchange: Sendable {
    private struct State {
        var channel: (any Channel)?
        var isCancelled = false
    }

    let request: PushRequest
    private let state = Guarded(State())

    init(_ request: PushRequest) { self.request = request }

    func begin(on channel: any Channel) {
        let isCancelled = state.withLock { state in
            state.channel = channel
            return state.isCancelled
        }
        if isCancelled { channel.close(promise: nil) }
    }

    func cancel() {
        let channel = state.withLock { state in
            state.isCancelled = true
            return state.channel
        }
        channel?.close(promise: nil)
    }
}

/// Writes a request, takes the head of its answer, and closes the connection.
private final class PushAnswerReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias OutboundOut = HTTPClientRequestPart

    private let request: PushRequest
    private let answered: EventLoopPromise<PushAnswer>

    init(_ request: PushRequest, _ answered: EventLoopPromise<PushAnswer>) {
        self.request = request
        self.answered = answered
    }

    func channelActive(context: ChannelHandlerContext) {
        var head = HTTPRequestHead(version: .http1_1, method: .POST, uri: request.endpoint.target)
        head.headers.add(name: "Host", value: request.endpoint.authority)
        head.headers.add(name: "Content-Length", value: "\(request.body.count)")
        head.headers.add(name: "Connection", value: "close")
        for (name, value) in request.headers { head.headers.add(name: name, value: value) }
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        let body = context.channel.allocator.buffer(bytes: request.body)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // Nothing behind the head of an answer is needed.
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        answered.succeed(
            PushAnswer(
                status: Int(head.status.code),
                retryAfter: head.headers.first(name: "Retry-After")
            )
        )
        context.close(promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) {
        answered.fail(ChannelError.eof)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        answered.fail(error)
        context.close(promise: nil)
    }
}
