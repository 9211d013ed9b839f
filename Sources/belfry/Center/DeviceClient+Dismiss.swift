internal import BelfryGRPC
internal import NotificationClient
internal import NotificationProtocol

extension DeviceClient {
    /// The most that one call dismisses.
    private static let dismissalLimit = 256

    /// Dismisses notifications, however many.
    ///
    /// - Returns: A note without a text, or what was not dismissed.
    func dismiss(all notifications: [Belfry_V1_NotificationRef]) async -> CenterEvent {
        var rest = notifications[...]
        while !rest.isEmpty {
            do {
                _ = try await dismiss(Array(rest.prefix(Self.dismissalLimit)))
                rest = rest.dropFirst(Self.dismissalLimit)
            } catch {
                return error.code == .unavailable
                    ? .kept(Array(rest)) : .failed(.dismiss(Array(rest)), because: error.text)
            }
        }
        return .note(CenterScreen.Note(text: ""))
    }
}
