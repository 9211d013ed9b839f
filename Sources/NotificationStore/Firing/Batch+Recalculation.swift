internal import BelfryLMDB
internal import NotificationCore

// Dates that a change of a zone, of the summary or of the clock moves (CAL-8). They
// are computed again in slices, between which what is due fires: by its old date until it has a new
// one.

extension Batch {
    /// Whether dates wait to be computed again, and can be.
    var isRecalculating: Bool { state.isRecalculating(at: now) }

    /// Whether something waits for a date up to `instant`, and fires as soon as its turn comes.
    ///
    /// Where the clock was set back since, what lies ahead again does not fire, and does not count.
    func hasDates(dueBy instant: WallInstant) throws(LMDBError) -> Bool {
        guard now.wall.isTime else { return false }
        let first = try Self.front(of: tables.dueWall, past: setAside, in: transaction)
        let last = min(instant, now.wall)
        return first.map { $0.nanoseconds <= last.nanoseconds } ?? false
    }

    /// Has dates computed again, from the next batch on.
    func recalculate(_ scope: Recalculation.Scope) {
        let recalculation = Recalculation(scope, since: now.wall)
        if scope == .all {
            state.recalculations = [recalculation]
        } else {
            state.recalculations.append(recalculation)
        }
        hasChanged = true
    }

    /// Notes what the wall clock shows: where it was set back, dates may come that lay behind it.
    func noteWallClock() {
        guard now.wall.isTime else { return }
        if state.isSetBack(at: now) { recalculate(.all) }
        state.datesAsOf = now.wall
    }

    /// Computes dates again where that was asked for, and gives how many rows it looked at.
    func recalculate(atMost limit: Int) throws(LMDBError) -> Int {
        var count = 0
        while count < limit, isRecalculating {
            var recalculation = state.recalculations.removeFirst()
            // The change came before the clock was set.
            if !recalculation.since.isTime { recalculation.since = now.wall }
            let slice = try slice(of: recalculation, atMost: limit - count)
            for key in slice.keys {
                guard begin(key, in: tables.zones, of: Key.center(inZone: key)) else { continue }
                let number = Key.sequence(inZone: key)
                if let center = Key.center(ofSummary: number) {
                    try self.center(center).summary.recalculate(since: recalculation.since)
                } else {
                    try recalculate(number, since: recalculation.since)
                }
                endWork()
            }
            if let rest = slice.rest { state.recalculations.insert(rest, at: 0) }
            count += max(1, slice.rowCount)
            hasChanged = true
        }
        return count
    }

    /// Computes a request's date again; true where it is due at another instant, or never again.
    @discardableResult
    func recalculate(_ sequence: UInt64, since: WallInstant) throws(LMDBError) -> Bool {
        let record = try transaction.record(sequence, tables)
        return try center(record.center).schedule.recalculate(sequence, record, since: since)
    }
}

// MARK: - Which dates

extension Batch {
    /// The next rows of the index of zones that a change can move.
    private struct Slice {
        var keys: [[UInt8]] = []
        /// How many rows were looked at.
        var rowCount = 0
        /// What is left to do; nil where this is the last.
        var rest: Recalculation?
    }

    private func slice(
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

    /// The next rows of some zones, or of all.
    private func slice(
        of recalculation: Recalculation,
        named names: [String]?,
        atMost limit: Int
    ) throws(LMDBError) -> Slice {
        try transaction.withCursor(in: tables.zones) { cursor throws(LMDBError) in
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

    /// Whether a row of the index is of the zones that are looked for.
    private enum ZoneOfRow {
        case this
        /// It is not, and no row before this key is.
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
        guard begin(center: number) else {
            return .another(next: Key.floating(center: number, sequence: .max))
        }
        let device = try center(number).device()
        endWork()
        if names.contains(zones.name("", on: device)) { return .this }
        return .another(next: Key.floating(center: number, sequence: .max))
    }

    /// The next rows that float with a device, or that have its apps' summary.
    private func slice(
        of recalculation: Recalculation,
        on device: String,
        atMost limit: Int
    ) throws(LMDBError) -> Slice {
        let prefix = Key.centerNumbers(device: device)
        return try transaction.withCursor(in: tables.centerNumbers) { cursor throws(LMDBError) in
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
                // A center that is gone on with was counted: each slice comes further.
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

    /// Appends what floats with a center's device, from a position on, which is empty at the end.
    private func appendRows(
        of number: UInt32,
        to slice: inout Slice,
        _ rest: inout Recalculation,
        atMost limit: Int
    ) throws(LMDBError) {
        if case .summary = rest.scope {
            let key = Key.floating(center: number, sequence: Key.summaryNumber(number))
            if try transaction.contains(key: key, in: tables.zones) { slice.keys.append(key) }
            return
        }
        let position = rest.position
        var (keys, rowCount, next) = (slice.keys, slice.rowCount, [] as [UInt8])
        try transaction.withCursor(in: tables.zones) { cursor throws(LMDBError) in
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
