internal import NotificationCore
internal import NotificationRecords

/// The observer and presence source of a store without feeds: no app is connected, no extension
/// serves, and nothing is told.
struct Nobody: CommitObserver, AppPresenceSource, ExtensionPresenceSource {
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

    func isServing(
        _ kind: AppExtension.Kind,
        named name: String,
        for app: String,
        at now: ElapsedInstant
    ) -> Bool { false }
    func contentExtension(
        of app: String,
        showing category: String,
        at now: ElapsedInstant
    ) -> AppExtension? { nil }
    func isConnected(_ kind: AppExtension.Kind, named name: String, for app: String) -> Bool {
        false
    }
    func isServing(
        _ serving: String,
        as kind: AppExtension.Kind,
        for app: String,
        at now: ElapsedInstant
    ) -> Bool { false }
}
