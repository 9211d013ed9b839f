internal import BelfryLMDB
internal import NotificationCore
internal import NotificationRecords

/// The parts of an open store that its writer, its readers and its maintenance share.
struct StoreContext: Sendable {
    let environment: Environment
    let tables: Tables
    let limits: StoreLimits
    /// Which behaviour the store follows where there is a choice.
    let profile: Profile
    let clock: Clock
    let zones: ZoneDatabase
    /// The data directory.
    let directory: String
    let space: StoreSpace
    let files: AttachmentFiles
    /// What it says of its troubles.
    let reports: Reports
    /// Those outside the store whom it asks and tells.
    let outside: Outside
    /// The notifications that are open, as of the last commit.
    let board = PresentationBoard()

    var damage: DamageReport { reports.damage }
    /// What was refused a moment ago.
    var refusals: RecentRefusals { reports.refusals }
    /// Knows which apps are connected.
    var apps: any AppPresenceSource { outside.apps }
    /// Knows which extensions serve.
    var extensions: any ExtensionPresenceSource { outside.extensions }
    /// Told each durable commit.
    var observer: any CommitObserver { outside.observer }

    /// The data file.
    var path: String { Self.path(in: directory) }

    static func path(in directory: String) -> String { directory + "/data.mdb" }
}

/// What a store says of its troubles while it is open.
struct Reports: Sendable {
    let damage: DamageReport
    let refusals = RecentRefusals()
}

/// Those outside the store whom it asks and tells.
struct Outside: Sendable {
    /// Knows which apps are connected.
    let apps: any AppPresenceSource
    /// Knows which extensions serve.
    let extensions: any ExtensionPresenceSource
    /// Told each durable commit.
    let observer: any CommitObserver
}
