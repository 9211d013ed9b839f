public import NotificationCore
internal import NotificationStore

extension Feeds {
    /// Notes what a subscriber says that its app does.
    ///
    /// - Parameters:
    ///   - state: The state.
    ///   - center: The center.
    ///   - subscription: The subscription's identifier.
    /// - Returns: The app's state: the highest of its subscribers.
    /// - Throws: That the app is not registered, or that there is no such subscription.
    public func updateAppState(
        _ state: AppState,
        of center: CenterName,
        through subscription: String
    ) throws(Refusal) -> AppState {
        let number = try store.number(of: center)
        let now = store.clock.now().elapsed
        guard sessions.setAppState(state, of: subscription, in: number, at: now) else {
            throw .subscriptionUnknown
        }
        return sessions.appState(of: number, at: now)
    }

    /// Whether there are apps that let a deadline pass and did not call since.
    public var hasSilentApps: Bool { sessions.hasSilentApps }

    /// Notes that an app called: it is believed to be in front again, if it says that it is
    /// (D-14, D-27).
    public func noteCall(of center: CenterName) {
        guard let number = try? store.number(of: center) else { return }
        sessions.noteCall(from: number)
    }
}
