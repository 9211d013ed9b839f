public import NotificationCore

/// Who knows which apps are there, what they do and what they answer (W-16).
///
/// Called on the writer thread, which everybody waits for: it must not block.
public protocol AppPresenceSource: Sendable {
    /// Whether a center's app is in front, and who answers for it there.
    func presence(of center: UInt32, at now: ElapsedInstant) -> AppPresence
    /// What a center's app is believed to do.
    func appState(of center: UInt32, at now: ElapsedInstant) -> AppState
    /// Whether the subscriber that a center's app is asked through is connected, and answers such
    /// questions.
    func isConnected(_ capability: DelegateCapabilities, of center: UInt32) -> Bool
    /// Whether a subscription is the one that a center's app is asked through.
    func isPrimary(_ subscription: String, of center: UInt32, at now: ElapsedInstant) -> Bool
    /// Notes that a center's app called: it is believed to be in front again.
    func noteCall(from center: UInt32)
    /// Notes that the apps of centers let a will-present deadline pass (D-14).
    func noteSilence(of centers: Set<UInt32>)
}
