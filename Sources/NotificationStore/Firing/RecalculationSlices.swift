internal import BelfryLMDB
internal import NotificationCore

/// Finds which dates a change of a zone, of the summary or of the clock can move, slice by slice.
struct RecalculationSlices {
    let batch: Batch

    /// The next rows of the index of zones that a change can move.
    struct Slice {
        var keys: [[UInt8]] = []
        /// How many rows were read.
        var rowCount = 0
        /// The rest of the recalculation; nil where this slice is the last.
        var rest: Recalculation?
    }

    func next(
        of recalculation: Recalculation,
        atMost limit: Int
    ) throws(LMDBError) -> Slice {
        switch recalculation.scope {
        case .all: try slice(of: recalculation, named: nil, atMost: limit)
        case .zones(let names):
            try slice(of: recalculation, named: names, atMost: limit)
        case .device(let device), .summary(let device):
            try slice(of: recalculation, on: device, atMost: limit)
        }
    }

    /// The next rows of some zones, or of all zones.
    private func slice(
        of recalculation: Recalculation,
        named names: [String]?,
        atMost limit: Int
    ) throws(LMDBError) -> Slice {
        try batch.transaction.withCursor(in: batch.tables.zones) { cursor throws(LMDBError) in
            var slice = Slice()
            var found = try cursor.seek(atOrAfter: recalculation.position)
            while found, slice.rowCount < limit {
                let key = try cursor.key()
                slice.rowCount += 1
                let other = try names.map { names throws(LMDBError) in
                    try otherZone(key, than: names)
                }
                switch other {
                case nil, .this:
                    slice.keys.append(key)
                    found = try cursor.move(to: .next)
                case .another(let next): found = try cursor.seek(atOrAfter: next)
                case .behindAll: found = false
                }
            }
            if found {
                slice.rest = recalculation
                slice.rest?.position = try cursor.key()
            }
            return slice
        }
    }

    /// Whether a row of the index is in one of the zones that are looked for.
    private enum ZoneOfRow {
        case this
        /// The row is in another zone, as are all rows before this key.
        case another(next: [UInt8])
        case behindAll
    }

    private func otherZone(_ key: [UInt8], than names: [String]) throws(LMDBError) -> ZoneOfRow {
        guard let number = Key.center(ofFloating: key) else {
            let name = Key.name(ofZone: key)
            if names.contains(name) { return .this }
            let next = names.first { name < $0 }
            return next.map { .another(next: Key.zone($0)) } ?? .behindAll
        }
        guard batch.begin(center: number) else {
            return .another(next: Key.floating(center: number, sequence: .max))
        }
        let device = try batch.center(number).device()
        batch.endWork()
        if names.contains(batch.zones.name("", on: device)) { return .this }
        return .another(next: Key.floating(center: number, sequence: .max))
    }

    /// The next rows that follow a device's zone, or that are summaries of its apps.
    private func slice(
        of recalculation: Recalculation,
        on device: String,
        atMost limit: Int
    ) throws(LMDBError) -> Slice {
        let prefix = Key.centerNumbers(device: device)
        return try batch.transaction.withCursor(in: batch.tables.centerNumbers) {
            cursor throws(LMDBError) in
            var slice = Slice()
            var rest = recalculation
            let first = rest.center.isEmpty ? prefix : rest.center
            var found = try cursor.seek(atOrAfter: first)
            while found {
                let (key, value) = try cursor.entry()
                guard key.starts(with: prefix) else { return slice }
                if key != rest.center {
                    rest.center = key
                    rest.position = []
                }
                guard slice.rowCount < limit else {
                    slice.rest = rest
                    return slice
                }
                var reader = ByteReader(value)
                // A center that is continued was counted before: so each slice makes progress.
                if rest.position.isEmpty { slice.rowCount += 1 }
                let number: UInt32 = try reader.number()
                try appendRows(of: number, to: &slice, &rest, atMost: limit)
                guard rest.position.isEmpty else {
                    slice.rest = rest
                    return slice
                }
                found = try cursor.move(to: .next)
            }
            return slice
        }
    }

    /// Appends the rows of a center that follow its device's zone, from a position on; the position
    /// is empty at the end.
    private func appendRows(
        of number: UInt32,
        to slice: inout Slice,
        _ rest: inout Recalculation,
        atMost limit: Int
    ) throws(LMDBError) {
        if case .summary = rest.scope {
            let key = Key.floating(center: number, sequence: Key.summaryNumber(number))
            if try batch.transaction.contains(key: key, in: batch.tables.zones) {
                slice.keys.append(key)
            }
            return
        }
        let position = rest.position
        var (keys, rowCount, next) = (slice.keys, slice.rowCount, [] as [UInt8])
        try batch.transaction.withCursor(in: batch.tables.zones) { cursor throws(LMDBError) in
            let first = Key.floating(center: number, sequence: 0)
            var found = try cursor.seek(atOrAfter: position.isEmpty ? first : position)
            while found {
                let key = try cursor.key()
                guard Key.center(ofFloating: key) == number else { return }
                guard rowCount < limit else {
                    next = key
                    return
                }
                keys.append(key)
                rowCount += 1
                found = try cursor.move(to: .next)
            }
        }
        (slice.keys, slice.rowCount, rest.position) = (keys, rowCount, next)
    }
}
