internal import NotificationCore
internal import NotificationRecords

// Recalculation of the dates that a change of a zone, of the summary or of the clock moves (CAL-8).
// Dates are computed again in slices. Between slices due requests fire, by their old dates until
// they have new ones.

extension Batch {
    /// Whether dates wait to be computed again, and can be computed.
    var isRecalculating: Bool { state.isRecalculating(at: now) }

    /// Whether a request or summary with a date up to `instant` is about to fire.
    ///
    /// After the clock was set back, dates that lie in the future again do not fire, and do not
    /// count.
    func hasDates(dueBy instant: WallInstant) throws(StoreFailure) -> Bool {
        guard now.wall.isTime else { return false }
        let first = try DueWork.front(of: tables.dueWall, past: damage.setAside, in: transaction)
        let last = min(instant, now.wall)
        return first.map { $0.instant <= last } ?? false
    }

    /// Requests that dates are computed again, from the next batch on.
    func recalculate(_ scope: Recalculation.Scope) {
        let recalculation = Recalculation(scope, since: now.wall)
        if scope == .all {
            state.recalculations = [recalculation]
        } else {
            state.recalculations.append(recalculation)
        }
        hasChanged = true
    }

    /// Notes the wall clock's reading: where the clock was set back, dates that had passed may come
    /// again.
    func noteWallClock() {
        guard now.wall.isTime else { return }
        if state.isSetBack(at: now) {
            recalculate(.all)
            state.recalculations.append(Recalculation(.focuses, since: now.wall))
        }
        state.datesAsOf = now.wall
    }

    /// Computes dates again where that was requested, and gives how many rows it read.
    func recalculate(atMost limit: Int) throws(StoreFailure) -> Int {
        var count = 0
        while count < limit, isRecalculating {
            var recalculation = state.recalculations.removeFirst()
            // The change came before the clock was ever set, so count from now.
            if !recalculation.since.isTime { recalculation.since = now.wall }
            if case .focuses = recalculation.scope {
                let done = try recalculateFocuses(recalculation, atMost: limit - count)
                if let rest = done.rest { state.recalculations.insert(rest, at: 0) }
                count += max(1, done.count)
                hasChanged = true
                continue
            }
            let slice = try RecalculationSlices(batch: self)
                .next(of: recalculation, atMost: limit - count)
            for key in slice.keys {
                guard begin(key.bytes, in: .zones, of: key.center) else { continue }
                switch key.dated {
                case .summary:
                    try center(key.center).summary.recalculate(since: recalculation.since)
                case .request(let request):
                    try recalculate(request, since: recalculation.since)
                }
                endWork()
            }
            if let rest = slice.rest { state.recalculations.insert(rest, at: 0) }
            count += max(1, slice.rowCount)
            hasChanged = true
        }
        return count
    }

    /// Computes a request's date again; true where the request is now due at another instant, or
    /// never.
    @discardableResult
    func recalculate(_ sequence: RequestNumber, since: WallInstant) throws(StoreFailure) -> Bool {
        let record = try head(of: sequence)
        return try center(record.center).schedule.recalculate(sequence, record, since: since)
    }
}
