internal import NotificationCore
internal import NotificationRecords

/// The observer and presence source of a store without feeds: no app is connected, and nothing is
/// told.
struct Nobody: CommitObserver, AppPresenceSource {
    func committed(_ commit: Commit) {}
    func isWatched(_ device: String) -> Bool { false }
    func toldByFollowers(of center: CenterNumber) -> EventNumber? { nil }

    func presence(of center: CenterNumber, at now: ElapsedInstant) -> AppPresence { .notRunning }
    func appState(of center: CenterNumber, at now: ElapsedInstant) -> AppState { .notRunning }
    func isConnected(_ capability: DelegateCapabilities, of center: CenterNumber) -> Bool { false }
    func isPrimary(_ subscription: String, of center: CenterNumber, at now: ElapsedInstant) -> Bool
    {
        false
    }
    func noteCall(from center: CenterNumber) {}
    func noteSilence(of centers: Set<CenterNumber>) {}
}
