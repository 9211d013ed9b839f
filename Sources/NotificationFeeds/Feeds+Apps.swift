package import NotificationCore
internal import NotificationStore

extension Feeds {
    /// Sets the app state that a subscriber reports for its app.
    ///
    /// - Returns: The app's state: the highest state of its subscribers.
    /// - Throws: That the app is not registered, or that there is no such subscription.
    package func updateAppState(
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

    package var hasSilentApps: Bool { sessions.hasSilentApps }

    /// Notes that an app called, which clears its unresponsive mark (D-14, D-27).
    package func noteCall(of center: CenterName) {
        guard let number = try? store.number(of: center) else { return }
        sessions.noteCall(from: number)
    }
}
