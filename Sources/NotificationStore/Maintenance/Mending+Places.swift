internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

extension Mending {
    /// Adds the missing rows of the region that a pending request waits for.
    func watch(_ request: RequestNumber, _ record: RequestRecord) throws(StoreFailure) {
        guard let region = record.request.trigger?.region,
            let center = try transaction.found(record.center, in: tables.centers).row?.center
        else { return }
        let key = RegionKey(request, at: RegionPlace(region.shape), on: center.name.device)
        let row = RegionRecord(center: record.center, region: region, addedAt: record.base)
        try transaction.put(row, at: key, in: tables.regions)
        let name = RegionNameKey(region.identifier, of: record.center, request)
        try transaction.put(name, in: tables.regionNames)
    }
}
