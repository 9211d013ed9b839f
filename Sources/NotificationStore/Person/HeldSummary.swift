internal import NotificationCore
internal import NotificationRecords

/// The notifications of a center that wait for the scheduled summary (§16.2).
///
/// They are rows of the delivered list that are marked as held. A center with held notifications
/// has one row in the wall due index, and one in the index of zones: the summary's times are local
/// to the device.
struct HeldSummary: CenterPart {
    let center: CenterWork

    /// The summary's key in the index of zones.
    private var zoneKey: ZoneKey { ZoneKey("", of: center.number, .summary) }

    /// Notes that a delivery waits for the summary, and gives until when.
    ///
    /// Where the summary is late, the result is now: the late summary shows this delivery too.
    func hold() throws(StoreFailure) -> WallInstant {
        center.state.heldCount += 1
        let now = batch.now.wall
        if let due = center.state.summaryDue { return max(due, now) }
        let due = try next(after: now) ?? now
        try put(due)
        try batch.transaction.put(zoneKey, in: batch.tables.zones)
        try center.schedule.noteVersion(ofZone: "")
        return due
    }

    /// Notes that a delivery no longer waits for the summary, because it left the list.
    func endHold() throws(StoreFailure) {
        center.state.heldCount -= 1
        if center.state.heldCount == 0 { try forget() }
    }

    /// Presents the held notifications, the most relevant first (SSM-2, SSM-3).
    ///
    /// - Complexity: O(*n*) in the center's list, which is limited.
    func present() throws(StoreFailure) {
        var shown: [ListedNotification] = []
        center.oldestDeliveries = OldestDeliveries()
        for (key, row) in try heldRows() {
            var row = row
            row.isHeld = false
            try batch.transaction.put(row, at: key, in: batch.tables.delivered)
            let request = try center.records.request(row.sequence).request
            shown.append(
                ListedNotification(
                    app: center.name.app,
                    identifier: request.identifier,
                    delivery: key.number,
                    date: row.date,
                    content: request.content
                )
            )
        }
        guard shown.count == center.state.heldCount else {
            throw .disagrees(center.number, in: batch.tables.centers)
        }
        center.state.heldCount = 0
        try forget()
        shown.sort { $0.isAboveInSummary($1) }
        try center.news.tellSummary(shown)
        try center.events.record(
            .summaryPresented(
                shown.map { Event.Shown(identifier: $0.identifier, delivery: $0.delivery) }
            )
        )
    }

    /// Computes when the summary is due, after its times, its zone or the clock changed.
    ///
    /// Where the app is no longer in a summary, its held notifications are presented at once.
    ///
    /// `since` is when the change happened; a summary that was due by then keeps its date.
    func recalculate(since: WallInstant) throws(StoreFailure) {
        guard let before = center.state.summaryDue else {
            throw .disagrees(center.number, in: batch.tables.centers)
        }
        guard before > since || !before.isTime else { return }
        try center.schedule.noteVersion(ofZone: "")
        guard let due = try next(after: since) else { return try present() }
        guard due != before else { return }
        try deleteRow(before)
        try put(due)
    }

    /// Presents the held notifications of an app that is no longer in the summary; this needs no
    /// clock.
    func presentUnlessInSummary() throws(StoreFailure) {
        guard center.state.heldCount > 0, try next(after: batch.now.wall) == nil else { return }
        try present()
    }

    /// Puts the app into its device's summary or takes it out, according to a setting.
    func setInSummary(_ setting: NotificationSetting) throws(StoreFailure) {
        guard setting != center.state.settings.scheduledDelivery else { return }
        let before = try center.device()
        var device = before
        if setting == .enabled {
            device.summary.apps.insert(center.name.app)
        } else {
            device.summary.apps.remove(center.name.app)
        }
        if device != before { try batch.setDevice(center.name.device, to: device) }
    }

    /// When the summary is next due; nil where the app is in no summary.
    private func next(after instant: WallInstant) throws(StoreFailure) -> WallInstant? {
        let device = try center.device()
        guard device.summary.apps.contains(center.name.app) else { return nil }
        let rules = batch.zones.zone(batch.zones.name("", on: device))?.rules ?? .utc
        return device.summary.nextDate(after: instant, in: rules)
    }

    // MARK: Rows

    private func put(_ due: WallInstant) throws(StoreFailure) {
        center.state.summaryDue = due
        let key = DueKey(due, summaryOf: center.number)
        try batch.transaction.put(DueRow(center: center.number), at: key, in: batch.tables.dueWall)
    }

    private func deleteRow(_ due: WallInstant) throws(StoreFailure) {
        let key = DueKey(due, summaryOf: center.number)
        try batch.transaction.deleteExisting(key, in: batch.tables.dueWall)
    }

    private func forget() throws(StoreFailure) {
        guard let due = center.state.summaryDue.take() else {
            throw .disagrees(center.number, in: batch.tables.centers)
        }
        try deleteRow(due)
        try batch.transaction.deleteExisting(zoneKey, in: batch.tables.zones)
    }

    private func heldRows() throws(StoreFailure) -> [(key: DeliveryKey, row: DeliveredRecord)] {
        try batch.transaction.rows(in: batch.tables.delivered, .center(center.number))
            .filter(\.row.isHeld)
    }
}

extension Batch {
    /// Updates the settings of a device's apps, which say whether the app is in the summary
    /// (SSM-1).
    ///
    /// - Complexity: O(*n*) in the apps of the device; a person changes the summary now and then.
    func summaryChanged(on device: String) throws(StoreFailure) {
        let numbers = try transaction.rows(in: tables.centerNumbers, .device(device)).map(\.row)
        for number in numbers where begin(center: number) {
            let center = try center(number)
            let settings = center.state.settings
            guard settings.authorizationStatus != .notDetermined else { continue }
            try center.change(settings)
            // The recalculation presents them in slices, but it needs a clock.
            if !now.wall.isTime { try center.summary.presentUnlessInSummary() }
        }
        endWork()
    }
}
