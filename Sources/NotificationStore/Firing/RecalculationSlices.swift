internal import NotificationCore
internal import NotificationRecords

/// Finds which dates a change of a zone, of the summary or of the clock can move, slice by slice.
struct RecalculationSlices {
    let batch: Batch

    /// The next rows of the index of zones that a change can move.
    struct Slice {
        var keys: [ZoneKey] = []
        var rowCount = 0
        /// The rest of the recalculation; nil where this slice is the last.
        var rest: Recalculation?
    }

    func next(
        of recalculation: Recalculation,
        atMost limit: Int
    ) throws(StoreFailure) -> Slice {
        switch recalculation.scope {
        case .all: try slice(of: recalculation, named: nil, atMost: limit)
        case .zones(let names):
            try slice(of: recalculation, named: names, atMost: limit)
        case .device(let device), .summary(let device):
            try slice(of: recalculation, on: device, atMost: limit)
        // No zones: Focuses have an index of their own.
        case .focuses: Slice()
        }
    }

    /// The next rows of some zones, or of all zones.
    private func slice(
        of recalculation: Recalculation,
        named names: [String]?,
        atMost limit: Int
    ) throws(StoreFailure) -> Slice {
        var slice = Slice()
        var position: [UInt8]? = recalculation.position
        while let start = position {
            position = nil
            try batch.transaction.scan(bytesOf: batch.tables.zones.raw, from: start) {
                bytes,
                _ throws(StoreFailure) in
                guard slice.rowCount < limit else {
                    slice.rest = recalculation
                    slice.rest?.position = bytes
                    return false
                }
                slice.rowCount += 1
                guard let key = try? ZoneKey(bytes) else {
                    batch.pass(bytes, in: .zones)
                    return true
                }
                switch try names.map({ names throws(StoreFailure) in
                    try otherZone(key, than: names)
                }) {
                case nil, .this:
                    slice.keys.append(key)
                    return true
                case .another(let next): position = next
                case .behindAll: break
                }
                return false
            }
        }
        return slice
    }

    /// Whether a row of the index is in one of the zones that are looked for.
    private enum ZoneOfRow {
        case this
        /// The row is in another zone, as are all rows before this key.
        case another(next: [UInt8])
        case behindAll
    }

    private func otherZone(_ key: ZoneKey, than names: [String]) throws(StoreFailure) -> ZoneOfRow {
        guard key.zone.isEmpty else {
            if names.containsExactly(key.zone) { return .this }
            let next = names.first { key.zone < $0 }
            return next.map { .another(next: KeyPrefix.zone($0).bytes) } ?? .behindAll
        }
        let behind = KeyPrefix.floating(key.center).bytes + [UInt8](repeating: .max, count: 9)
        guard batch.begin(center: key.center) else { return .another(next: behind) }
        let device = try batch.center(key.center).device()
        batch.endWork()
        if names.containsExactly(batch.zones.name("", on: device)) { return .this }
        return .another(next: behind)
    }

    /// The next rows that follow a device's zone, or that are summaries of its apps.
    private func slice(
        of recalculation: Recalculation,
        on device: String,
        atMost limit: Int
    ) throws(StoreFailure) -> Slice {
        let (table, prefix) = (
            batch.tables.centerNumbers, KeyPrefix<CenterName>.device(device).bytes
        )
        var slice = Slice()
        var rest = recalculation
        let first = rest.center.isEmpty ? prefix : rest.center
        try batch.transaction.scan(bytesOf: table.raw, prefix, from: first) {
            key,
            value throws(StoreFailure) in
            if key != rest.center {
                rest.center = key
                rest.position = []
            }
            guard slice.rowCount < limit else {
                slice.rest = rest
                return false
            }
            // A center that is continued was counted before, so that each slice makes progress.
            if rest.position.isEmpty { slice.rowCount += 1 }
            try appendRows(of: try table.row(value, at: key), to: &slice, &rest, atMost: limit)
            guard rest.position.isEmpty else {
                slice.rest = rest
                return false
            }
            return true
        }
        return slice
    }

    /// Appends the rows of a center that follow its device's zone, from a position on; the position
    /// is empty at the end.
    private func appendRows(
        of number: CenterNumber,
        to slice: inout Slice,
        _ rest: inout Recalculation,
        atMost limit: Int
    ) throws(StoreFailure) {
        let table = batch.tables.zones
        if case .summary = rest.scope {
            let key = ZoneKey("", of: number, .summary)
            if try batch.transaction.contains(key, in: table) { slice.keys.append(key) }
            return
        }
        let (prefix, position) = (KeyPrefix<ZoneKey>.floating(number).bytes, rest.position)
        var (keys, rowCount, next) = (slice.keys, slice.rowCount, [] as [UInt8])
        let start = position.isEmpty ? prefix : position
        try batch.transaction.scan(bytesOf: table.raw, prefix, from: start) { bytes, _ in
            guard rowCount < limit else {
                next = bytes
                return false
            }
            rowCount += 1
            if let key = try? ZoneKey(bytes) {
                keys.append(key)
            } else {
                batch.pass(bytes, in: .zones)
            }
            return true
        }
        (slice.keys, slice.rowCount, rest.position) = (keys, rowCount, next)
    }
}
