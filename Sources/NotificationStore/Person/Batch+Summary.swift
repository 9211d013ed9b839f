internal import BelfryLMDB
internal import NotificationCore

// The scheduled summary (§16.2). What waits for it is in the delivered list and says
// so; a center of which something waits has one row in the wall due index, and one in the index of
// zones, since the summary's times are local to the device.

extension Batch {
    /// Notes that a delivery of a center waits for the summary, and gives until when: now where the
    /// summary that the others wait for is late, which shows this one too.
    func hold(for center: inout CenterState, number: UInt32) throws(LMDBError) -> WallInstant {
        center.heldCount += 1
        if let due = center.summaryDue { return max(due, now.wall) }
        let due = try nextSummary(of: center, after: now.wall) ?? now.wall
        center.summaryDue = due
        state.unsettled?.summaries += 1
        try putSummary(of: number, due: due)
        let key = Key.floating(center: number, sequence: Key.summaryNumber(number))
        try transaction.put([], forKey: key, in: tables.zones)
        let device = try device(of: center)
        try noteVersion(ofZone: zoneName("", on: device))
        return due
    }

    /// Notes that a delivery waits no longer, because it is gone.
    func endHold(for center: inout CenterState, number: UInt32) throws(LMDBError) {
        center.heldCount -= 1
        guard center.heldCount == 0 else { return }
        try forgetSummary(of: &center, number: number)
    }

    /// Presents what waits, the most relevant first (SSM-2, SSM-3).
    ///
    /// - Complexity: O(*n*) in the center's list, which is limited.
    func presentSummary(of number: UInt32) throws(LMDBError) {
        var center = try center(number)
        var shown: [ListedNotification] = []
        for (key, row) in try heldRows(of: number) {
            var row = row
            row.isHeld = false
            try transaction.put(row.bytes, forKey: key, in: tables.delivered)
            let request = try transaction.record(row.sequence, tables).request
            var delivery = ByteReader(key, from: 4)
            shown.append(
                ListedNotification(
                    app: center.name.app,
                    identifier: request.identifier,
                    delivery: try delivery.number(),
                    date: row.date,
                    content: request.content
                )
            )
        }
        guard shown.count == center.heldCount else {
            throw .disagrees(Key.number(number), in: tables.centers)
        }
        center.heldCount = 0
        try forgetSummary(of: &center, number: number)
        shown.sort { $0.isAboveInSummary($1) }
        try tellSummary(shown, of: center)
        try record(
            .summaryPresented(
                shown.map { Event.Shown(identifier: $0.identifier, delivery: $0.delivery) }
            ),
            for: &center,
            number: number
        )
        setCenter(number, center)
    }

    /// Finds when a center's summary is due now that its times, its zone or the clock are others.
    ///
    /// Where the app has no summary any more, what waits is presented at once.
    ///
    /// - Parameters:
    ///   - number: The center's number.
    ///   - since: When that changed; a summary that was due by then is presented as it was.
    /// - Throws: What the store reports.
    func recalculateSummary(of number: UInt32, since: WallInstant) throws(LMDBError) {
        var center = try center(number)
        guard let before = center.summaryDue else {
            throw .disagrees(Key.number(number), in: tables.centers)
        }
        guard before > since || !before.isTime else { return }
        let device = try device(of: center)
        try noteVersion(ofZone: zoneName("", on: device))
        guard let due = try nextSummary(of: center, after: since) else {
            return try presentSummary(of: number)
        }
        guard due != before else { return }
        let row = Key.due(before.nanoseconds, number: Key.summaryNumber(number))
        try transaction.deleteExisting(row, in: tables.dueWall)
        center.summaryDue = due
        try putSummary(of: number, due: due)
        setCenter(number, center)
    }

    /// Presents what waits of an app that was taken out of the summary, which needs no clock.
    func presentUnlessInSummary(_ number: UInt32) throws(LMDBError) {
        let center = try center(number)
        guard center.heldCount > 0,
            try nextSummary(of: center, after: now.wall) == nil
        else { return }
        try presentSummary(of: number)
    }

    /// Gives when a center's summary is next due; nil where its app is in none.
    private func nextSummary(
        of center: CenterState,
        after instant: WallInstant
    ) throws(LMDBError) -> WallInstant? {
        let device = try device(of: center)
        guard device.summary.apps.contains(center.name.app) else { return nil }
        let rules = zone(named: "", on: device)?.rules ?? .utc
        return device.summary.nextDate(after: instant, in: rules)
    }

    private func putSummary(of number: UInt32, due: WallInstant) throws(LMDBError) {
        let row = Key.due(due.nanoseconds, number: Key.summaryNumber(number))
        try transaction.put(Key.number(number), forKey: row, in: tables.dueWall)
    }

    private func forgetSummary(of center: inout CenterState, number: UInt32) throws(LMDBError) {
        guard let due = center.summaryDue.take() else {
            throw .disagrees(Key.number(number), in: tables.centers)
        }
        state.unsettled?.summaries -= 1
        let summary = Key.summaryNumber(number)
        let row = Key.due(due.nanoseconds, number: summary)
        try transaction.deleteExisting(row, in: tables.dueWall)
        let key = Key.floating(center: number, sequence: summary)
        try transaction.deleteExisting(key, in: tables.zones)
    }

    private func heldRows(
        of number: UInt32
    ) throws(LMDBError) -> [(key: [UInt8], row: DeliveredRecord)] {
        try transaction.withCursor(in: tables.delivered) { cursor throws(LMDBError) in
            var rows: [(key: [UInt8], row: DeliveredRecord)] = []
            var found = try cursor.seek(atOrAfter: Key.number(number))
            while found {
                let (key, value) = try cursor.entry()
                guard Key.belongs(key, to: number) else { break }
                let row = try DeliveredRecord(value)
                if row.isHeld { rows.append((key, row)) }
                found = try cursor.move(to: .next)
            }
            return rows
        }
    }

    // MARK: Which apps are in it

    /// Puts an app into its device's summary, or takes it out, as a setting says.
    func setInSummary(_ setting: NotificationSetting, _ center: CenterState) throws(LMDBError) {
        guard setting != center.settings.scheduledDelivery else { return }
        let name = center.name
        var device = try device(of: center)
        if setting == .enabled {
            device.summary.apps.insert(name.app)
        } else {
            device.summary.apps.remove(name.app)
        }
        guard device != self.devices[name.device] else { return }
        try setDevice(name.device, to: device)
    }

    /// Has the settings of a device's apps say whether they are in its summary (SSM-1).
    ///
    /// - Complexity: O(*n*) in the apps of the device; a person changes the summary now and then.
    func summaryChanged(on device: String) throws(LMDBError) {
        let prefix = Key.centerNumbers(device: device)
        let numbers = try transaction.withCursor(in: tables.centerNumbers) {
            cursor throws(LMDBError) in
            var numbers: [UInt32] = []
            var found = try cursor.seek(atOrAfter: prefix)
            while found {
                let (key, value) = try cursor.entry()
                guard key.starts(with: prefix) else { break }
                var reader = ByteReader(value)
                numbers.append(try reader.number())
                found = try cursor.move(to: .next)
            }
            return numbers
        }
        for number in numbers where begin(center: number) {
            var center = try center(number)
            let settings = center.settings
            guard settings.authorizationStatus != .notDetermined else { continue }
            try change(settings, of: &center, number: number)
            setCenter(number, center)
            // Else it is done in slices, with the dates of those that are in it.
            if !now.wall.isTime { try presentUnlessInSummary(number) }
        }
        endWork()
    }
}
