internal import LMDB
internal import NotificationCore

/// A center's state as the `centers` table keeps it.
enum CenterRecord {
    private static let version: UInt8 = 3

    static func bytes(of center: NotificationCenter) -> [UInt8] {
        var writer = ByteWriter(capacity: 128)
        writer.put(version)
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
        return writer.bytes
    }

    static func center(_ bytes: [UInt8]) throws(LMDBError) -> NotificationCenter {
        var reader = ByteReader(bytes)
        // Version 1 knew no callbacks and no prompts, version 2 no summary.
        let found: UInt8 = try reader.number()
        guard (1...version).contains(found) else { throw ByteReader.corrupted }
        var center = NotificationCenter(
            name: try name(app: try reader.text(), device: try reader.text())
        )
        center.badge = try reader.number()
        center.pendingCount = try reader.count()
        center.deliveredCount = try reader.count()
        if found > 2 {
            center.heldCount = try reader.count()
            center.summaryDue = try reader.optional { reader throws(LMDBError) in
                WallInstant(nanoseconds: try reader.number())
            }
        }
        if found > 1 {
            center.arrivingCount = try reader.count()
            center.openResponseCount = try reader.count()
            center.endedCallbackCount = try reader.count()
            center.openPrompt = try reader.optional { reader throws(LMDBError) in
                try reader.number()
            }
        }
        center.lastEvent = try reader.number()
        center.firstEvent = try reader.number()
        center.eventBytes = try reader.count()
        center.lastDelivery = try reader.number()
        center.expiry = try reader.optional { reader throws(LMDBError) in
            ElapsedInstant(nanoseconds: try reader.number())
        }
        center.settings = try NotificationSettings(&reader)
        guard reader.isAtEnd else { throw ByteReader.corrupted }
        return center
    }

    static func name(app: String, device: String) throws(LMDBError) -> CenterName {
        do {
            return try CenterName(app: app, device: device)
        } catch {
            throw ByteReader.corrupted
        }
    }
}
