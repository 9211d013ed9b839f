internal import BelfryLMDB
internal import NotificationCore

/// An action that waits until its device is unlocked, as the `unlock_waits` table keeps it.
struct UnlockWaitRecord: Equatable {
    /// The action that the person chose.
    struct Action: Equatable {
        var identifier: String
        /// The text that was typed; nil where there is none.
        var text: String?
    }

    var center: UInt32
    /// When the act is dropped.
    var deadline: ElapsedInstant
    /// The notification's identifier.
    var identifier: String
    /// The number of the notification's delivery.
    var delivery: UInt64
    var action: Action

    private static let version: UInt8 = 1

    init(
        center: UInt32,
        deadline: ElapsedInstant,
        identifier: String,
        delivery: UInt64,
        action: Action
    ) {
        self.center = center
        self.deadline = deadline
        self.identifier = identifier
        self.delivery = delivery
        self.action = action
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 64)
        writer.put(center)
        writer.put(deadline.nanoseconds)
        writer.put(identifier)
        writer.put(delivery)
        writer.put(action.identifier)
        writer.put(action.text) { $0.put($1) }
        return writer.sealed()
    }

    init(_ bytes: [UInt8]) throws(LMDBError) {
        var reader = try ByteReader(row: bytes)
        _ = try reader.version(upTo: Self.version)
        center = try reader.number()
        deadline = ElapsedInstant(nanoseconds: try reader.number())
        identifier = try reader.text()
        delivery = try reader.number()
        action = Action(
            identifier: try reader.text(),
            text: try reader.optional { reader throws(LMDBError) in try reader.text() }
        )
        guard reader.isAtEnd else { throw ByteReader.corrupted }
    }
}
