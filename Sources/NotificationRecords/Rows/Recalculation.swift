package import NotificationCore

/// Dates that are being computed again, in slices, after a change of a zone, a summary or the clock
/// (CAL-8).
package struct Recalculation: Coded, Equatable {
    /// The dates that a change can move.
    package enum Scope: Equatable, Sendable {
        /// All dates: the wall clock was set back.
        case all
        /// The dates that are local to these zones, whose rules changed; ascending.
        case zones([String])
        /// The dates that follow a device's zone, which changed.
        case device(String)
        /// The dates of the summaries of a device's apps: the summary's times changed.
        case summary(String)
        /// When the schedules of all devices next turn a Focus on or off.
        case focuses
    }

    package let scope: Scope
    /// The wall clock at the change: requests that were due by then fire by their old dates.
    package var since: WallInstant
    /// The key of the device's center at which the next slice begins; empty is the first center.
    package var center: [UInt8] = []
    /// The place in the index of zones at which the next slice begins: no key is before a zero
    /// byte.
    package var position: [UInt8] = [0]

    package init(_ scope: Scope, since: WallInstant) {
        self.scope = scope
        self.since = since
    }

    package func write(to writer: inout ByteWriter) {
        switch scope {
        case .all: writer.put(UInt8(1))
        case .zones(let names):
            writer.put(UInt8(2))
            names.write(to: &writer)
        case .device(let device):
            writer.put(UInt8(3))
            writer.put(device)
        case .summary(let device):
            writer.put(UInt8(4))
            writer.put(device)
        case .focuses: writer.put(UInt8(5))
        }
        since.write(to: &writer)
        for key in [center, position] {
            writer.putVarint(UInt64(key.count))
            writer.put(bytes: key)
        }
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        switch try reader.number(UInt8.self) {
        case 1: scope = .all
        case 2: scope = .zones(try reader.value())
        case 3: scope = .device(try reader.text())
        case 4: scope = .summary(try reader.text())
        case 5: scope = .focuses
        default: throw .undecodable
        }
        since = try reader.value()
        center = try reader.bytes(try reader.count())
        position = try reader.bytes(try reader.count())
    }
}
