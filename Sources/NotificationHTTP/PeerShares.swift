internal import BelfryLocking
internal import Faults
internal import Glibc
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOHTTP1

/// The open connections of all listeners, of which each address has a share: at most as many as it
/// leaves free for other addresses, as on gRPC's listeners.
final class PeerShares: Sendable {
    private struct State {
        var count = 0
        /// How many connections each address has.
        ///
        /// Bounded: addresses of open connections, which are limited.
        var peers: [UInt64: Int] = [:]
    }

    private let limit: Int
    private let state = Guarded(State())

    init(limit: Int) { self.limit = limit }

    /// The number of open connections.
    var count: Int { state.withLock { $0.count } }

    /// Takes a place for a connection, until it is closed.
    ///
    /// - Returns: Whether the connection's address has a place left.
    func take(for channel: any NIOCore.Channel) -> Bool {
        let peer = Self.peer(of: channel.remoteAddress)
        let isTaken = state.withLock { state in
            let ofPeer = Fault.httpAddressTakesAll.isPlanted ? 0 : state.peers[peer] ?? 0
            guard ofPeer < limit - state.count else { return false }
            state.count += 1
            state.peers[peer] = ofPeer + 1
            return true
        }
        guard isTaken else { return false }
        channel.closeFuture.whenComplete { [self] _ in
            state.withLock { state in
                let ofPeer = state.peers[peer] ?? 1
                state.count -= 1
                state.peers[peer] = ofPeer > 1 ? ofPeer - 1 : nil
            }
        }
        return true
    }

    /// The number that all connections of one machine share: its IPv4 address, or the network part
    /// of its IPv6 address, because one machine may have any number of addresses in its network.
    private static func peer(of address: SocketAddress?) -> UInt64 {
        let bytes = unsafe address?.withSockAddr { start, count in
            unsafe [UInt8](UnsafeRawBufferPointer(start: start, count: count))
        }
        // Skip the family and the port before the address, and in IPv6 the label of the flow, too.
        let part: ArraySlice<UInt8>
        switch (address?.protocol, bytes) {
        case (.inet, let bytes?): part = bytes[4..<8]
        case (.inet6, let bytes?):
            let isMapped = bytes[8..<20] == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff]
            part = isMapped ? bytes[20..<24] : bytes[8..<16]
        default: part = []
        }
        return part.reduce(0) { $0 << 8 | UInt64($1) }
    }
}

/// HTTP/1.1 on the connections that have a place, within TLS where there are keys; the others are
/// closed at once.
struct SharedChannel: ServerChildChannel {
    /// A connection's address has too many.
    private struct NoPlace: Error {}

    let http: HTTP1Channel
    let shares: PeerShares
    let keys: HTTPKeys?

    /// The bytes that are read at a time: all requests in them are held until their turn comes, and
    /// take far more memory.
    private static let readByteCount = 4_096
    /// The bytes that the system takes of a client beside those on their way to it: for a client
    /// that does not read, it would keep megabytes.
    private static let unsentByteCount = 16 << 10

    func setup(
        channel: any NIOCore.Channel,
        logger: Logger
    ) -> EventLoopFuture<HTTP1Channel.Value> {
        guard shares.take(for: channel) else {
            channel.close(promise: nil)
            return channel.eventLoop.makeFailedFuture(NoPlace())
        }
        do {
            let allocator = FixedSizeRecvByteBufferAllocator(capacity: Self.readByteCount)
            try channel.syncOptions?.setOption(.recvAllocator, value: allocator)
            try channel.syncOptions?.setOption(.maxMessagesPerRead, value: 1)
            let unsent = ChannelOptions.tcpOption(.init(rawValue: TCP_NOTSENT_LOWAT))
            try channel.syncOptions?.setOption(unsent, value: Self.unsentByteCount)
            if let keys { try channel.pipeline.syncOperations.addHandler(keys.handler()) }
        } catch {
            return channel.eventLoop.makeFailedFuture(error)
        }
        return http.setup(channel: channel, logger: logger).flatMapThrowing { made in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.context(
                handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self
            )
            try pipeline.addHandler(TargetForm(), position: .after(decoder.handler))
            return made
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async {
        await http.handle(value: value, logger: logger)
    }
}
