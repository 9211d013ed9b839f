internal import BelfryGRPC
internal import BelfryLocking
internal import NotificationCore

/// How many places of something each of many has, such as connections of the writer's queue, so
/// that one does not keep the others out (QU-1).
///
/// gRPC holds a connection to its open calls, but a call that its client has cancelled keeps its
/// place until it is done. Any thread may call it.
final class Shares<Key: Hashable & Sendable>: Sendable {
    /// The places that one may have.
    let limit: Int
    private let taken = Guarded<[Key: Int]>([:])

    /// Makes shares of so many places each.
    init(limit: Int) {
        self.limit = max(1, limit)
    }

    /// Takes a place; false where this one has all that it may have.
    func take(_ key: Key) -> Bool {
        taken.withLock { taken in
            let count = taken[key, default: 0]
            guard count < limit else { return false }
            taken[key] = count + 1
            return true
        }
    }

    /// Gives a place back; that of a connection before the call is finished, whose identifier ends
    /// with it.
    func giveBack(_ key: Key) {
        taken.withLock { taken in
            guard let count = taken[key] else { return }
            taken[key] = count > 1 ? count - 1 : nil
        }
    }
}

/// Who has how many of the streams that the server has places for.
///
/// An eighth is a connection's at the most, a quarter an app's or a device's, three quarters a
/// peer's, however many connections it has: a peer is a user on the unix socket, or an address.
final class StreamShares: Sendable {
    fileprivate let connections: Shares<ConnectionIdentifier>
    fileprivate let peers: Shares<String>
    fileprivate let owners: Shares<String>
    private let refusal: @Sendable (_ who: String, _ limit: Int) -> Refusal

    /// The places that an app or a device may have.
    var ownerLimit: Int { owners.limit }

    /// - Parameters:
    ///   - places: All that there are.
    ///   - refusal: Says who has as many as it may have.
    init(places: Int, refusal: @escaping @Sendable (_ who: String, _ limit: Int) -> Refusal) {
        connections = Shares(limit: max(8, places / 8))
        owners = Shares(limit: max(8, places / 4))
        peers = Shares(limit: max(8, places / 4 * 3))
        self.refusal = refusal
    }

    /// Takes a place for a stream that is about an app or a device.
    ///
    /// - Returns: The place, which is the stream's for as long as somebody holds on to it.
    /// - Throws: Who has too many: the connection, the peer or the owner.
    func place(for stream: ServerStream, of owner: String) throws(Refusal) -> StreamPlace {
        let place = StreamPlace(self, stream, owner)
        guard place.takeConnection() else { throw refusal("the connection", connections.limit) }
        guard place.takePeer() else { throw refusal("the peer", peers.limit) }
        guard place.takeOwner() else { throw refusal(owner, owners.limit) }
        return place
    }
}

/// A stream's place, which comes back when it is let go.
final class StreamPlace: Sendable {
    private let shares: StreamShares
    private let connection: ConnectionIdentifier
    private let peer: String
    private let owner: String
    /// How many of the three it has: first the connection's, then the peer's, then the owner's.
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

    fileprivate func takePeer() -> Bool { note(shares.peers.take(peer)) }

    fileprivate func takeOwner() -> Bool { note(shares.owners.take(owner)) }

    private func note(_ isTaken: Bool) -> Bool {
        if isTaken { count.withLock { $0 += 1 } }
        return isTaken
    }
}

extension Peer {
    /// What the connections of one peer have in common: its user, or its address without the port.
    var host: String {
        if let uid { return "user \(uid)" }
        let host = address.utf8.lastIndex(of: UInt8(ascii: ":")).map { address[..<$0] }
        return host.map(String.init) ?? address
    }
}

extension Refusal {
    /// The connection has its share of the line: nothing happened, and a retry helps.
    static let connectionOverloaded = Refusal(
        .resourceExhausted,
        reason: "OVERLOADED",
        message: """
            the connection has more commands waiting than the server takes of one: retry after the \
            delay
            """,
        retryAfterNanoseconds: 50_000_000
    )

    /// Somebody has its share of the files on their way: a retry helps.
    static func transferShare(_ who: String, _ limit: Int) -> Refusal {
        Refusal(
            .resourceExhausted,
            reason: "OVERLOADED",
            message: """
                \(who) has \(limit) files on their way, as many as the server takes of one: retry \
                after the delay
                """,
            retryAfterNanoseconds: 1_000_000_000
        )
    }

    /// Somebody has its share of the subscriptions.
    static func subscriptionShare(_ who: String, _ limit: Int) -> Refusal {
        Refusal(
            .resourceExhausted,
            reason: "SUBSCRIPTION_LIMIT",
            message: "\(who) has \(limit) subscriptions, as many as one may have",
            metadata: ["limit": "\(limit)"]
        )
    }
}
