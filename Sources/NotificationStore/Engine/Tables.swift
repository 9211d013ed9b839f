internal import BelfryLMDB
internal import NotificationCore

/// The store's tables, all opened at the start.
struct Tables {
    /// The format's version, the store-wide state, which is ``StoreState``, and ``PageTokenKey``.
    let meta: Table
    /// Center number by device and app.
    let centerNumbers: Table
    /// ``CenterRecord`` by center number.
    let centers: Table
    /// ``RequestRecord`` by sequence number: appended, and left in place when a request moves.
    let records: Table
    /// ``IdentifierRecord`` by center and identifier.
    let identifiers: Table
    /// The requests and callbacks that wait for elapsed time, by due instant and number: a request
    /// has no value, a callback has its center as the value.
    let dueElapsed: Table
    /// The requests that wait for a date, by due instant and sequence number; no value.
    let dueWall: Table
    /// The requests that wait for a date, by zone, center and sequence number; no value.
    let zones: Table
    /// By the name of a zone, the fingerprint of the zone's rules with which dates were computed.
    let zoneVersions: Table
    /// ``DeliveredRecord`` by center and delivery number.
    let delivered: Table
    /// ``EventRecord`` by center and event number.
    let events: Table
    /// ``CallbackRecord`` by center and number: the open callbacks.
    let callbacks: Table
    /// ``EndedCallbackRecord`` by center and number: the last callbacks that ended.
    let endedCallbacks: Table
    /// ``PromptRecord`` by number: open prompts and ended prompts.
    let prompts: Table
    /// ``AppRecord`` by center number; a center of an older file may have none.
    let apps: Table
    /// The centers whose app was unregistered and whose rows are being removed, by number; no
    /// value.
    let leaving: Table
    /// ``CategoryRecord`` by center and identifier.
    let categories: Table
    /// ``StringTableRecord`` by app and language: on all devices, whether the app is registered or
    /// not.
    let stringTables: Table
    /// ``DeviceRecord`` by device; a device that was never changed has no row.
    let devices: Table
    /// ``UnlockWaitRecord`` by device and number.
    let unlockWaits: Table
    /// The centers with events or notifications that expire, by the instant of the next expiry; no
    /// value.
    let expiry: Table
    /// ``AttachmentRecord`` by app and identifier.
    let attachments: Table
    /// ``AttachmentOwnerRecord`` by app.
    let attachmentOwners: Table
    /// The unreferenced attachments, by the instant of their removal, app and identifier; no value.
    let attachmentExpiry: Table
    /// ``SoundRecord`` by app and name.
    let sounds: Table
    /// ``AttachmentUseRecord`` by sequence number: the attachments of a request that is pending,
    /// arriving or delivered.
    let attachmentUses: Table
    /// ``OnceRecord`` by key: version 7 UUIDs, so most are appended.
    let idempotency: Table

    init(_ environment: Environment) throws(LMDBError) {
        meta = try environment.table("meta")
        centerNumbers = try environment.table("center_numbers")
        centers = try environment.table("centers")
        records = try environment.table("records")
        identifiers = try environment.table("identifiers")
        dueElapsed = try environment.table("due_elapsed")
        dueWall = try environment.table("due_wall")
        zones = try environment.table("zones")
        zoneVersions = try environment.table("zone_versions")
        delivered = try environment.table("delivered")
        callbacks = try environment.table("callbacks")
        endedCallbacks = try environment.table("ended_callbacks")
        prompts = try environment.table("prompts")
        apps = try environment.table("apps")
        leaving = try environment.table("leaving")
        categories = try environment.table("categories")
        stringTables = try environment.table("string_tables")
        devices = try environment.table("devices")
        unlockWaits = try environment.table("unlock_waits")
        events = try environment.table("events")
        expiry = try environment.table("expiry")
        attachments = try environment.table("attachments")
        attachmentOwners = try environment.table("attachment_owners")
        attachmentExpiry = try environment.table("attachment_expiry")
        sounds = try environment.table("sounds")
        attachmentUses = try environment.table("attachment_uses")
        idempotency = try environment.table("idempotency")
    }
}

extension Tables {
    /// Reads both ends of each table and the list of free pages, so that a file with damaged pages
    /// is noticed before the first call is served.
    func readEnds(_ environment: Environment) throws(LMDBError) {
        try environment.read { transaction throws(LMDBError) in
            _ = try transaction.freePageCount()
            for name in StoreRules.TableName.allCases {
                try transaction.withCursor(in: name.table(in: self)) { cursor throws(LMDBError) in
                    if try cursor.move(to: .first) { _ = try cursor.entry() }
                    if try cursor.move(to: .last) { _ = try cursor.entry() }
                }
            }
        }
    }
}

/// The keys of the tables: big-endian, so that keys are in the order of their numbers.
enum Key {
    static let format: [UInt8] = Array("format".utf8)
    static let state: [UInt8] = Array("state".utf8)
    static let pageTokens: [UInt8] = Array("page_tokens".utf8)

    static func centerNumber(_ name: CenterName) -> [UInt8] {
        // No name holds a zero byte, so no two centers share a key.
        Array(name.device.utf8) + [0] + Array(name.app.utf8)
    }

