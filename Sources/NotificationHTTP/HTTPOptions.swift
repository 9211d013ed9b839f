/// Where an ``HTTPServer`` listens, whom it lets in, and its limits.
package struct HTTPOptions: Sendable {
    package struct Address: Sendable, Equatable {
        /// A name or a number of this machine, such as `127.0.0.1`.
        package var host: String
        /// The port; 0 takes a free one.
        package var port: UInt16
        /// Whether clients have to speak TLS, with the keys of the options.
        package var isEncrypted: Bool

        package init(host: String, port: UInt16, isEncrypted: Bool) {
            self.host = host
            self.port = port
            self.isEncrypted = isEncrypted
        }
    }

    package var addresses: [Address]
    /// The key and the certificates of encrypted addresses.
    package var keys: HTTPKeys?
    /// The origins whose pages may call, such as `https://app.example.org`, beside programs that
    /// send no origin.
    package var allowedOrigins: [String] = []
    /// The hosts that a request may name, beside those that stand for this machine.
    package var allowedHosts: [String] = []
    /// The zone of the local times that a publication names, by its name in the zone database.
    package var timeZone = "UTC"
    /// The largest request body, in bytes.
    package var maximumReceiveBytes = 1 << 20
    /// The connections that are open at a time; a further one is closed at once.
    ///
    /// One address may hold at most as many as it leaves free for other addresses.
    package var connectionLimit = 2_048
    /// The seconds that the head and the body of a request may take to arrive.
    package var receiveSeconds: Int64 = 30
    /// The seconds that a client may take to read an answer.
    package var sendSeconds: Int64 = 60
    /// The seconds after which a connection without a request is closed.
    package var idleSeconds: Int64 = 60
    /// The seconds after which a probe is told that the store takes no writes.
    package var readySeconds: Int64 = 5
    /// The seconds of silence after which an event stream says that it is alive.
    package var keepAliveSeconds: Int64 = 15

    package init(addresses: [Address]) { self.addresses = addresses }
}
