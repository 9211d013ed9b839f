package import NotificationCore

/// A center's state as the `centers` table keeps it.
package struct CenterRecord: TableRow {
    /// The center.
    package let center: CenterState

    /// The row of a center.
    package init(_ center: CenterState) { self.center = center }

    private static let version: UInt8 = 7

    /// The row as it is in the file.
    package var bytes: [UInt8] {
        var writer = ByteWriter(version: Self.version, capacity: 128)
        writer.put(center.name.app)
        writer.put(center.name.device)
        writer.put(center.badge)
        writer.putVarint(UInt64(center.pendingCount))
        writer.putVarint(UInt64(center.deliveredCount))
        writer.putVarint(UInt64(center.heldCount))
        writer.put(center.summaryDue) { $0.put($1.nanoseconds) }
        writer.putVarint(UInt64(center.arrivingCount))
        writer.putVarint(UInt64(center.openResponseCount))
        writer.putVarint(UInt64(center.endedCallbackCount))
        writer.put(center.openPrompt) { $0.put($1) }
        writer.put(center.lastEvent)
        writer.put(center.firstEvent)
        writer.putVarint(UInt64(center.eventBytes))
        writer.put(center.lastDelivery)
        writer.put(center.expiry) { $0.put($1.nanoseconds) }
        center.settings.write(to: &writer)
        writer.putVarint(UInt64(center.banners.count))
        for banner in center.banners {
            writer.put(banner.identifier)
            writer.put(banner.delivery)
            writer.put(banner.sequence)
            writer.put(banner.event)
            writer.put(banner.date.nanoseconds)
            writer.put(banner.end.nanoseconds)
            writer.put(banner.ownReplacementKey)
            writer.put(banner.isActedOn)
        }
        writer.putVarint(UInt64(center.snoozedCount))
        writer.put(center.pendingBytes) { $0.putVarint(UInt64($1)) }
        writer.putVarint(UInt64(center.countedBytes))
        writer.put(center.categories) { writer, totals in
            writer.putVarint(UInt64(totals.count))
            writer.putVarint(UInt64(totals.byteCount))
            writer.putVarint(UInt64(totals.comparedActions))
        }
        writer.put(center.rowBytes) { $0.putVarint(UInt64($1)) }
        return writer.sealed()
    }

    /// Reads a row of this version or of an older version.
    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        // Version 1 had no callbacks and no prompts, version 2 no summary, version 3 no banners,
        // version 4 no snoozes, version 5 no count of bytes, version 6 none of categories and of
        // the other rows.
        let found = try reader.version(upTo: Self.version)
        var center = CenterState(
            name: try reader.centerName()
        )
        center.badge = try reader.number()
        center.pendingCount = try reader.count()
        center.deliveredCount = try reader.count()
        if found > 2 {
            center.heldCount = try reader.count()
            center.summaryDue = try reader.optional { reader throws(RowProblem) in
                WallInstant(nanoseconds: try reader.number())
            }
        }
        if found > 1 {
            center.arrivingCount = try reader.count()
            center.openResponseCount = try reader.count()
            center.endedCallbackCount = try reader.count()
            center.openPrompt = try reader.optional { reader throws(RowProblem) in
                try reader.serial()
            }
        }
        center.lastEvent = try reader.serial()
        center.firstEvent = try reader.serial()
        center.eventBytes = try reader.count()
        center.lastDelivery = try reader.serial()
        center.expiry = try reader.optional { reader throws(RowProblem) in
            ElapsedInstant(nanoseconds: try reader.number())
        }
        center.settings = try NotificationSettings(&reader)
        if found > 3 {
            for _ in 0..<(try reader.count()) {
                center.banners.append(try Self.banner(&reader, found))
            }
        }
        if found > 4 { center.snoozedCount = try reader.count() }
        if found > 5 {
            center.pendingBytes = try reader.optional { reader throws(RowProblem) in
                try reader.count()
            }
            center.countedBytes = try reader.count()
        } else {
            center.pendingBytes = nil
        }
        center.categories = nil
        center.rowBytes = nil
        if found > 6 {
            center.categories = try reader.optional { reader throws(RowProblem) in
                var totals = CategoryTotals()
                totals.count = try reader.count()
                totals.byteCount = try reader.count()
                totals.comparedActions = try reader.count()
                return totals
            }
            center.rowBytes = try reader.optional { reader throws(RowProblem) in
                try reader.count()
            }
        }
        guard reader.isAtEnd else { throw .undecodable }
        self.center = center
    }

    private static func banner(
        _ reader: inout ByteReader,
        _ version: UInt8
    ) throws(RowProblem) -> ShownBanner {
        var banner = ShownBanner(
            identifier: try reader.text(),
            delivery: try reader.serial(),
            sequence: try reader.serial(),
            event: version > 4 ? try reader.serial() : 0,
            date: WallInstant(nanoseconds: try reader.number()),
            end: ElapsedInstant(nanoseconds: try reader.number()),
            ownReplacementKey: version > 5 ? try reader.text() : ""
        )
        if version > 5 { banner.isActedOn = try reader.bool() }
        return banner
    }
}

extension ByteReader {
    /// Reads the name of a center: its app, then its device.
    package mutating func centerName() throws(RowProblem) -> CenterName {
        let (app, device) = (try text(), try text())
        do {
            return try CenterName(app: app, device: device)
        } catch {
            throw .undecodable
        }
    }
}
