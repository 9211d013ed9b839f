internal import CBelfryGRPC

extension Server {
    /// How a server listens, and its limits.
    ///
    /// The defaults suit a sidecar of one machine.
    public struct Options: Sendable {
        /// How connections are found to be dead, and how often a client may ping.
        public struct Keepalive: Sendable {
            /// How long a connection may be silent before it is pinged; zero is never.
            public var time: Duration = .seconds(60)
            /// How long a ping may go unanswered before the connection is closed.
            public var timeout: Duration = .seconds(20)
            /// The shortest time between a client's pings; one that pings faster is sent away.
            public var minimumPingInterval: Duration = .seconds(10)
        }

        /// Where to listen.
        ///
        /// At least one.
        public var listeners: [Listener]
        /// Completion queues, each with a thread.
        ///
        /// More than one helps only where clients and the server do not share cores.
        public var pollingThreads = 1
        /// The largest request message; a larger one is answered with RESOURCE_EXHAUSTED.
        public var maximumReceiveBytes = 1 << 20
        /// The largest reply or stream message; a larger one ends its call with RESOURCE_EXHAUSTED.
        public var maximumSendBytes = 4 << 20
        /// Open connections to each listener; one more is closed at once.
        ///
        /// One address has at most as many as it leaves free to others, so half of them if it is
        /// alone, and all listeners together leave some descriptors to files.
        public var connectionLimit = 4096
        /// Open calls on one connection; further ones wait at the client.
        public var callsPerConnectionLimit = 1024
        /// What gRPC may buffer for all connections together.
        public var memoryLimitBytes = 128 << 20
        /// How connections are found to be dead, and how often a client may ping.
        public var keepalive = Keepalive()
        /// How old a connection may grow before its client is asked to make a new one; zero is for
        /// ever, as suits a unix socket.
        public var connectionAge: Duration = .zero
        /// How long the calls of a connection that grew too old may go on.
        public var connectionAgeGrace: Duration = .seconds(30)
        /// How long a connection may be without calls; zero is for ever.
        public var connectionIdleTime: Duration = .zero

        /// Creates options with the defaults.
        public init(listeners: [Listener]) {
            self.listeners = listeners
        }
    }
}

extension Server.Options {
    /// Calls that gRPC may take ahead for each polling thread: enough for a burst of small calls
    /// between two looks at the queue, and beyond it they wait inside gRPC.
    private static let outstandingRequests: Int32 = 256

    /// The options as the shim takes them.
    var cOptions: cgrpc_server_options {
        cgrpc_server_options(
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
            connection_age: connectionAge.wholeMilliseconds,
            connection_age_grace: connectionAgeGrace.wholeMilliseconds,
            connection_idle: connectionIdleTime.wholeMilliseconds
        )
    }
}

extension Duration {
    /// The whole milliseconds, or the nearest that an `Int32` holds.
    fileprivate var wholeMilliseconds: Int32 { Int32(clamping: wholeNanoseconds / 1_000_000) }
}
