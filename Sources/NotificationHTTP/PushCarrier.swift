internal import AsyncHTTPClient
internal import BelfryLocking
package import BelfryWebPush
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

/// Carries requests to push services, over TLS and without redirects.
///
/// The address that a host has is looked up and checked here, and that address is connected to:
/// neither a name that changes meanwhile nor a redirect leads to another.
package final class PushCarrier: Sendable {
    /// Why the certificates of ``init(authorities:)`` cannot be used.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    /// The client of a host at one of its addresses, which keeps its connections for a while.
    private struct Route {
        let address: String
        let client: HTTPClient
    }

    private struct State {
        /// By the host.
        ///
        /// Bounded: ``routeLimit``.
        var routes: [String: Route] = [:]
        var isStopped = false
    }

    private static let routeLimit = 32
    private static let connectSeconds: Int64 = 10
    private static let answerSeconds: Int64 = 20

    private let configuration: HTTPClient.Configuration
    private let state = Guarded(State())

    /// Makes a carrier.
    ///
    /// - Parameter authorities: A file with the certificates, as PEM, by which push services are
    ///   known; nil is those of the system.
    /// - Throws: ``Problem`` where the file has none.
    package init(authorities: String? = nil) throws(Problem) {
        var tls = TLSConfiguration.makeClientConfiguration()
        if let authorities {
            do {
                tls.trustRoots = .certificates(try NIOSSLCertificate.fromPEMFile(authorities))
            } catch {
                throw Problem(description: "'\(authorities)' has no certificates: \(error)")
            }
        }
        var configuration = HTTPClient.Configuration(
            tlsConfiguration: tls,
            redirectConfiguration: .disallow,
            timeout: .init(connect: .seconds(Self.connectSeconds)),
            connectionPool: .init(
                idleTimeout: .seconds(30),
                concurrentHTTP1ConnectionsPerHostSoftLimit: 4
            )
        )
        configuration.connectionPool.retryConnectionEstablishment = false
        self.configuration = configuration
    }

    /// Sends a request.
    ///
    /// - Returns: nil where the push service was not reached, is at an address that is not public,
    ///   or did not answer in time.
    package func send(_ request: PushRequest) async -> PushAnswer? {
        let endpoint = request.endpoint
        guard let address = await Self.address(of: endpoint),
            let client = client(of: endpoint.host, at: address)
        else { return nil }
        var post = HTTPClientRequest(url: endpoint.text)
        post.method = .POST
        for (name, value) in request.headers { post.headers.add(name: name, value: value) }
        post.body = .bytes(ByteBuffer(bytes: request.body))
        let deadline = NIODeadline.now() + .seconds(Self.answerSeconds)
        guard let response = try? await client.execute(post, deadline: deadline) else {
            return nil
        }
        return PushAnswer(
            status: Int(response.status.code),
            retryAfter: response.headers.first(name: "Retry-After")
        )
    }

    /// Ends the requests that are open; later ones are not sent.
    package func stop() {
        let clients = state.withLock { state in
            state.isStopped = true
            defer { state.routes = [:] }
            return state.routes.values.map(\.client)
        }
        for client in clients { client.shutdown { _ in } }
    }

    deinit { stop() }

    /// The client of a host; nil once stopped.
    private func client(of host: String, at address: String) -> HTTPClient? {
        let (client, old) = state.withLock { state -> (HTTPClient?, HTTPClient?) in
            guard !state.isStopped else { return (nil, nil) }
            let known = state.routes[host]
            if let known, known.address == address { return (known.client, nil) }
            var old = known?.client
            if known == nil, state.routes.count >= Self.routeLimit, let other = state.routes.first {
                old = other.value.client
                state.routes[other.key] = nil
            }
            var configuration = configuration
            configuration.dnsOverride = [host: address]
            let made = HTTPClient(
                eventLoopGroupProvider: .singleton,
                configuration: configuration
            )
            state.routes[host] = Route(address: address, client: made)
            return (made, old)
        }
        old?.shutdown { _ in }
        return client
    }

    /// Looks up an address of an endpoint's host, as text; nil where it has none, or one that is
    /// not for push services.
    private static func address(of endpoint: PushEndpoint) async -> String? {
        let found = try? await NIOThreadPool.singleton.runIfActive {
            try SocketAddress.makeAddressResolvingHost(endpoint.host, port: Int(endpoint.port))
        }
        guard let found, let address = NetworkAddress(bytes(of: found)) else { return nil }
        let isAllowed = endpoint.isOnLoopback ? address.isLoopback : address.isPublic
        return isAllowed ? found.ipAddress : nil
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
