package import NotificationCore

/// The owner of a turn where callers are served by turns, such as in the writer's queue (QU-1).
package enum TurnOwner: Hashable, Sendable {
    /// A caller whose rights are limited, with all its connections and apps.
    case registrant(Registrant)
    /// An app, for a command of a caller that may make every call: most programs of one user are
    /// such callers.
    case center(CenterName)
    /// A connection of such a caller, for what is about no app.
    case connection(UInt)
    case server
}

/// The origin of the commands that a thread submits.
package struct CommandSource: Sendable {
    /// The caller; nil for one that may make every call.
    package var registrant: Registrant?
    package var connection: UInt
    /// Bytes of the request: reading them is a part of the cost of a command.
    package var byteCount: Int

    /// The source of the commands that this thread submits now; nil is the server itself.
    ///
    /// A value of the thread and not a parameter of each command: no command knows its caller.
    @TaskLocal package static var current: CommandSource?

    package init(registrant: Registrant?, connection: UInt, byteCount: Int) {
        self.registrant = registrant
        self.connection = connection
        self.byteCount = byteCount
    }

    /// The bytes of a request that cost as much as a row.
    private static let bytesPerRow = 1_024

    /// The rows that reading the request is worth.
    var cost: Int { byteCount / Self.bytesPerRow }

    /// The owner of a command's turn.
    static func caller(of owner: CenterName?) -> TurnOwner {
        if let registrant = current?.registrant { return .registrant(registrant) }
        if let owner { return .center(owner) }
        return current.map { .connection($0.connection) } ?? .server
    }
}
