internal import NotificationCore
internal import NotificationRecords

/// A row that does not decode, breaks a rule, or disagrees with another row.
///
/// The text names rows by their numbers and identifiers, and never holds a notification's content.
package struct StoreProblem: Hashable, Sendable, CustomStringConvertible {
    package var table: String
    package var key: String
    /// The problem, for a person.
    package var explanation: String
    /// The row's key; nil where a page of the file is damaged.
    var row: [UInt8]?

    /// Stands for a table where the log is damaged.
    static let log = "log"

    /// The table, the key and what is wrong, on one line.
    package var description: String { "\(table) \(key): \(explanation)" }
}

/// Reads the keys of the tables, for a person and for the rules.
enum KeyText {
    /// Writes a key by its table's layout; a key with another layout is written as bytes.
    static func describe(_ key: [UInt8], in table: TableName) -> String {
        switch table {
        case .meta, .zoneVersions, .attachmentOwners, .pushOwners, .registrants:
            String(decoding: key, as: UTF8.self)
        case .centerNumbers: centerName(key) ?? hexadecimal(key)
        case .endedNumbers: hexadecimal(key)
        case .centers, .apps, .leaving, .backgroundWork, .locationAccess:
            numbers(key, [4]).map { "center \($0[0])" } ?? hexadecimal(key)
        case .records, .attachmentUses: numbered("request", key)
        case .released: released(key) ?? hexadecimal(key)
        case .prompts: numbered("prompt", key)
        case .identifiers: identifier(key) ?? hexadecimal(key)
        case .categories, .actionMeanings: category(key, of: table) ?? hexadecimal(key)
        case .dueElapsed, .dueWall: due(key) ?? hexadecimal(key)
        case .zones: zone(key) ?? hexadecimal(key)
        case .callbacks, .endedCallbacks:
            numbers(key, [4, 8]).map { "center \($0[0]), callback \($0[1])" } ?? hexadecimal(key)
        case .serviceArrivals, .backgroundPushes:
            numbers(key, [4, 8]).map { "center \($0[0]), push \($0[1])" } ?? hexadecimal(key)
        case .extensionQuestions: extensionQuestion(key) ?? hexadecimal(key)
        case .delivered, .snoozed:
            numbers(key, [4, 8]).map { "center \($0[0]), delivery \($0[1])" } ?? hexadecimal(key)
        case .events:
            numbers(key, [4, 8]).map { "center \($0[0]), event \($0[1])" } ?? hexadecimal(key)
        case .expiry:
            numbers(key, [8, 4]).map { "instant \($0[0]), center \($0[1])" } ?? hexadecimal(key)
        case .stringTables: stringTable(key) ?? hexadecimal(key)
        case .devices, .sensors, .webPushes: "device " + String(decoding: key, as: UTF8.self)
        case .focusChanges:
            (try? FocusChangeKey(key)).map {
                "instant \(UInt64(bitPattern: $0.instant.nanoseconds)), device \($0.rest.name)"
            } ?? hexadecimal(key)
        case .unlockWaits: unlockWait(key) ?? hexadecimal(key)
        case .sounds: sound(key) ?? hexadecimal(key)
        case .attachments: attachment(key) ?? hexadecimal(key)
        case .attachmentExpiry: attachmentExpiry(key) ?? hexadecimal(key)
        case .registrations: registration(key) ?? hexadecimal(key)
        // The first bytes of a token are enough to find the row; a whole token would let its reader
        // push.
        case .deviceTokens: "token \(key.prefix(4).hexadecimal)…"
        case .pushReceipts:
            numbers(key, [4, 8, 8]).map {
                "center \($0[0]), push \(UUIDForm.text(Array(key.suffix(16))))"
            } ?? hexadecimal(key)
        case .pushOrder: numbers(key, [8, 8, 8]).map { "push \($0[2])" } ?? hexadecimal(key)
        case .endedTokens: numbers(key, [8, 8, 8]).map { "end \($0[2])" } ?? hexadecimal(key)
        case .tags:
            (try? TagKey(key)).map { "\($0.tag) of \($0.app) on \($0.device)" }
                ?? hexadecimal(key)
        case .tagPushes:
            (try? TagPushKey(key)).map { "push \($0.number) of \($0.app)" } ?? hexadecimal(key)
        case .tagPushOutcomes:
            (try? TagPushOutcomeKey(key)).map { "push \($0.push.number), outcome \($0.number)" }
                ?? hexadecimal(key)
        case .richInbox:
            numbers(key, [4, 8]).map { "center \($0[0]), rich push \($0[1])" }
                ?? hexadecimal(key)
        case .richAddressees: richAddressee(key) ?? hexadecimal(key)
        case .richPushes: richPush(key) ?? hexadecimal(key)
        case .pushWork: pushWork(key, ElapsedInstant.self) ?? hexadecimal(key)
        case .pushDates: pushWork(key, WallInstant.self) ?? hexadecimal(key)
        case .accounts: String(decoding: key.dropFirst(), as: UTF8.self)
        case .keyOwners: uuid(Array(key.suffix(16))) ?? hexadecimal(key)
        case .idempotency: uuid(key) ?? hexadecimal(key)
        case .regions: region(key) ?? hexadecimal(key)
        case .regionNames: regionName(key) ?? hexadecimal(key)
        case .regionStates: regionState(key) ?? hexadecimal(key)
        case .sensorWork: sensorWork(key) ?? hexadecimal(key)
        case .openCommands: numbered("command", key)
        }
    }

