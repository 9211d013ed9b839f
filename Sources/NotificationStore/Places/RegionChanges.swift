internal import NotificationCore
internal import NotificationRecords

extension Batch {
    /// The instant of a report on the elapsed clock, but not before the clock's beginning.
    func elapsed(at time: WallInstant) -> ElapsedInstant {
        let past = now.wall.nanoseconds(since: time)
        return max(
            now.elapsed.advanced(byNanoseconds: -past),
            ElapsedInstant(nanoseconds: 0)
        )
    }

    /// Changes the state of a region that is due to change: the end of a dwell, or of a beacon that
    /// was not seen again.
    func changeRegion(of request: RequestNumber, due: ElapsedInstant) throws(StoreFailure) {
        let record = try head(of: request)
        guard let region = record.request.trigger?.region else {
            throw .disagrees(request, in: tables.records)
        }
        guard isIntact(record.center) else { return }
        let center = try center(record.center)
        let place = RegionPlace(region.shape)
        let key = RegionStateKey(request, of: place.sensor, on: center.name.device)
        let states = RegionStates(batch: self)
        let stored = try transaction.row(key, in: tables.regionStates)
        guard stored.state.changesAt == due else { throw .disagrees(key, in: tables.regionStates) }
        let access = try center.locationAccess()
        guard access.isAllowed, stored.number > access.since?.number ?? 0 else {
            return try states.replace(stored, with: nil, at: key)
        }
        let changed = stored.state.changed
        var after = stored
        after.state = changed.state
        try states.replace(stored, with: after, at: key)
        for crossing in changed.crossings where region.notifies(on: crossing) {
            let late = now.elapsed.nanoseconds(since: due)
            try center.occurrences.fire(request, record, lateByNanoseconds: late)
        }
    }
}
