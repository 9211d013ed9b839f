package import NotificationCore

/// A push to many devices as the `tag_pushes` table keeps it, by app and number.
package struct TagPushRecord: TableRow, Equatable {
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

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 256)
        writer.put(state.rawValue)
        writer.put(createdAt.nanoseconds)
        for instant in [deliverAt, beganAt, endedAt] {
            writer.put(instant) { $0.put($1.nanoseconds) }
        }
        writer.put(expression)
        writer.put(anchor) { writer, steps in
            writer.putVarint(UInt64(steps.count))
            for step in steps { step.write(to: &writer) }
        }
        writer.put(content) { $1.write(to: &$0) }
        writer.put(cursor)
        for count in counts { writer.putVarint(count) }
        writer.put(workAt) { $0.put($1.nanoseconds) }
        writer.put(richPush) { $0.put($1) }
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        state = try reader.choice()
        createdAt = WallInstant(nanoseconds: try reader.number())
        deliverAt = try reader.wallInstantIfAny()
        beganAt = try reader.wallInstantIfAny()
        endedAt = try reader.wallInstantIfAny()
        expression = try reader.text()
        anchor = try reader.optional { reader throws(RowProblem) in
            var steps: [TagExpression.Step] = []
            for _ in 0..<(try reader.count()) { steps.append(try TagExpression.Step(&reader)) }
            return steps
        }
        content = try reader.optional { reader throws(RowProblem) in
            try TagPushContent(&reader)
        }
        cursor = try reader.text()
        for index in counts.indices { counts[index] = try reader.varint() }
        workAt = try reader.optional { reader throws(RowProblem) in
            ElapsedInstant(nanoseconds: try reader.number())
        }
        richPush = try reader.optional { reader throws(RowProblem) in try reader.serial() }
        guard reader.isAtEnd else { throw .undecodable }
    }
}

extension ByteReader {
    /// Reads an instant, or nil where none was written.
    fileprivate mutating func wallInstantIfAny() throws(RowProblem) -> WallInstant? {
        try optional { reader throws(RowProblem) in
            WallInstant(nanoseconds: try reader.number())
        }
    }
}

extension TagExpression.Step {
    /// Writes a tag or a device, which alone are in an anchor.
    fileprivate func write(to writer: inout ByteWriter) {
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

    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        switch try reader.number() as UInt8 {
        case 1: self = .tag(try reader.text())
        case 2: self = .device(try reader.text())
        default: throw .undecodable
        }
    }
}

/// The outcome of a push to many on one device, as the `tag_push_outcomes` table keeps it.
package struct TagPushOutcomeRecord: TableRow, Equatable {
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

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 64)
        writer.put(device)
        writer.put(bytes: apnsIdentifier)
        writer.put(outcome.rawValue)
        writer.put(reason)
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        device = try reader.text()
        apnsIdentifier = try reader.bytes(16)
        outcome = try reader.choice()
        reason = try reader.text()
        guard reader.isAtEnd else { throw .undecodable }
    }
}

/// The counts of an app's pushes, as the `push_owners` table keeps them; an app that never pushed
/// has no row.
package struct PushOwnerRecord: TableRow, Equatable {
    /// Pushes to many that have not ended.
    package var openPushes = 0
    /// The last rich push; 0 is none.
    package var lastRichPush: RichPushNumber = 0
    package var richPushes = 0

    package init() {}

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 24)
        writer.putVarint(UInt64(openPushes))
        writer.put(lastRichPush)
        writer.putVarint(UInt64(richPushes))
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        openPushes = try reader.count()
        lastRichPush = try reader.serial()
        richPushes = try reader.count()
        guard reader.isAtEnd else { throw .undecodable }
    }
}
