/// A table whose rows are written into its tree later than they change, many at a time and in the
/// order of the keys (ST-7).
///
/// Until then the changes are in the log of changes and in memory, where every read looks first.
///
/// Some lagging tables are merged: their keys are random where requests are added and fired, so
/// that a merge takes many thousand changes at once. The others gather: their rows are few for each
/// batch and beside each other in the tree, so that some dozens are worth a write.
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
    case records
    case idempotency
    case centers
    case state

    /// The place of the table's changes among those of all lagging tables.
    var index: Int { Int(rawValue) - 1 }

    static let gathering: [LaggingTable] = allCases.filter(\.gathers)

    /// Whether the table gathers, instead of being merged.
    @usableFromInline
    var gathers: Bool {
        switch self {
        case .records, .idempotency, .centers, .state: true
        case .identifiers, .dueElapsed, .dueWall, .zones, .delivered, .events, .released: false
        }
    }

    /// Whether a deletion is done in the tree at once, instead of later.
    ///
    /// So it is where rows are taken from the front: a deletion that waits would have to be passed
    /// by every later look at the front. And so it is where rows gather, which are deleted many at
    /// a time.
    @usableFromInline
    var deletesAtOnce: Bool {
        switch self {
        case .dueElapsed, .dueWall, .zones, .delivered: true
        case .records, .idempotency, .centers, .state: true
        case .identifiers, .events, .released: false
        }
    }

    /// The lagging table of a name; nil for a table that does not lag.
    ///
    /// Of the store-wide facts only the state lags, which ``Tables`` knows.
    package init?(_ name: TableName) {
        switch name {
        case .identifiers: self = .identifiers
        case .dueElapsed: self = .dueElapsed
        case .dueWall: self = .dueWall
        case .zones: self = .zones
        case .delivered: self = .delivered
        case .events: self = .events
        case .released: self = .released
        case .records: self = .records
        case .idempotency: self = .idempotency
        case .centers: self = .centers
        default: return nil
        }
    }
}
