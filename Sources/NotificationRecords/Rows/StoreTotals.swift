package import NotificationCore

/// The counts of all centers of a store together.
package struct StoreTotals: Coded, Equatable {
    package var pending = 0
    /// Arriving occurrences, whose apps are asked how to present them.
    package var arriving = 0
    package var delivered = 0
    package var events = 0

    /// Begins at nothing, as in a new store.
    package init() {}

    /// Takes the counts of one center.
    package init(of center: CenterState) {
        pending = center.pendingCount
        arriving = center.arrivingCount
        delivered = center.deliveredCount
        // Wrapping: a damaged row must not end the server.
        let end = center.lastEvent.rawValue &+ 1
        events = Int(truncatingIfNeeded: end &- center.firstEvent.rawValue)
    }

    package static func += (totals: inout StoreTotals, other: StoreTotals) {
        totals.pending &+= other.pending
        totals.arriving &+= other.arriving
        totals.delivered &+= other.delivered
        totals.events &+= other.events
    }

    package static func -= (totals: inout StoreTotals, other: StoreTotals) {
        totals.pending &-= other.pending
        totals.arriving &-= other.arriving
        totals.delivered &-= other.delivered
        totals.events &-= other.events
    }

    package func write(to writer: inout ByteWriter) {
        for count in [pending, arriving, delivered, events] { writer.put(count) }
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        pending = try reader.number()
        arriving = try reader.number()
        delivered = try reader.number()
        events = try reader.number()
    }
}
