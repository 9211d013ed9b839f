internal import BelfryLMDB
internal import Faults
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

    /// When a write fails, a disk with fewer free bytes counts as full.
    private static let fullDiskBytes = 1 << 20

    /// Whether a write has just failed for lack of space; the disk is asked, so ask at once.
    ///
    /// LMDB reports a write that was cut short, because the disk or a quota became full, as EIO.
    func isOutOfSpace(_ error: StoreFailure) -> Bool {
        if error.isOutOfSpace { return !Fault.fullStopsStore.isPlanted }
        guard error.isInputOutputError else { return false }
        return isDiskFull || isQuotaFull || Fault.failedSyncServedOn.isPlanted
    }

    /// More than a merge writes at a time.
    private static let trialBytes = 16 << 20

    /// Whether the user of the server, or the directory, may have no more of the disk.
    ///
    /// The system says how much the disk has, and not how much of it a quota leaves: a file of this
    /// size shows it.
    private var isQuotaFull: Bool {
        if Fault.quotaNotAsked.isPlanted { return false }
        let path = DataDirectoryEntry.roomTrial.path(in: directory)
        do throws(LMDBError) {
            let file = try FileDescriptor(making: path)
            // Without a name it takes no room any more where the server is killed meanwhile.
            defer { withExtendedLifetime(file) {} }
            try Files.remove(path)
            try file.reserve(Self.trialBytes)
            return false
        } catch {
            return error.isOutOfSpace
        }
    }

    private var isDiskFull: Bool {
        // A merge writes much at once, and may take the reserve.
        let limit = max(Self.fullDiskBytes, space.reservedDiskBytes)
        return DiskSpace(ofFile: path).map { $0.freeBytes < limit } ?? false
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
