internal import BelfryLMDB
internal import NotificationCore

/// What a store was opened with: what its writer, its readers and its maintenance share.
struct StoreContext: Sendable {
    let environment: Environment
    let tables: Tables
    let limits: StoreLimits
    /// Whose behaviour the store follows where there is a choice.
    let profile: Profile
    let clock: Clock
    let zones: ZoneDatabase
    /// The data directory.
    let directory: String
    let space: StoreSpace
    let files: AttachmentFiles
    let damage: DamageReport
    /// Who knows which apps are there.
    let apps: any AppPresenceSource
    /// Who is told what became durable.
    let observer: any CommitObserver

    /// The data file.
    var path: String { Self.path(in: directory) }

    static func path(in directory: String) -> String { directory + "/data.mdb" }
}
