internal import CBelfryGRPC

extension Server {
    /// The listeners of a server, and its limits.
    ///
    /// The defaults suit a server for one machine.
    package struct Options: Sendable {
        /// The pings of a server that find dead connections, and the pace of a client's pings.
        package struct Keepalive: Sendable {
            /// How long a connection may be silent before the server pings it; zero means no pings.
            package var time: Duration = .seconds(60)
            /// How long the server waits for the answer to a ping before it closes the connection.
            package var timeout: Duration = .seconds(20)
            /// The shortest time between a client's pings; the connection of a client that pings
            /// faster is closed.
            package var minimumPingInterval: Duration = .seconds(10)
        }

        /// The addresses, of which at least one is needed.
        package var listeners: [Listener]
        /// The files of the listeners with TLS; they need them.
        package var keys: KeyFiles?
        /// The users that may connect to the unix sockets that the server makes.
        package var socketAccess = SocketAccess()
        /// The number of completion queues, each with a thread.
        ///
        /// A second queue helps only when the clients and the server do not share cores.
        package var pollingThreads = 1
        /// The size of the largest request message; a larger message is refused with
        /// RESOURCE_EXHAUSTED.
        package var maximumReceiveBytes = 1 << 20
        /// The size of the largest message that a call sends; a larger message ends the call with
        /// RESOURCE_EXHAUSTED.
        package var maximumSendBytes = 4 << 20
        /// The largest number of open connections of each listener; a further connection is closed
        /// at once.
        ///
        /// One address may hold at most as many connections as it leaves free for other addresses,
        /// so half of the limit if it is the only address. All listeners together leave some
        /// descriptors for files.
        package var connectionLimit = 4096
        /// The largest number of open calls on one connection; further calls wait at the client.
        package var callsPerConnectionLimit = 1024
        /// The memory that gRPC may use for all connections together.
        package var memoryLimitBytes = 128 << 20
        package var keepalive = Keepalive()

        /// The files of a server's TLS, in PEM, which are read again when they change.
        package struct KeyFiles: Sendable {
            /// The path of a file with a private key and its certificates, the server's own first.
            ///
            /// A file that does not fit together ends new handshakes: it has to be checked before.
            package var pair: String
            /// The path of a file with the certificates of the authorities that sign those of
            /// clients; nil where no client is asked for one.
            package var clientRoots: String?

            /// Names the files.
            package init(pair: String, clientRoots: String? = nil) {
                self.pair = pair
                self.clientRoots = clientRoots
            }
        }

        var usesTLS: Bool {
            listeners.contains { if case .tls = $0 { true } else { false } }
        }

        package init(listeners: [Listener]) {
            self.listeners = listeners
        }
    }
}

extension Server.Options {
    /// The calls that gRPC may accept ahead for each polling thread.
    ///
    /// It is enough for a burst of small calls between two reads of the queue; further calls wait
    /// inside gRPC.
    private static let outstandingRequests: Int32 = 256

    /// Lends the options as the shim takes them.
    func withCOptions<Result>(_ body: (inout cgrpc_server_options) -> Result) -> Result {
        unsafe withCText(keys?.pair) { pair in
            unsafe withCText(keys?.clientRoots) { roots in
                var options = unsafe cOptions(pair, roots)
                return unsafe body(&options)
            }
        }
    }

    private func cOptions(
        _ pair: UnsafePointer<CChar>?,
        _ roots: UnsafePointer<CChar>?
    ) -> cgrpc_server_options {
        unsafe cgrpc_server_options(
            polling_threads: Int32(clamping: max(pollingThreads, 1)),
            outstanding_requests: Self.outstandingRequests,
            maximum_receive_bytes: Int32(clamping: maximumReceiveBytes),
            maximum_send_bytes: Int32(clamping: maximumSendBytes),
            maximum_streams: Int32(clamping: callsPerConnectionLimit),
            maximum_connections: Int32(clamping: connectionLimit),
            memory_bytes: Int64(memoryLimitBytes),
            keepalive_time: keepalive.time.wholeMilliseconds,
            keepalive_timeout: keepalive.timeout.wholeMilliseconds,
            minimum_ping_interval: keepalive.minimumPingInterval.wholeMilliseconds,
            key_pair: pair,
            client_roots: roots
        )
    }
}

extension Duration {
    /// The whole milliseconds, or the nearest that an `Int32` holds.
    fileprivate var wholeMilliseconds: Int32 { Int32(clamping: wholeNanoseconds / 1_000_000) }
}
