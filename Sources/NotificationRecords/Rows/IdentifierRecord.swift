package import NotificationCore

/// The rows of one identifier of a center: a pending request, an arriving occurrence, a delivered
/// or snoozed notification, or several of these (M-7).
package struct IdentifierRecord: TableRow, Equatable {
    package struct Pending: Equatable {
        package var sequence: RequestNumber
        /// When the request fires next; nil where it waits for a place.
        package var due: Due?
        /// The newest event that refers to the request's record; 0 where no occurrence fired yet.
        package var lastEvent: EventNumber = 0
        /// For a request that waits for dates, when the last occurrence that fired was due: the
        /// next occurrence is later, whatever the clock shows (CAL-8).
        package var lastScheduled: WallInstant?
        /// How many occurrences the request has had, which a limit counts (CAL-11).
        package var occurrenceCount: Int64 = 0
        /// The latest occurrence that was skipped; nil where a later one fired or none was skipped.
        package var skipped: SkippedDate?

        package init(
            sequence: RequestNumber,
            due: Due?,
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
        /// The number of the request that arrives, its key in `records`.
        package var sequence: RequestNumber

        package init(callback: CallbackNumber, sequence: RequestNumber) {
            self.callback = callback
            self.sequence = sequence
        }
    }

    package var pending: Pending?
    package var arriving: Arriving?
    /// The number of the delivery in the list of delivered notifications.
    package var delivered: DeliveryNumber?
    /// The identifier's roles among replacement keys (ADD-12).
    package var keys: Keys {
        get { keysIfAny?.value ?? Keys() }
        set { keysIfAny = newValue.isEmpty ? nil : Boxed(newValue) }
    }
    /// The same; nil where all are empty, as those of most identifiers are: a look at it does not
    /// copy the record.
    package private(set) var keysIfAny: Boxed<Keys>?
    /// The number of the delivery that is snoozed: it left the list, and comes back.
    package var snoozed: DeliveryNumber?

    /// The identifier among replacement keys: as that of a notification, and as a key of others.
    ///
    /// All are empty where no request names a key.
    package struct Keys: Equatable {
        /// The replacement key of the notification that is in the list or snoozed, where it is not
        /// the identifier.
        package var ofDelivered = ""
        /// The replacement key of the arriving occurrence, where it is not the identifier.
        package var ofArriving = ""
        /// The identifier of the notification in the list, or snoozed, that has this identifier as
        /// its key.
        package var delivered = ""
        /// The identifier of the arriving occurrence that has this identifier as its key.
        package var arriving = ""

        package init() {}

        package var isEmpty: Bool {
            ofDelivered.isEmpty && ofArriving.isEmpty && delivered.isEmpty && arriving.isEmpty
        }

        /// Whether both have the same keys, byte by byte.
        package static func == (left: Keys, right: Keys) -> Bool {
            left.ofDelivered.isExactly(right.ofDelivered)
                && left.ofArriving.isExactly(right.ofArriving)
                && left.delivered.isExactly(right.delivered)
                && left.arriving.isExactly(right.arriving)
        }
    }

    package init(
        pending: Pending? = nil,
        arriving: Arriving? = nil,
        delivered: DeliveryNumber? = nil,
        snoozed: DeliveryNumber? = nil
    ) {
        self.pending = pending
        self.arriving = arriving
        self.delivered = delivered
        self.snoozed = snoozed
    }

    package var isEmpty: Bool {
        pending == nil && arriving == nil && delivered == nil && snoozed == nil && keysIfAny == nil
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 32)
        writer.put(pending) { writer, pending in
            writer.put(pending.sequence)
            pending.due.write(to: &writer)
            writer.put(pending.lastEvent)
            writer.put(pending.lastScheduled) { $0.put($1.nanoseconds) }
            writer.putVarint(UInt64(pending.occurrenceCount))
            writer.put(pending.skipped) { writer, skipped in
                writer.put(skipped.date.nanoseconds)
                writer.put(skipped.offsetSeconds)
            }
        }
        writer.put(arriving) { writer, arriving in
            writer.put(arriving.callback)
            writer.put(arriving.sequence)
        }
        writer.put(delivered) { $0.put($1) }
        writer.put(keysIfAny?.value) { writer, keys in
            for text in [keys.ofDelivered, keys.ofArriving, keys.delivered, keys.arriving] {
                writer.put(text)
            }
        }
        writer.put(snoozed) { $0.put($1) }
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        pending = try reader.optional { reader throws(RowProblem) in try Pending(&reader) }
        arriving = try reader.optional { reader throws(RowProblem) in
            Arriving(callback: try reader.serial(), sequence: try reader.serial())
        }
        delivered = try reader.optional { reader throws(RowProblem) in try reader.serial() }
        if try reader.bool() {
            var keys = Keys()
            keys.ofDelivered = try reader.text()
            keys.ofArriving = try reader.text()
            keys.delivered = try reader.text()
            keys.arriving = try reader.text()
            self.keys = keys
        }
        snoozed = try reader.optional { reader throws(RowProblem) in try reader.serial() }
        guard reader.isAtEnd else { throw .undecodable }
    }
}

extension IdentifierRecord.Pending {
    fileprivate init(_ reader: inout ByteReader) throws(RowProblem) {
        sequence = try reader.serial()
        due = try Due?(&reader)
        lastEvent = try reader.serial()
        lastScheduled = try reader.optional { reader throws(RowProblem) in
            WallInstant(nanoseconds: try reader.number())
        }
        guard let count = Int64(exactly: try reader.varint()) else { throw .undecodable }
        occurrenceCount = count
        skipped = try reader.optional { reader throws(RowProblem) in
            SkippedDate(
                date: WallInstant(nanoseconds: try reader.number()),
                offsetSeconds: try reader.number()
            )
        }
    }
}

extension Due? {
    package func write(to writer: inout ByteWriter) {
        switch self {
        case nil: writer.put(UInt8(3))
        case .elapsed(let instant):
            writer.put(UInt8(1))
            writer.put(instant.nanoseconds)
        case .wall(let instant):
            writer.put(UInt8(2))
            writer.put(instant.nanoseconds)
        }
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        switch try reader.number(UInt8.self) {
        case 1: self = .elapsed(ElapsedInstant(nanoseconds: try reader.number()))
        case 2: self = .wall(WallInstant(nanoseconds: try reader.number()))
        case 3: self = nil
        default: throw .undecodable
        }
    }
}
