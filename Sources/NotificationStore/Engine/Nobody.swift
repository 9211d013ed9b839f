internal import NotificationCore

/// The observer and presence source of a store without feeds: no app is connected, and nothing is
/// told.
struct Nobody: CommitObserver, AppPresenceSource {
    func committed(_ commit: Commit) {}
    func isWatched(_ device: String) -> Bool { false }
    func toldByFollowers(of center: UInt32) -> UInt64? { nil }

    func presence(of center: UInt32, at now: ElapsedInstant) -> AppPresence { .notRunning }
    func appState(of center: UInt32, at now: ElapsedInstant) -> AppState { .notRunning }
    func isConnected(_ capability: DelegateCapabilities, of center: UInt32) -> Bool { false }
    func isPrimary(_ subscription: String, of center: UInt32, at now: ElapsedInstant) -> Bool {
        false
    }
    func noteCall(from center: UInt32) {}
    func noteSilence(of centers: Set<UInt32>) {}
}
