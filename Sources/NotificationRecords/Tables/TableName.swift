/// The tables of a store, by their names in the file.
///
/// They stand in the order in which a check reads them: the rules of a later table use the counts
/// of an earlier table.
@usableFromInline
package enum TableName: String, CaseIterable, Sendable {
    // Each case is described at its table in ``Tables``.
    case meta
    case categories
    case stringTables = "string_tables"
    case identifiers
    case callbacks
    case endedCallbacks = "ended_callbacks"
    case dueElapsed = "due_elapsed"
    case dueWall = "due_wall"
    case zones
    case zoneVersions = "zone_versions"
    case delivered
    case events
    case apps
    case prompts
    case leaving
    case centers
    case expiry
    case centerNumbers = "center_numbers"
    case records
    case devices
    case unlockWaits = "unlock_waits"
    case sounds
    case attachmentUses = "attachment_uses"
    case attachments
    case attachmentOwners = "attachment_owners"
    case attachmentExpiry = "attachment_expiry"
    case registrations
    case deviceTokens = "device_tokens"
    case endedTokens = "ended_tokens"
    case idempotency
}
