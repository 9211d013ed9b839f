internal import GRPC
internal import Locking
internal import NotificationCore

/// How many places of something each connection has, such as of the writer's queue: an eighth at
/// the most, so that one client does not keep the others out (design.md 4).
///
/// gRPC holds a connection to its open calls, but a call that its client has cancelled keeps its
/// place until it is done. Any thread may call it.
final class ConnectionShares: Sendable {
    private let share: Int
    private let taken = Guarded<[ConnectionIdentifier: Int]>([:])

    /// - Parameter places: All that there are.
    init(places: Int) {
        share = max(1, places / 8)
    }

    /// Takes a place; false where the connection has all that one may have.
    func take(_ connection: ConnectionIdentifier) -> Bool {
        taken.withLock { taken in
            let count = taken[connection, default: 0]
            guard count < share else { return false }
            taken[connection] = count + 1
            return true
        }
    }

    /// Gives a place back, before the call is finished: its connection's identifier ends with it.
    func giveBack(_ connection: ConnectionIdentifier) {
        taken.withLock { taken in
            guard let count = taken[connection] else { return }
            taken[connection] = count > 1 ? count - 1 : nil
        }
    }
}

/// A place that a connection has for as long as somebody holds on to it.
final class ConnectionPlace: Sendable {
    private let shares: ConnectionShares
    private let connection: ConnectionIdentifier

    /// Takes a place; nil where the connection has all that one may have.
    init?(of connection: ConnectionIdentifier, in shares: ConnectionShares) {
        guard shares.take(connection) else { return nil }
        self.shares = shares
        self.connection = connection
    }

    deinit { shares.giveBack(connection) }
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
}
