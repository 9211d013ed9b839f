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
    let damage: DamageReport
    /// Knows which apps are connected.
    let apps: any AppPresenceSource
    /// Told each durable commit.
    let observer: any CommitObserver

    /// The data file.
    var path: String { Self.path(in: directory) }

    static func path(in directory: String) -> String { directory + "/data.mdb" }
}