    /// The prefix of the keys of a device's centers.
    static func centerNumbers(device: String) -> [UInt8] { Array(device.utf8) + [0] }

    static func stringTable(app: String, language: String) -> [UInt8] {
        // No name holds a zero byte; case has no meaning in a language's tag.
        Array(app.utf8) + [0] + Array(LanguageTag.canonical(language).utf8)
    }

    static func device(_ device: String) -> [UInt8] { Array(device.utf8) }

    static func unlockWait(_ number: UInt64, device: String) -> [UInt8] {
        unlockWaits(device: device) + Key.number(number)
    }

    /// The prefix of the keys of a device's waiting actions.
    static func unlockWaits(device: String) -> [UInt8] { Array(device.utf8) + [0] }

    static func number<Number: FixedWidthInteger>(_ number: Number) -> [UInt8] {
        var writer = ByteWriter(capacity: 8)
        writer.put(number)
        return writer.bytes
    }

    static func identifier(_ identifier: String, center: UInt32) -> [UInt8] {
        var writer = ByteWriter(capacity: 4 + identifier.utf8.count)
        writer.put(center)
        return writer.bytes + identifier.utf8
    }

    /// The identifier in a key that ``identifier(_:center:)`` made.
    static func identifier(in key: [UInt8]) -> String {
        String(decoding: key.dropFirst(4), as: UTF8.self)
    }

    static func due(_ nanoseconds: Int64, number: UInt64) -> [UInt8] {
        var writer = ByteWriter(capacity: 16)
        writer.put(nanoseconds)
        writer.put(number)
        return writer.bytes
    }

    /// The bit that a center's summary number has and a request's number has not: both are in the
    /// due index.
    private static let summaryMark: UInt64 = 1 << 63

    /// The number of a center's summary in the indexes of dates and of zones.
    static func summaryNumber(_ center: UInt32) -> UInt64 { summaryMark | UInt64(center) }

    /// The center whose summary has the number; nil for the number of a request.
    static func center(ofSummary number: UInt64) -> UInt32? {
        number & summaryMark == 0 ? nil : UInt32(truncatingIfNeeded: number)
    }

    static func zone(_ name: String, center: UInt32, sequence: UInt64) -> [UInt8] {
        zone(name) + number(center) + number(sequence)
    }

    /// The prefix of the keys of a zone's rows.
    static func zone(_ name: String) -> [UInt8] {
        // No name holds a zero byte, so the zones do not mix.
        Array(name.utf8) + [0]
    }

    /// The key of a request or summary that is local to its device's zone.
    static func floating(center: UInt32, sequence: UInt64) -> [UInt8] {
        zone("", center: center, sequence: sequence)
    }

    /// The center in a key that ``floating(center:sequence:)`` made; nil for the key of a named
    /// zone.
    static func center(ofFloating key: [UInt8]) -> UInt32? {
        guard key.first == 0, key.count == 13 else { return nil }
        return key[1...4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// The zone's name in a key that ``zone(_:center:sequence:)`` made.
    static func name(ofZone key: [UInt8]) -> String {
        String(decoding: key.dropLast(13), as: UTF8.self)
    }

    /// The sequence number in a key that ``zone(_:center:sequence:)`` made.
    static func sequence(inZone key: [UInt8]) -> UInt64 {
        key.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The center's number in a key of the index of zones; nil where the key is too short.
    static func center(inZone key: [UInt8]) -> UInt32? {
        guard key.count > 12 else { return nil }
        return key.dropLast(8).suffix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    static func zoneVersion(_ name: String) -> [UInt8] { Array(name.utf8) }

    static func expiry(_ instant: ElapsedInstant, center: UInt32) -> [UInt8] {
        var writer = ByteWriter(capacity: 12)
        writer.put(instant.nanoseconds)
        writer.put(center)
        return writer.bytes
    }

    static func attachment(_ identifier: AttachmentIdentifier, app: String) -> [UInt8] {
        // No name holds a zero byte, so the apps do not mix.
        Array(app.utf8) + [0] + identifier.bytes
    }

    static func attachmentOwner(_ app: String) -> [UInt8] { Array(app.utf8) }

    static func sound(_ name: String, app: String) -> [UInt8] { sounds(of: app) + name.utf8 }

    /// The prefix of the keys of an app's sounds.
    static func sounds(of app: String) -> [UInt8] {
        // No name of an app holds a zero byte, so the apps do not mix.
        Array(app.utf8) + [0]
    }

    static func attachmentExpiry(_ instant: ElapsedInstant, attachment: [UInt8]) -> [UInt8] {
        number(instant.nanoseconds) + attachment
    }

    static func numbered(_ number: UInt64, center: UInt32) -> [UInt8] {
        var writer = ByteWriter(capacity: 12)
        writer.put(center)
        writer.put(number)
        return writer.bytes
    }

    /// The number in a key that ``numbered(_:center:)`` made.
    static func number(inNumbered key: [UInt8]) throws(LMDBError) -> UInt64 {
        var reader = ByteReader(key, from: 4)
        return try reader.number()
    }

    /// Whether `key` begins with `center`, as the keys of a center's rows do.
    static func belongs(_ key: [UInt8], to center: UInt32) -> Bool {
        key.starts(with: number(center))
    }
}