    /// The big-endian numbers of a key, by their sizes in bytes; nil where the key has another
    /// size.
    static func numbers(_ key: [UInt8], _ sizes: [Int]) -> [UInt64]? {
        guard key.count == sizes.reduce(0, +) else { return nil }
        var rest = key[...]
        return sizes.map { size in
            defer { rest = rest.dropFirst(size) }
            return rest.prefix(size).reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private static func released(_ key: [UInt8]) -> String? {
        guard let requests = (try? ReleasedKey(key))?.requests else { return nil }
        return "requests \(requests[0]) to \(requests[requests.count - 1])"
    }

    /// The text of a key that is one number.
    private static func numbered(_ kind: String, _ key: [UInt8]) -> String {
        numbers(key, [8]).map { "\(kind) \($0[0])" } ?? hexadecimal(key)
    }

    private static func registration(_ key: [UInt8]) -> String? {
        (try? RegistrationKey(key)).map { "\($0.center.app) on \($0.center.device)" }
    }

    private static func centerName(_ key: [UInt8]) -> String? {
        let parts = key.split(separator: 0, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let names = parts.map { String(decoding: $0, as: UTF8.self) }
        return "\(names[1]) on \(names[0])"
    }

    private static func stringTable(_ key: [UInt8]) -> String? {
        StringTable(key: key).map { "\($0.app) in \($0.language)" }
    }

    private static func identifier(_ key: [UInt8], _ of: String = "identifier") -> String? {
        guard key.count > 4, let center = numbers(Array(key.prefix(4)), [4])?.first else {
            return nil
        }
        return "center \(center), \(of) \"\(String(decoding: key.dropFirst(4), as: UTF8.self))\""
    }

    private static func category(_ key: [UInt8], of table: TableName) -> String? {
        guard table == .actionMeanings else { return identifier(key, "category") }
        return (try? ActionMeaningKey(key)).map {
            "center \($0.center), action \($0.action) of category \"\($0.category)\""
        }
    }

    private static func unlockWait(_ key: [UInt8]) -> String? {
        guard key.count > 9, let number = numbers(Array(key.suffix(8)), [8])?.first else {
            return nil
        }
        return "device \(String(decoding: key.dropLast(9), as: UTF8.self)), action \(number)"
    }

    private static func extensionQuestion(_ key: [UInt8]) -> String? {
        (try? ExtensionQuestionKey(key)).map { "callback \($0.number) of \($0.app)" }
    }

    private static func zone(_ key: [UInt8]) -> String? {
        guard let zone = try? ZoneKey(key) else { return nil }
        switch zone.dated {
        case .summary: return "zone \"\(zone.zone)\", summary of center \(zone.center)"
        case .request(let request):
            return "zone \"\(zone.zone)\", center \(zone.center), request \(request)"
        }
    }

    /// Describes the key of a due index: of a request, a callback, a summary or a
    /// snooze.
    private static func due(_ key: [UInt8]) -> String? {
        guard let due = try? DueKey<WallInstant>(key) else { return nil }
        let what =
            due.summary.map { "summary of center \($0)" }
            ?? due.snoozed.map { "snooze of request \($0)" }
            ?? RegionMark.request(of: due.number).map { "region of request \($0)" }
            ?? "request \(due.number)"
        return "instant \(UInt64(bitPattern: due.instant.nanoseconds)), \(what)"
    }

    private static func uuid(_ key: [UInt8]) -> String? {
        key.count == 16 ? UUIDForm.text(key) : nil
    }

    private static func sound(_ key: [UInt8]) -> String? {
        guard let end = key.firstIndex(of: 0) else { return nil }
        let name = String(decoding: key[(end + 1)...], as: UTF8.self)
        return "sound \"\(name)\" of \(String(decoding: key[..<end], as: UTF8.self))"
    }

    /// Reads the key of an attachment, which begins at an offset of a key.
    private static func attachment(_ key: [UInt8], from begin: Int = 0) -> String? {
        guard key.count > begin + 17, key[key.count - 17] == 0 else { return nil }
        let app = String(decoding: key[begin..<key.count - 17], as: UTF8.self)
        return "\(UUIDForm.text(Array(key.suffix(16)))) of \(app)"
    }

    private static func attachmentExpiry(_ key: [UInt8]) -> String? {
        guard key.count > 8, let instant = numbers(Array(key.prefix(8)), [8])?.first else {
            return nil
        }
        return attachment(key, from: 8).map { "instant \(instant), \($0)" }
    }

    private static func region(_ key: [UInt8]) -> String? {
        guard let region = try? RegionKey(key) else { return nil }
        return "device \(region.device), region of request \(region.request)"
    }

    private static func regionName(_ key: [UInt8]) -> String? {
        guard let name = try? RegionNameKey(key) else { return nil }
        return "center \(name.center), region \"\(name.identifier)\" of request \(name.request)"
    }

    private static func regionState(_ key: [UInt8]) -> String? {
        guard let state = try? RegionStateKey(key) else { return nil }
        return "device \(state.device), region of request \(state.request)"
    }

    private static func sensorWork(_ key: [UInt8]) -> String? {
        guard let work = try? SensorWorkKey(key) else { return nil }
        return "device \(work.device), report \(work.number)"
    }

    private static func richPush(_ key: [UInt8]) -> String? {
        (try? RichPushKey(key)).map { "rich push \($0.number) of \($0.app)" }
    }

    private static func richAddressee(_ key: [UInt8]) -> String? {
        guard let key = try? RichAddresseeKey(key), let text = richPush(key.richPush.bytes) else {
            return nil
        }
        return "\(text), center \(key.center)"
    }

    private static func pushWork<Instant: IndexedInstant>(
        _ key: [UInt8],
        _: Instant.Type
    ) -> String? {
        guard let key = try? PushWorkKey<Instant>(key) else { return nil }
        return "instant \(key.instant.nanoseconds), \(key.kind) \(key.number) of \(key.app)"
    }

    private static func hexadecimal(_ key: [UInt8]) -> String {
        "0x" + key.hexadecimal
    }
}
