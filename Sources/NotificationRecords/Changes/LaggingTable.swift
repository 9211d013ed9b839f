/// A table whose keys are random where requests are added and fired: its rows are written into its
/// tree later than they change, many at a time and in the order of the keys (ST-7).
///
/// Until then the changes are in the log of changes and in memory, where every read looks first.
@usableFromInline
package enum LaggingTable: UInt8, CaseIterable, Sendable {
    // The numbers are in the log.
    case identifiers = 1
    case dueElapsed
    case dueWall
    case zones
    case delivered
    case events
    case released

    /// The place of the table's changes among those of all lagging tables.
    var index: Int { Int(rawValue) - 1 }

    /// Whether a deletion is done in the tree at once, instead of later.
    ///
    /// So it is where rows are taken from the front: a deletion that waits would have to be passed
    /// by every later look at the front.
    @usableFromInline
    var deletesAtOnce: Bool {
        switch self {
        case .dueElapsed, .dueWall, .zones, .delivered: true
        case .identifiers, .events, .released: false
        }
    }

    /// The lagging table of a name; nil for a table that does not lag.
    package init?(_ name: TableName) {
        switch name {
        case .identifiers: self = .identifiers
        case .dueElapsed: self = .dueElapsed
        case .dueWall: self = .dueWall
        case .zones: self = .zones
        case .delivered: self = .delivered
        case .events: self = .events
        case .released: self = .released
        default: return nil
        }
    }

    /// The table's name in the file.
    var name: TableName {
        switch self {
        case .identifiers: .identifiers
        case .dueElapsed: .dueElapsed
        case .dueWall: .dueWall
        case .zones: .zones
        case .delivered: .delivered
        case .events: .events
        case .released: .released
        }
    }
}
