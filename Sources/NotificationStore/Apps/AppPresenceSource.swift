package import NotificationCore
internal import NotificationRecords

/// Knows which apps are connected, what they do and what they answer (W-16).
///
/// Called on the writer thread, which all calls wait for: it must not block.
package protocol AppPresenceSource: Sendable {
    /// Whether a center's app is in front, and how its delegate answers questions.
    func presence(of center: CenterNumber, at now: ElapsedInstant) -> AppPresence
    /// The app state that the server assumes for a center's app.
    func appState(of center: CenterNumber, at now: ElapsedInstant) -> AppState
    /// Whether a center's app can be asked: its primary subscriber is connected, and answers
    /// questions of this kind.
    func isConnected(_ capability: DelegateCapabilities, of center: CenterNumber) -> Bool
    /// Whether a subscription is the primary of a center's app, through which the app is asked.
    func isPrimary(_ subscription: String, of center: CenterNumber, at now: ElapsedInstant) -> Bool
    /// Clears the unresponsive mark of a center's app, which has called.
    func noteCall(from center: CenterNumber)
    /// Marks the apps of centers as unresponsive: they let a will-present deadline pass (D-14).
    func noteSilence(of centers: Set<CenterNumber>)
}
