internal import BelfryGRPC
internal import BelfryLocking
internal import Faults
internal import NotificationCore

/// Counts the places that each owner has taken, such as a connection's places in the writer's
/// queue, so that no owner takes all places (QU-1).
///
/// gRPC limits the open calls of a connection, but a cancelled call leaves that limit at once and
/// keeps its place here until it is answered. The shares are safe on any thread.
final class Shares<Key: Hashable & Sendable>: Sendable {
    /// The largest number of places of one owner.
    let limit: Int
    private let taken = Guarded<[Key: Int]>([:])

    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Takes a place for the owner `key`; false when the owner has `limit` places already.
    func take(_ key: Key) -> Bool {
        taken.withLock { taken in
            let count = taken[key, default: 0]
            guard count < limit else { return false }
            taken[key] = count + 1
            return true
        }
    }

    /// Gives a place of the owner `key` back.
    ///
    /// For a connection this is done before the call is finished, since the connection's identifier
    /// is valid only until then.
    func giveBack(_ key: Key) {
        taken.withLock { taken in
            guard let count = taken[key] else { return }
            taken[key] = count > 1 ? count - 1 : nil
        }
    }
}

/// Divides the server's places for streams among connections, peers and owners.
///
/// A connection may have an eighth of the places, an owner (an app or a device) a quarter, and a
/// peer three quarters over all of its connections. A peer is a user on the unix socket, or an
/// address.
final class StreamShares: Sendable {
    fileprivate let connections: Shares<ConnectionIdentifier>
    fileprivate let peers: Shares<String>
    fileprivate let owners: Shares<String>
    private let refusal: @Sendable (_ who: String, _ limit: Int) -> Refusal

    /// The largest number of places of an app or a device.
    var ownerLimit: Int { owners.limit }

    /// Makes shares of so many places.
    ///
    /// - Parameters:
    ///   - places: The number of all places.
    ///   - refusal: Makes the refusal for the connection, the peer or the owner that has no place
    ///     left.
    init(places: Int, refusal: @escaping @Sendable (_ who: String, _ limit: Int) -> Refusal) {
        connections = Shares(limit: max(8, places / 8))
        owners = Shares(limit: max(8, places / 4))
        peers = Shares(limit: max(8, places / 4 * 3))
        self.refusal = refusal
    }

    /// Takes a place for a stream of an app or a device.
    ///
    /// - Returns: The place, which is taken until the returned object is released.
    /// - Throws: The refusal that names the connection, the peer or the owner that has too many
    ///   streams.
    func place(for stream: ServerStream, of owner: String) throws(Refusal) -> StreamPlace {
        let place = StreamPlace(self, stream, owner)
        guard place.takeConnection() else { throw refusal("the connection", connections.limit) }
        guard place.takePeer() else { throw refusal("the peer", peers.limit) }
        guard place.takeOwner() else { throw refusal(owner, owners.limit) }
        return place
    }
}

/// A stream's place, which is given back when this object is released.
final class StreamPlace: Sendable {
    private let shares: StreamShares
    private let connection: ConnectionIdentifier
    private let peer: String
    private let owner: String
    /// How many of the three shares were taken: first the connection's, then the peer's, then the
    /// owner's.
    private let count = Guarded(0)

    fileprivate init(_ shares: StreamShares, _ stream: ServerStream, _ owner: String) {
        self.shares = shares
        connection = stream.connection
        peer = stream.peer.host
        self.owner = owner
    }

    deinit {
        let count = count.withLock { $0 }
        if count > 0 { shares.connections.giveBack(connection) }
        if count > 1 { shares.peers.giveBack(peer) }
        if count > 2 { shares.owners.giveBack(owner) }
    }

    fileprivate func takeConnection() -> Bool { note(shares.connections.take(connection)) }

    fileprivate func takePeer() -> Bool {
        note(Fault.peerShareIgnored.isPlanted || shares.peers.take(peer))
    }

    fileprivate func takeOwner() -> Bool { note(shares.owners.take(owner)) }

    private func note(_ isTaken: Bool) -> Bool {
        if isTaken { count.withLock { $0 += 1 } }
        return isTaken
    }
}

extension Peer {
    /// The name that all connections of a peer share: its user, or its address without the port.
    var host: String {
        if let uid { return "user \(uid)" }
        let host = address.utf8.lastIndex(of: UInt8(ascii: ":")).map { address[..<$0] }
        return host.map(String.init) ?? address
    }
}

extension Refusal {
    /// The connection has no place left in the writer's queue.
    ///
    /// Nothing was changed, and a retry helps.
    static let connectionOverloaded = Refusal(
        .resourceExhausted,
        reason: .overloaded,
        message: """
            the connection has more commands waiting than the server takes of one: retry after the \
            delay
            """,
        retryAfterNanoseconds: 50_000_000
    )

    /// `who` has too many uploads and downloads; a retry helps.
    static func transferShare(_ who: String, _ limit: Int) -> Refusal {
        Refusal(
            .resourceExhausted,
            reason: .overloaded,
            message: """
                \(who) has \(limit) files on their way, as many as the server takes of one: retry \
                after the delay
                """,
            retryAfterNanoseconds: 1_000_000_000
        )
    }

    static func scheduleShare(_ who: String, _ limit: Int) -> Refusal {
        Refusal(
            .resourceExhausted,
            reason: .overloaded,
            message: """
                \(who) has \(limit) streams of adds, as many as the server takes of one: retry \
                after the delay
                """,
            retryAfterNanoseconds: 1_000_000_000
        )
    }

    /// `who` has too many subscriptions or watches.
    static func subscriptionShare(_ who: String, _ limit: Int) -> Refusal {
        Refusal(
            .resourceExhausted,
            reason: .subscriptionLimit,
            message: "\(who) has \(limit) subscriptions, as many as one may have",
            facts: [.limit: "\(limit)"]
        )
    }
}
