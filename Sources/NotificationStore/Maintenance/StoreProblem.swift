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

/// Reads the keys of the tables, for a person.
enum KeyText {
    /// Writes a key by its table's layout; a key with another layout is written as bytes.
    static func describe(_ key: [UInt8], in table: TableName) -> String {
        switch table {
        case .meta, .zoneVersions, .attachmentOwners, .pushOwners, .registrants:
            String(decoding: key, as: UTF8.self)
        case .centerNumbers: centerName(key) ?? hexadecimal(key)
        case .endedNumbers: hexadecimal(key)
        case .centers, .apps, .leaving, .backgroundWork, .locationAccess:
            text(key) { (key: CenterNumber) in "center \(key)" }
        case .records, .attachmentUses: text(key) { (key: RequestNumber) in "request \(key)" }
        case .released: text(key, released)
        case .prompts: text(key) { (key: PromptNumber) in "prompt \(key)" }
        case .identifiers: identifier("identifier", key)
        case .categories: identifier("category", key)
        case .actionMeanings:
            text(key) { (key: ActionMeaningKey) in
                "center \(key.center), action \(key.action) of category \"\(key.category)\""
            }
        case .dueElapsed, .dueWall: text(key, due)
        case .zones: text(key, zone)
        case .callbacks, .endedCallbacks: counted("callback", key)
        case .serviceArrivals, .backgroundPushes: counted("push", key)
        case .extensionQuestions: ofApp("callback", key)
        case .delivered, .snoozed: counted("delivery", key)
        case .events: counted("event", key)
        case .expiry:
            text(key) { (key: ExpiryKey) in "\(instant(key)), center \(key.rest)" }
        case .stringTables: stringTable(key) ?? hexadecimal(key)
        case .devices, .sensors, .webPushes: "device " + String(decoding: key, as: UTF8.self)
        case .focusChanges:
            text(key) { (key: FocusChangeKey) in "\(instant(key)), device \(key.rest.name)" }
        case .unlockWaits: ofDevice("action", key)
        case .sounds: text(key) { (key: SoundKey) in "sound \"\(key.name)\" of \(key.app)" }
        case .attachments: text(key, attachment)
        case .attachmentExpiry:
            text(key) { (key: AttachmentExpiryKey) in "\(instant(key)), \(attachment(key.rest))" }
        case .registrations:
            text(key) { (key: RegistrationKey) in "\(key.center.app) on \(key.center.device)" }
        // The first bytes of a token are enough to find the row; a whole token would let its reader
        // push.
        case .deviceTokens: "token \(key.prefix(4).hexadecimal)…"
        case .pushReceipts:
            text(key) { (key: PushReceiptKey) in
                "center \(key.center), push \(UUIDForm.text(key.apnsID))"
            }
        case .pushOrder: text(key) { (key: OwnedOrderKey) in "push \(key.number)" }
        case .endedTokens: text(key) { (key: OwnedOrderKey) in "end \(key.number)" }
        case .tags: text(key) { (key: TagKey) in "\(key.tag) of \(key.app) on \(key.device)" }
        case .tagPushes: ofApp("push", key)
        case .tagPushOutcomes:
            text(key) { (key: TagPushOutcomeKey) in
                "push \(key.push.number), outcome \(key.number)"
            }
        case .richInbox: counted("rich push", key)
        case .richAddressees:
            text(key) { (key: RichAddresseeKey) in
                "rich push \(key.richPush.number) of \(key.richPush.app), center \(key.center)"
            }
        case .richPushes: ofApp("rich push", key)
        case .pushWork, .pushDates: text(key, pushWork)
        case .accounts: String(decoding: key.dropFirst(), as: UTF8.self)
        case .keyOwners: text(key) { (key: KeyOwnerKey) in UUIDForm.text(key.identifier.bytes) }
        case .idempotency: text(key) { (key: OnceIdentifier) in UUIDForm.text(key.bytes) }
        case .regions: text(key) { (key: RegionKey) in region(key.request, key.device) }
        case .regionNames:
            text(key) { (key: RegionNameKey) in
                "center \(key.center), region \"\(key.identifier)\" of request \(key.request)"
            }
        case .regionStates: text(key) { (key: RegionStateKey) in region(key.request, key.device) }
        case .sensorWork: ofDevice("report", key)
        case .openCommands: text(key) { (key: StoreOrderKey) in "command \(key.number)" }
        }
    }

    private static func text<Key: TableKey>(_ key: [UInt8], _ text: (Key) -> String) -> String {
        (try? Key(key)).map(text) ?? hexadecimal(key)
    }

    private static func instant(_ key: some InstantKey) -> String {
        "instant \(UInt64(bitPattern: key.instant.nanoseconds))"
    }

    /// The text of a key that is a center and a number, which is the same whatever is counted.
    private static func counted(_ kind: String, _ key: [UInt8]) -> String {
        text(key) { (key: EventKey) in "center \(key.center), \(kind) \(key.number)" }
    }

    private static func ofApp(_ kind: String, _ key: [UInt8]) -> String {
        text(key) { (key: TagPushKey) in "\(kind) \(key.number) of \(key.app)" }
    }

    private static func ofDevice(_ kind: String, _ key: [UInt8]) -> String {
        text(key) { (key: UnlockWaitKey) in "device \(key.device), \(kind) \(key.number)" }
    }

    private static func identifier(_ kind: String, _ key: [UInt8]) -> String {
        text(key) { (key: IdentifierKey) in
            "center \(key.center), \(kind) \"\(key.identifier)\""
        }
    }

    private static func region(_ request: RequestNumber, _ device: String) -> String {
        "device \(device), region of request \(request)"
    }

    private static func released(_ key: ReleasedKey) -> String {
        let requests = key.requests
        return "requests \(requests[0]) to \(requests[requests.count - 1])"
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

    private static func zone(_ key: ZoneKey) -> String {
        switch key.dated {
        case .summary: "zone \"\(key.zone)\", summary of center \(key.center)"
        case .request(let request):
            "zone \"\(key.zone)\", center \(key.center), request \(request)"
        }
    }

    /// Describes the key of a due index: of a request, a callback, a summary or a
    /// snooze.
    private static func due(_ key: DueKey<WallInstant>) -> String {
        let what =
            key.summary.map { "summary of center \($0)" }
            ?? key.snoozed.map { "snooze of request \($0)" }
            ?? RegionMark.request(of: key.number).map { "region of request \($0)" }
            ?? "request \(key.number)"
        return "\(instant(key)), \(what)"
    }

    private static func attachment(_ key: AttachmentKey) -> String {
        "\(UUIDForm.text(key.identifier.bytes)) of \(key.app)"
    }

    private static func pushWork(_ key: PushWorkKey<WallInstant>) -> String {
        "instant \(key.instant.nanoseconds), \(key.kind) \(key.number) of \(key.app)"
    }

    private static func hexadecimal(_ key: [UInt8]) -> String { "0x" + key.hexadecimal }
}
