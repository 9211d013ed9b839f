package import NotificationCore

/// A push to many devices as the `tag_pushes` table keeps it, by app and number.
package struct TagPushRecord: SealedRow, Equatable {
    /// How far a push is; the numbers are stored.
    package enum State: UInt8, Sendable, CaseIterable {
        /// The instant for which it was scheduled has not come.
        case waiting = 1
        /// It goes on behind ``TagPushRecord/cursor``.
        case running = 2
        /// It has reached all.
        case complete = 3
        /// It was cancelled before it had reached all.
        case cancelled = 4

        /// Whether nothing more comes.
        package var isEnded: Bool { self == .complete || self == .cancelled }
    }

    package var state: State
    /// When it was taken.
    package var createdAt: WallInstant
    /// The instant for which it was scheduled; nil is at once.
    package var deliverAt: WallInstant?
    /// When it began; a device that registered later is not reached.
    package var beganAt: WallInstant?
    /// When it had reached all, or was cancelled.
    package var endedAt: WallInstant?
    /// To whom it goes, as the caller wrote it.
    package var expression: String
    /// The tag or device that each addressee has, found when the push began; nil where any device
    /// may be one.
    package var anchor: [TagExpression.Step]?
    /// The pushed content; nil once the push has ended.
    package var content: TagPushContent?
    /// The last device that was looked at; empty before the first.
    package var cursor = ""
    package var counts = [UInt64](repeating: 0, count: PushOutcome.allCases.count)
    /// When its row in the index of work is due; nil while it waits for its instant.
    package var workAt: ElapsedInstant?
    /// The rich push that it announces.
    package var richPush: RichPushNumber?

    package init(_ content: TagPushContent, to expression: String, createdAt: WallInstant) {
        state = .waiting
        self.createdAt = createdAt
        self.expression = expression
        self.content = content
    }

    /// How many devices it has reached: the number of its last outcome.
    package var deviceCount: UInt64 { counts.reduce(0, &+) }

    package var expectedByteCount: Int { 256 }

    package func write(to writer: inout ByteWriter) {
        writer.put(state.rawValue)
        createdAt.write(to: &writer)
        for instant in [deliverAt, beganAt, endedAt] { instant.write(to: &writer) }
        writer.put(expression)
        anchor.write(to: &writer)
        content.write(to: &writer)
        writer.put(cursor)
        for count in counts { writer.putVarint(count) }
        workAt.write(to: &writer)
        richPush.write(to: &writer)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        state = try reader.choice()
        createdAt = try reader.value()
        deliverAt = try reader.value()
        beganAt = try reader.value()
        endedAt = try reader.value()
        expression = try reader.text()
        anchor = try reader.value()
        content = try reader.value()
        cursor = try reader.text()
        for index in counts.indices { counts[index] = try reader.varint() }
        workAt = try reader.value()
        richPush = try reader.value()
    }
}

extension TagExpression.Step: Coded {
    /// Writes a tag or a device, which alone are in an anchor.
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .tag(let tag):
            writer.put(1 as UInt8)
            writer.put(tag)
        case .device(let device):
            writer.put(2 as UInt8)
            writer.put(device)
        case .not, .and, .or: preconditionFailure("an anchor has no operators")
        }
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        switch try reader.number() as UInt8 {
        case 1: self = .tag(try reader.text())
        case 2: self = .device(try reader.text())
        default: throw .undecodable
        }
    }
}

/// The outcome of a push to many on one device, as the `tag_push_outcomes` table keeps it.
package struct TagPushOutcomeRecord: SealedRow, Equatable {
    package var device: String
    /// The identifier of the push on this device: a UUID's sixteen bytes.
    package var apnsIdentifier: [UInt8]
    package var outcome: PushOutcome
    /// Why it was refused, by the reason's name; else empty.
    package var reason: String

    package init(
        device: String,
        apnsIdentifier: [UInt8],
        outcome: PushOutcome,
        reason: String = ""
    ) {
        self.device = device
        self.apnsIdentifier = apnsIdentifier
        self.outcome = outcome
        self.reason = reason
    }

    package func write(to writer: inout ByteWriter) {
        writer.put(device)
        writer.put(bytes: apnsIdentifier)
        writer.put(outcome.rawValue)
        writer.put(reason)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        device = try reader.text()
        apnsIdentifier = try reader.bytes(16)
        outcome = try reader.choice()
        reason = try reader.text()
    }
}

/// The counts of an app's pushes, as the `push_owners` table keeps them; an app that never pushed
/// has no row.
package struct PushOwnerRecord: SealedRow, Equatable {
    /// Pushes to many that have not ended.
    package var openPushes = 0
    /// The last rich push; 0 is none.
    package var lastRichPush: RichPushNumber = 0
    package var richPushes = 0

    package init() {}

    package func write(to writer: inout ByteWriter) {
        writer.putVarint(UInt64(openPushes))
        writer.put(lastRichPush)
        writer.putVarint(UInt64(richPushes))
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        openPushes = try reader.count()
        lastRichPush = try reader.serial()
        richPushes = try reader.count()
    }
}
