package import NotificationCore

/// The rows of one identifier of a center: a pending request, an arriving occurrence, a delivered
/// notification, or several of these (M-7).
package struct IdentifierRecord: TableRow, Equatable {
    /// The pending request of the identifier.
    package struct Pending: Equatable {
        /// The request's sequence number, its key in `records`.
        package var sequence: RequestNumber
        /// When the request fires next.
        package var due: Due
        /// The newest event that refers to the request's record; 0 where no occurrence fired yet.
        package var lastEvent: EventNumber = 0
        /// For a request that waits for dates, when the last occurrence that fired was due: the
        /// next occurrence is later, whatever the clock shows (CAL-8).
        package var lastScheduled: WallInstant?

        /// A pending request that is due at an instant.
        package init(
            sequence: RequestNumber,
            due: Due,
            lastEvent: EventNumber = 0,
            lastScheduled: WallInstant? = nil
        ) {
            self.sequence = sequence
            self.due = due
            self.lastEvent = lastEvent
            self.lastScheduled = lastScheduled
        }
    }

    /// An arriving occurrence of the identifier, which waits for the app's answer.
    package struct Arriving: Equatable {
        /// The number of the callback that asks the app.
        package var callback: CallbackNumber
        /// The request's sequence number, its key in `records`.
        package var sequence: RequestNumber

        /// An occurrence of a request, which waits for the answer to a callback.
        package init(callback: CallbackNumber, sequence: RequestNumber) {
            self.callback = callback
            self.sequence = sequence
        }
    }

    /// The pending request; nil is none.
    package var pending: Pending?
    /// The arriving occurrence; nil is none.
    package var arriving: Arriving?
    /// The number of the delivery in the list of delivered notifications.
    package var delivered: DeliveryNumber?

    private static let version: UInt8 = 3

    /// The row of what exists under an identifier.
    package init(
        pending: Pending? = nil,
        arriving: Arriving? = nil,
        delivered: DeliveryNumber? = nil
    ) {
        self.pending = pending
        self.arriving = arriving
        self.delivered = delivered
    }

    /// Whether nothing exists under the identifier.
    package var isEmpty: Bool { pending == nil && arriving == nil && delivered == nil }

    /// The row as it is in the file.
    package var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 32)
        writer.put(pending) { writer, pending in
            writer.put(pending.sequence)
            pending.due.write(to: &writer)
            writer.put(pending.lastEvent)
            writer.put(pending.lastScheduled) { $0.put($1.nanoseconds) }
        }
        writer.put(arriving) { writer, arriving in
            writer.put(arriving.callback)
            writer.put(arriving.sequence)
        }
        writer.put(delivered) { $0.put($1) }
        return writer.sealed()
    }

    /// The row of what exists under an identifier.
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        // Version 1 had only elapsed time and no arriving occurrence; version 2 had no last
        // scheduled date.
        let version = try reader.version(upTo: Self.version)
        pending = try reader.optional { reader throws(RowProblem) in
            Pending(
                sequence: try reader.serial(),
                due: version == 1
                    ? .elapsed(ElapsedInstant(nanoseconds: try reader.number()))
                    : try Due(&reader),
                lastEvent: try reader.serial(),
                lastScheduled: version < 3
                    ? nil
                    : try reader.optional { reader throws(RowProblem) in
                        WallInstant(nanoseconds: try reader.number())
                    }
            )
        }
        if version > 1 {
            arriving = try reader.optional { reader throws(RowProblem) in
                Arriving(callback: try reader.serial(), sequence: try reader.serial())
            }
        }
        delivered = try reader.optional { reader throws(RowProblem) in try reader.serial() }
        guard reader.isAtEnd else { throw .undecodable }
    }
}

extension Due {
    /// Writes the value into a row.
    package func write(to writer: inout ByteWriter) {
        switch self {
        case .elapsed(let instant):
            writer.put(UInt8(1))
            writer.put(instant.nanoseconds)
        case .wall(let instant):
            writer.put(UInt8(2))
            writer.put(instant.nanoseconds)
        }
    }

    /// The row of what exists under an identifier.
    package init(_ reader: inout ByteReader) throws(RowProblem) {
        switch try reader.number(UInt8.self) {
        case 1: self = .elapsed(ElapsedInstant(nanoseconds: try reader.number()))
        case 2: self = .wall(WallInstant(nanoseconds: try reader.number()))
        default: throw .undecodable
        }
    }
}
