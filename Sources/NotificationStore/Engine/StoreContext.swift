internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

/// The parts of an open store that its writer, its readers and its maintenance share.
struct StoreContext: Sendable {
    let environment: Environment
    let tables: Tables
    let limits: StoreLimits
    let profile: Profile
    let clock: Clock
    let zones: ZoneDatabase
    let directory: String
    let space: StoreSpace
    let files: AttachmentFiles
    /// The reports of damage and of refusals.
    let reports: Reports
    /// The observer and the sources that the store was opened with.
    let outside: Outside
    let board = PresentationBoard()

    var damage: DamageReport { reports.damage }
    var refusals: RecentRefusals { reports.refusals }
    var apps: any AppPresenceSource { outside.apps }
    var extensions: any ExtensionPresenceSource { outside.extensions }
    var observer: any CommitObserver { outside.observer }

    /// The data file.
    var path: String { Self.path(in: directory) }

    static func path(in directory: String) -> String {
        DataDirectoryEntry.store.path(in: directory)
    }
}

struct Reports: Sendable {
    let damage: DamageReport
    let refusals = RecentRefusals()
}

/// The objects outside the store that it asks and tells.
struct Outside: Sendable {
    let apps: any AppPresenceSource
    let extensions: any ExtensionPresenceSource
    let observer: any CommitObserver
}
