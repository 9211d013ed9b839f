internal import BelfryLMDB
internal import NotificationCore

/// Dates that are being computed again, in slices, since something that they depend on is another
/// (CAL-8).
struct Recalculation: Equatable {
    /// Which dates the change can move.
    enum Scope: Equatable {
        /// All: the wall clock was set back.
        case all
        /// Those that are local to these zones, ascending: their rules are others.
        case zones([String])
        /// Those that float with a device, whose zone is another.
        case device(String)
        /// When a device's apps have their summary, whose times are others.
        case summary(String)
    }

    let scope: Scope
    /// The wall clock at the change: what was due by then fires by the old dates.
    var since: WallInstant
    /// The key of a device's center at which it goes on; empty is the first.
    var center: [UInt8] = []
    /// Where in the index of zones it goes on: no key lies before a zero byte.
    var position: [UInt8] = [0]

    init(_ scope: Scope, since: WallInstant) {
        self.scope = scope
        self.since = since
    }

    func write(to writer: inout ByteWriter) {
        switch scope {
        case .all: writer.put(UInt8(1))
        case .zones(let names):
            writer.put(UInt8(2))
            writer.putVarint(UInt64(names.count))
            for name in names { writer.put(name) }
        case .device(let device):
            writer.put(UInt8(3))
            writer.put(device)
        case .summary(let device):
            writer.put(UInt8(4))
            writer.put(device)
        }
        writer.put(since.nanoseconds)
        for key in [center, position] {
            writer.putVarint(UInt64(key.count))
            writer.put(bytes: key)
        }
    }

    init(_ reader: inout ByteReader) throws(LMDBError) {
        switch try reader.number(UInt8.self) {
        case 1: scope = .all
        case 2:
            var names: [String] = []
            for _ in 0..<(try reader.count()) { names.append(try reader.text()) }
            scope = .zones(names)
        case 3: scope = .device(try reader.text())
        case 4: scope = .summary(try reader.text())
        default: throw ByteReader.corrupted
        }
        since = WallInstant(nanoseconds: try reader.number())
        center = try reader.bytes(try reader.count())
        position = try reader.bytes(try reader.count())
    }
}
