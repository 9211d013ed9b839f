package import BelfryGRPC
internal import BelfryLocking
internal import Glibc
internal import HTTPTypes
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOPosix
package import NotificationProtocol

/// A server of HTTP/1.1 that calls the same handlers as gRPC, with the same roles.
///
/// It listens when it is made, and answers until it is stopped or released.
package final class HTTPServer: Sendable {
    /// Why a server could not be made.
    package struct Problem: Error, CustomStringConvertible {
        package let description: String
    }

    private typealias Listening = HummingbirdCore.Server<SharedChannel>

    private struct Running {
        let group: MultiThreadedEventLoopGroup
        let listening: [Listening]
        let tasks: [Task<Void, any Error>]

        /// How long the listeners have to end, once they are told to.
        private static let bound = Duration.seconds(5)

        /// Ends the listeners, and then the threads on which they work: what a listener does on a
        /// thread that has ended is lost, and will end the program in later versions of SwiftNIO.
        func end() async {
            let (ended, tell) = AsyncStream<Never>.makeStream()
            for task in tasks { task.cancel() }
            let wait = Task {
                for task in tasks { _ = await task.result }
                tell.finish()
            }
            let timer = Task {
                try await Task.sleep(for: Self.bound)
                tell.finish()
            }
            for await _ in ended {}
            wait.cancel()
            timer.cancel()
            try? await group.shutdownGracefully()
        }
    }

    private let streams = OpenStreams()
    private let connections: PeerShares
    private let running: Guarded<Running?>

    /// The addresses in the order of the options, with their real ports.
    package let addresses: [HTTPOptions.Address]

    /// Listens and answers.
    ///
    /// `options` says where to listen, and whom to let in, and has the limits. `isReady` says
    /// whether the store takes writes, for probes. `conditions` is what keeps the server from some
    /// of its work, for probes. `redeem` gives the token for which a code stands, with which a
    /// person signs a browser in, once; nil where the code is none.
    ///
    /// - Throws: ``Problem`` for the first address that cannot be listened on.
    package init(
        router: Router,
        options: HTTPOptions,
        isReady: @escaping @Sendable () async -> Bool,
        conditions: @escaping @Sendable () -> [Belfry_V1_Condition],
        redeem: @escaping @Sendable (String) -> String?
    ) async throws(Problem) {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let responder = Responder(
            gate: CallGate(router),
            rules: OriginRules(options),
            options: options,
            streams: streams,
            isReady: isReady,
            conditions: conditions,
            redeem: redeem
        )
        connections = PeerShares(limit: options.connectionLimit)
        var bound: [HTTPOptions.Address] = []
        var listening: [Listening] = []
        var tasks: [Task<Void, any Error>] = []
        for address in options.addresses {
            precondition(
                !address.isEncrypted || options.keys != nil,
                "an encrypted address needs keys"
            )
            let (ports, tell) = AsyncStream<Int>.makeStream()
            let server = Listening(
                childChannelSetup: SharedChannel(
                    http: Self.channel(responder, options, isEncrypted: address.isEncrypted),
                    shares: connections,
                    keys: address.isEncrypted ? options.keys : nil
                ),
                configuration: ServerConfiguration(
                    address: .hostname(address.host, port: Int(address.port))
                ),
                onServerRunning: { channel in tell.yield(channel.localAddress?.port ?? 0) },
                eventLoopGroup: group,
                logger: Logger(label: "belfry.http") { _ in SwiftLogNoOpLogHandler() }
            )
            let task = Task {
                defer { tell.finish() }
                try await server.run()
            }
            listening.append(server)
            tasks.append(task)
            var iterator = ports.makeAsyncIterator()
            guard let port = await iterator.next().flatMap({ UInt16(exactly: $0) }) else {
                let reason = await task.result.reason
                await Running(group: group, listening: listening, tasks: tasks).end()
                throw Problem(
                    description: """
                        cannot listen for HTTP on \(address.host):\(address.port): \(reason)
                        """
                )
            }
            var taken = address
            taken.port = port
            bound.append(taken)
        }
        addresses = bound
        running = Guarded(Running(group: group, listening: listening, tasks: tasks))
    }

    /// The number of clients' open connections.
    package var connectionCount: Int { connections.count }

    deinit {
        guard let left = running.withLock({ $0.take() }) else { return }
        Task { await left.end() }
    }

    /// Stops listening, ends the streams with UNAVAILABLE, waits at most `bound` for the calls that
    /// are open, and closes the connections.
    ///
    /// A second call does nothing.
    package func stop(within bound: Duration) async {
        guard let stopping = running.withLock({ $0.take() }) else { return }
        streams.endAll(Status(code: .unavailable, message: "the server is stopping"))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: bound) }
            group.addTask {
                for server in stopping.listening { try? await server.shutdownGracefully() }
            }
            await group.next()
            group.cancelAll()
            for task in stopping.tasks { task.cancel() }
        }
        await stopping.end()
    }

    private static func channel(
        _ responder: Responder,
        _ options: HTTPOptions,
        isEncrypted: Bool
    ) -> HTTP1Channel {
        var decoder = HTTP1Channel.Configuration.DecoderConfiguration()
        decoder.maxHeaderFieldSize = 16 << 10
        decoder.maxHeaderListSize = 32 << 10
        decoder.maxHeaderFieldCount = 100
        return HTTP1Channel(
            responder: { request, writer, channel in
                try await responder.respond(request, writer, channel, isEncrypted: isEncrypted)
            },
            configuration: HTTP1Channel.Configuration(
                idleTimeout: .seconds(options.idleSeconds),
                httpDecoderConfiguration: decoder
            )
        )
    }
}

extension Result where Success == Void, Failure == any Error {
    /// Why a listener ended, in one line.
    fileprivate var reason: String {
        switch self {
        case .success: "it ended"
        case .failure(let error as IOError) where error.errnoCode == EADDRINUSE:
            "another server is listening there"
        case .failure(let error as IOError) where error.errnoCode == EACCES:
            "this user may not listen there"
        case .failure(let error): "\(error)".split(separator: "\n").first.map(String.init) ?? ""
        }
    }
}
