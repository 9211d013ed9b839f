/// The tables of a store, by their names in the file.
///
/// They stand in the order in which a check reads them: the rules of a later table use the counts
/// of an earlier table. The log names a table by its place: a change of the order is one of the
/// format.
@usableFromInline
package enum TableName: String, CaseIterable, Sendable {
    // Each case is described at its table in ``Tables``.
    case meta
    case categories
    case actionMeanings = "action_meanings"
    case stringTables = "string_tables"
    case locationAccess = "location_access"
    case regions
    case regionNames = "region_names"
    case regionStates = "region_states"
    case sensors
    case sensorWork = "sensor_work"
    case openCommands = "open_commands"
    case identifiers
    case callbacks
    case endedCallbacks = "ended_callbacks"
    case serviceArrivals = "service_arrivals"
    case extensionQuestions = "extension_questions"
    case dueElapsed = "due_elapsed"
    case dueWall = "due_wall"
    case zones
    case zoneVersions = "zone_versions"
    case delivered
    case snoozed
    case events
    case apps
    case prompts
    case leaving
    case backgroundPushes = "background_pushes"
    case backgroundWork = "background_work"
    case pushReceipts = "push_receipts"
    case richInbox = "rich_inbox"
    case registrations
    case tags
    case centers
    case endedNumbers = "ended_numbers"
    case expiry
    case centerNumbers = "center_numbers"
    case released
    case records
    case devices
    case focusChanges = "focus_changes"
    case unlockWaits = "unlock_waits"
    case webPushes = "web_pushes"
    case sounds
    case attachmentUses = "attachment_uses"
    case tagPushes = "tag_pushes"
    case tagPushOutcomes = "tag_push_outcomes"
    case richAddressees = "rich_addressees"
    case richPushes = "rich"
    case pushWork = "push_work"
    case pushDates = "push_dates"
    case pushOwners = "push_owners"
    case attachments
    case attachmentOwners = "attachment_owners"
    case attachmentExpiry = "attachment_expiry"
    case deviceTokens = "device_tokens"
    case endedTokens = "ended_tokens"
    case pushOrder = "push_order"
    case accounts
    case idempotency
    case keyOwners = "key_owners"
    case registrants
}

extension TableName {
    /// The place of the table among all.
    var index: Int { Self.indices[self] ?? 0 }

    private static let indices = Dictionary(
        uniqueKeysWithValues: allCases.enumerated().map { ($1, $0) }
    )

    /// The tables whose rows are counted where they come and go, since a limit is on their number.
    package static let counted: Set<TableName> = [
        .records, .centers, .idempotency, .endedTokens, .pushOrder,
    ]
    /// Whether a table is one of ``counted``, by its place among all.
    static let isCounted = allCases.map(counted.contains)
}
