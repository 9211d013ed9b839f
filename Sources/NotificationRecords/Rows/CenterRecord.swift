package import NotificationCore

/// A center's state as the `centers` table keeps it.
package struct CenterRecord: TableRow {
    package let center: CenterState

    package init(_ center: CenterState) { self.center = center }

    package var bytes: [UInt8] {
        var writer = ByteWriter(rowCapacity: 128)
        center.name.write(to: &writer)
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
        writer.put(center.newestReturn)
        writer.put(center.hasUsedKeys)
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
        writer.putVarint(UInt64(center.pendingBytes))
        writer.putVarint(UInt64(center.countedBytes))
        writer.putVarint(UInt64(center.categories.count))
        writer.putVarint(UInt64(center.categories.byteCount))
        writer.putVarint(UInt64(center.categories.comparedActions))
        writer.putVarint(UInt64(center.rowBytes))
        writer.putVarint(UInt64(center.settingsBytes))
        return writer.sealed()
    }

    package init(_ bytes: [UInt8]) throws(RowProblem) {
        var reader = try ByteReader(row: bytes)
        var center = CenterState(name: try reader.value())
        center.badge = try reader.number()
        center.pendingCount = try reader.count()
        center.deliveredCount = try reader.count()
        center.heldCount = try reader.count()
        center.summaryDue = try reader.optional { reader throws(RowProblem) in
            WallInstant(nanoseconds: try reader.number())
        }
        center.arrivingCount = try reader.count()
        center.openResponseCount = try reader.count()
        center.endedCallbackCount = try reader.count()
        center.openPrompt = try reader.optional { reader throws(RowProblem) in
            try reader.serial()
        }
        center.lastEvent = try reader.serial()
        center.firstEvent = try reader.serial()
        center.newestReturn = try reader.serial()
        center.hasUsedKeys = try reader.bool()
        center.eventBytes = try reader.count()
        center.lastDelivery = try reader.serial()
        center.expiry = try reader.optional { reader throws(RowProblem) in
            ElapsedInstant(nanoseconds: try reader.number())
        }
        center.settings = try NotificationSettings(&reader)
        for _ in 0..<(try reader.count()) { center.banners.append(try Self.banner(&reader)) }
        center.snoozedCount = try reader.count()
        center.pendingBytes = try reader.count()
        center.countedBytes = try reader.count()
        center.categories.count = try reader.count()
        center.categories.byteCount = try reader.count()
        center.categories.comparedActions = try reader.count()
        center.rowBytes = try reader.count()
        center.settingsBytes = try reader.count()
        guard reader.isAtEnd else { throw .undecodable }
        self.center = center
    }

    private static func banner(_ reader: inout ByteReader) throws(RowProblem) -> ShownBanner {
        var banner = ShownBanner(
            identifier: try reader.text(),
            delivery: try reader.serial(),
            sequence: try reader.serial(),
            event: try reader.serial(),
            date: WallInstant(nanoseconds: try reader.number()),
            end: ElapsedInstant(nanoseconds: try reader.number()),
            ownReplacementKey: try reader.text()
        )
        banner.isActedOn = try reader.bool()
        return banner
    }
}

/// The name of a center: its app, then its device.
extension CenterName: Coded {
    package func write(to writer: inout ByteWriter) {
        writer.put(app)
        writer.put(device)
    }

    package init(_ reader: inout ByteReader) throws(RowProblem) {
        let (app, device) = (try reader.text(), try reader.text())
        guard let name = try? Self(app: app, device: device) else { throw .undecodable }
        self = name
    }
}
