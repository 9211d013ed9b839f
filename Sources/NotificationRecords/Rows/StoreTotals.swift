package import NotificationCore

/// What all centers of a store have together.
package struct StoreTotals: Equatable, Sendable {
    /// Pending requests.
    package var pending = 0
    /// Arriving occurrences, whose apps are asked how to present them.
    package var arriving = 0
    /// Notifications in the delivered lists.
    package var delivered = 0
    /// Events that are kept.
    package var events = 0

    /// Nothing, as in a new store.
    package init() {}

    /// What one center has.
    package init(of center: CenterState) {
        pending = center.pendingCount
        arriving = center.arrivingCount
        delivered = center.deliveredCount
        // Wrapping: a damaged row must not end the server.
        let end = center.lastEvent.rawValue &+ 1
        events = Int(truncatingIfNeeded: end &- center.firstEvent.rawValue)
    }

    /// Adds what a center has.
    package static func += (totals: inout StoreTotals, other: StoreTotals) {
        totals.pending &+= other.pending
        totals.arriving &+= other.arriving
        totals.delivered &+= other.delivered
        totals.events &+= other.events
    }

    /// Takes away what a center had.
    package static func -= (totals: inout StoreTotals, other: StoreTotals) {
        totals.pending &-= other.pending
        totals.arriving &-= other.arriving
        totals.delivered &-= other.delivered
        totals.events &-= other.events
    }

    /// Writes the counts.
    func write(to writer: inout ByteWriter) {
        for count in [pending, arriving, delivered, events] { writer.put(Int64(count)) }
    }

    /// Reads the counts.
    init(_ reader: inout ByteReader) throws(RowProblem) {
        pending = Int(try reader.number(Int64.self))
        arriving = Int(try reader.number(Int64.self))
        delivered = Int(try reader.number(Int64.self))
        events = Int(try reader.number(Int64.self))
    }
}
